# Steps of driving (and pivots of what comes after it) against contacts.
load "look.gpi"

set title "With friction: steps and pivots of one call, mean"
set xlabel "contacts n"
set ylabel "steps and pivots"
set logscale x 2
set xrange [5:60]
set xtics (6, 12, 24, 48)
of(f) = stringcolumn("family") eq f ? column("size") : NaN
families = "plane-at-rest plane-sliding space-at-rest space-sliding mechanism-plane mechanism-space"
colours = "#1e8449 #82c09a #b03a2e #e08b82 #1f618d #7d3c98"
plot for [k = 1:6] csv using (of(word(families, k))):"pivots" with linespoints pointtype 4 + k pointsize 0.8 \
         linewidth 1.5 linecolor rgb word(colours, k) title word(families, k)
