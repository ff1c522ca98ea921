# Lloyd's Fig. 5 and 6: time against contacts for a peg in a hole, and beyond n = 32.
family = "peg"
low = 8
high = 32
load "lloyd.gpi"

set title "Peg in a hole, d = 8: one call, median and up to p99"
set xlabel "contacts n"
set ylabel "microseconds"
set xtics (8, 16, 32, 64, 128, 256)
set xrange [7:300]
set yrange [1:5e6]
set arrow from 32, graph 0 to 32, graph 1 nohead dashtype 3 linecolor rgb "#888888"
set label "the paper's range" at 30.5, graph 0.965 right font ",11" textcolor rgb "#666666"

# The paper's printed means, Java on a 1 GHz Pentium III-M, milliseconds.
$paper << EOD
8,6.18,2.55,1.08
32,400.75,26.63,4.58
EOD

plot for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 0.7 \
         linecolor rgb colour(word(methods, k)) pointtype 0 notitle, \
     for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us" with points pointtype mark(word(methods, k)) \
         pointsize 0.8 linecolor rgb colour(word(methods, k)) \
         title sprintf("%s: n^{%.2f}", shown(word(methods, k)), fit_a[k]), \
     for [k = 1:4] [8:32] exp(fit_b[k]) * x**fit_a[k] with lines linewidth 1.5 linecolor rgb colour(word(methods, k)) notitle, \
     for [k = 1:4] [32:256] exp(fit_b[k]) * x**fit_a[k] with lines linewidth 1 dashtype 2 linecolor rgb colour(word(methods, k)) notitle, \
     for [k = 1:3] $paper using 1:(1000 * column(k + 1)) with linespoints linewidth 0.8 dashtype 4 pointtype mark(word(methods, k)) - 1 \
         linecolor rgb colour(word(methods, k)) title sprintf("paper, %s", word("standard structural reduced", k))
