# How often Sharaf's two phases suffice without the fallback, by class of matrix.
load "look.gpi"

set title "active-set: problems that phases 1 and 2 solve alone"
set xlabel "variables n"
set ylabel "per cent of the problems with some q < 0"
unset logscale
set logscale x
set format y "%g"
set xtics (2, 4, 8, 20, 50, 100, 200)
set xrange [1.8:220]
set yrange [-3:103]

classes = "pd pd-unsymmetric psd flat stack"
colour(k) = word("#1f618d #b9770e #b03a2e #7d3c98 #1e8449", k)
plot for [k = 1:5] csv using (size_of(word(classes, k), "active-set")):"alone_percent" with linespoints linewidth 1.4 \
         pointtype 4 + k linecolor rgb colour(k) title word(classes, k)
