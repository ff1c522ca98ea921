# Lloyd's Fig. 7 and 8: ten situations of one body.
family = "single"
low = 1
high = 16
load "lloyd.gpi"

set title "Ten situations of one body, d = 8: one call, median and up to p99"
set xlabel "contacts n"
set ylabel "microseconds"
set xtics (1, 2, 3, 4, 6, 8, 12, 16)
set xrange [0.9:18]
set yrange [0.5:1e5]

# The paper's printed means for n = 8 and 16, Java on a 1 GHz Pentium III-M, milliseconds.
$paper << EOD
8,5.2,2.1,0.57
16,50.9,12.5,1.34
EOD

plot for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 0.7 \
         linecolor rgb colour(word(methods, k)) pointtype 0 notitle, \
     for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us" with points pointtype mark(word(methods, k)) \
         pointsize 0.8 linecolor rgb colour(word(methods, k)) \
         title sprintf("%s: n^{%.2f}", shown(word(methods, k)), fit_a[k]), \
     for [k = 1:4] [1:16] exp(fit_b[k]) * x**fit_a[k] with lines linewidth 1.2 linecolor rgb colour(word(methods, k)) notitle, \
     for [k = 1:3] $paper using 1:(1000 * column(k + 1)) with linespoints linewidth 0.8 dashtype 4 pointtype mark(word(methods, k)) - 1 \
         linecolor rgb colour(word(methods, k)) title sprintf("paper, %s", word("standard structural reduced", k))
