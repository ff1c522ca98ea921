# Beyond the paper: stacks of up to 50 blocks, four contacts each.
family = "tower"
low = 5
high = 50
load "lloyd.gpi"

set title "Stacks of m blocks, four contacts each: one call, median and up to p99"
set xlabel "blocks m"
set ylabel "microseconds"
set xtics (1, 2, 3, 5, 10, 20, 30, 50)
set xrange [0.9:58]
set yrange [1:1e7]
set arrow from 5, graph 0 to 5, graph 1 nohead dashtype 3 linecolor rgb "#888888"
set label "the paper's range" at 4.7, graph 0.965 right font ",11" textcolor rgb "#666666"

plot for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 0.7 \
         linecolor rgb colour(word(methods, k)) pointtype 0 notitle, \
     for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us" with points pointtype mark(word(methods, k)) \
         pointsize 0.8 linecolor rgb colour(word(methods, k)) \
         title sprintf("%s: m^{%.2f}", shown(word(methods, k)), fit_a[k]), \
     for [k = 1:4] [5:50] exp(fit_b[k]) * x**fit_a[k] with lines linewidth 1.2 linecolor rgb colour(word(methods, k)) notitle
