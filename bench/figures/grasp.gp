# How the time of a no-slip solve grows with the contacts: ppm on the rows against the dense methods.
load "look.gpi"

set title "No-slip contact, n contacts on one and on two bodies: median time of one call"
set xlabel "contacts n"
set ylabel "microseconds"
set logscale x 2

methods = "ppm dantzig lemke"
colour(k) = word("#1e8449 #1f618d #b03a2e", k)
families = "one-body two-bodies"
dash(at) = at < 4 ? 1 : 3
array slope[6]
array height[6]
do for [f = 1:2] {
    do for [k = 1:3] {
        at = 3 * (f - 1) + k
        stats csv using (row(word(families, f), word(methods, k)) && column("size") >= 64 ? log(column("size")) : NaN):(log(column("p50_us"))) nooutput
        slope[at] = STATS_slope
        height[at] = STATS_intercept
    }
}
set xrange [7:2400]
plot for [f = 1:2] for [k = 1:3] csv using (size_of(word(families, f), word(methods, k))):"p50_us" with points \
         pointtype (f == 1 ? 6 : 7) pointsize 0.9 linecolor rgb colour(k) \
         title sprintf("%s, %s: n^{%.2f}", word(methods, k), word("one two", f), slope[3 * (f - 1) + k]), \
     for [at = 1:6] [64:2048] exp(height[at]) * x**slope[at] with lines linewidth 1.2 dashtype dash(at) \
         linecolor rgb colour((at - 1) % 3 + 1) notitle
