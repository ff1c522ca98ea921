# Drive calls without friction; steps of driving (and pivots of what comes after it) with friction, against contacts.
load "look.gpi"

set terminal svg size 1100,520 font "Helvetica,14" background "white" dynamic
set multiplot layout 1,2

set title "Without friction: drive calls, and moves between the sets"
set xlabel "contacts n"
set ylabel "number, mean"
unset logscale
set format y "%g"
set xrange [0:210]
set yrange [0:220]
set key inside top left vertical Left reverse samplen 2 spacing 1.3
plot csv using (size_of("frictionless", "drive")):"pivots" with linespoints pointtype 7 pointsize 0.8 \
         linewidth 1.5 linecolor rgb "#1f618d" title "moves, full rank", \
     csv using (size_of("frictionless-stack", "drive")):"pivots" with linespoints pointtype 9 pointsize 0.8 \
         linewidth 1.5 linecolor rgb "#1e8449" title "moves, a stack", \
     csv using (size_of("frictionless", "drive")):"drives" with linespoints pointtype 6 pointsize 0.8 dashtype 2 \
         linewidth 1.5 linecolor rgb "#1f618d" title "drive calls, full rank", \
     csv using (size_of("frictionless-stack", "drive")):"drives" with linespoints pointtype 8 pointsize 0.8 dashtype 2 \
         linewidth 1.5 linecolor rgb "#1e8449" title "drive calls, a stack"

set title "With friction: steps and pivots of one call, mean"
set ylabel "steps and pivots"
set logscale x 2
set logscale y
set format y "10^{%L}"
set xrange [5:60]
set yrange [1:1e5]
set xtics (6, 12, 24, 48)
of(f) = stringcolumn("family") eq f ? column("size") : NaN
families = "plane-at-rest plane-sliding space-at-rest space-sliding mechanism-plane mechanism-space"
colours = "#1e8449 #82c09a #b03a2e #e08b82 #1f618d #7d3c98"
plot for [k = 1:6] csv using (of(word(families, k))):"pivots" with linespoints pointtype 4 + k pointsize 0.8 \
         linewidth 1.5 linecolor rgb word(colours, k) title word(families, k)
unset multiplot
