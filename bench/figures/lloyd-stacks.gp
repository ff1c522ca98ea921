# Lloyd's Fig. 10: ten stacks of one to five blocks.
family = "stack"
low = 4
high = 32
load "lloyd.gpi"

set title "Ten stacks of 1 to 5 blocks, d = 8: one call, median and up to p99"
set xlabel "contacts n"
set ylabel "microseconds"
set xtics (4, 8, 12, 16, 20, 32)
set xrange [3.6:36]
set yrange [1:5e6]

# The paper's printed range of means, from its smallest to its largest stack, milliseconds.
$paper << EOD
4,2.1,1.45,1.32
32,2136,224,96
EOD

set label "small figures: number of blocks" at graph 0.98, graph 0.05 right font ",11" textcolor rgb "#555555"

plot for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 0.7 \
         linecolor rgb colour(word(methods, k)) pointtype 0 notitle, \
     for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us" with points pointtype mark(word(methods, k)) \
         pointsize 0.8 linecolor rgb colour(word(methods, k)) \
         title sprintf("%s: n^{%.2f}", shown(word(methods, k)), fit_a[k]), \
     for [k = 1:4] [4:32] exp(fit_b[k]) * x**fit_a[k] with lines linewidth 1.2 linecolor rgb colour(word(methods, k)) notitle, \
     csv using (size_of(family, "faces")):"p50_us":(sprintf("%d", int(column("bodies")))) with labels offset 0.9, -0.6 \
         font ",10" textcolor rgb "#555555" notitle, \
     for [k = 1:3] $paper using 1:(1000 * column(k + 1)) with linespoints linewidth 0.8 dashtype 4 pointtype mark(word(methods, k)) - 1 \
         linecolor rgb colour(word(methods, k)) title sprintf("paper, %s", word("standard structural reduced", k))
