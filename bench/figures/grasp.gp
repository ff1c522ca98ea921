# The grasp by every model and method, and how the time of a no-slip solve grows with the contacts: ppm on the rows against
# the dense methods.
load "look.gpi"

set terminal svg size 1100,520 font "Helvetica,14" background "white" dynamic
set multiplot layout 1,2

# Left: one solve of the grasp, corners given three times and twelve points.
cases = "'coulomb lemke' 'coulomb reduced' 'coulomb faces' 'no-slip ppm' 'no-slip dantzig' 'no-slip active-set'"
grasps = "grasp-corners grasp-points"
tone(f) = word("#b9770e #1f618d", f)
place(f, k) = row(word(grasps, f), word(cases, k)) ? k + 0.24 * (f - 1.5) : NaN
set title "The grasp, 36 contacts: one solve, median and up to p99"
set ylabel "microseconds"
unset logscale x
set xrange [0.4:6.6]
set yrange [10:1e4]
set xtics ("Coulomb\nlemke" 1, "Coulomb\nreduced" 2, "Coulomb\nfaces" 3, "no-slip\nppm" 4, "no-slip\ndantzig" 5, "no-slip\nactive-set" 6) font ",11"
set key inside right top vertical Left reverse samplen 1 spacing 1.3
set boxwidth 0.22
plot for [f = 1:2] for [k = 1:6] csv using (place(f, k)):"p50_us" with boxes fillstyle solid 0.6 noborder linecolor rgb tone(f) \
         title (k == 1 ? word("'every corner three times' 'twelve points'", f) : ""), \
     for [f = 1:2] for [k = 1:6] csv using (place(f, k)):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 1 pointtype 0 \
         linecolor rgb "#333333" notitle

# Right: growth.
set title "No-slip, n contacts on one and on two bodies: one call, median and up to p99"
set xlabel "contacts n"
set logscale x 2
set xtics autofreq font ",14"
methods = "ppm dantzig lemke"
colour(k) = word("#1e8449 #1f618d #b03a2e", k)
families = "one-body two-bodies"
dash(at) = at < 4 ? 1 : 3
array slope[6]
array height[6]
unset xrange
unset yrange
set xrange [*:*]
set yrange [*:*]
do for [f = 1:2] {
    do for [k = 1:3] {
        at = 3 * (f - 1) + k
        stats csv using (row(word(families, f), word(methods, k)) && column("size") >= 64 ? log(column("size")) : NaN):(log(column("p50_us"))) nooutput
        slope[at] = STATS_slope
        height[at] = STATS_intercept
    }
}
set xrange [7:2400]
set yrange [1:1e5]
set key inside left top vertical Left reverse samplen 1 spacing 1.2
plot for [f = 1:2] for [k = 1:3] csv using (size_of(word(families, f), word(methods, k))):"p50_us":"p50_us":"p99_us" with yerrorbars \
         linewidth 0.7 pointtype 0 linecolor rgb colour(k) notitle, \
     for [f = 1:2] for [k = 1:3] csv using (size_of(word(families, f), word(methods, k))):"p50_us" with points \
         pointtype (f == 1 ? 6 : 7) pointsize 0.9 linecolor rgb colour(k) \
         title sprintf("%s, %s: n^{%.2f}", word(methods, k), word("one two", f), slope[3 * (f - 1) + k]), \
     for [at = 1:6] [64:2048] exp(height[at]) * x**slope[at] with lines linewidth 1.2 dashtype dash(at) \
         linecolor rgb colour((at - 1) % 3 + 1) notitle
unset multiplot
