# Forces at the acceleration level: without friction against one Gaussian elimination, with friction and joints.
load "look.gpi"

# Rows with rays, or with a problem that was left to the next stages, are drawn too: their time counts.
of(f) = stringcolumn("family") eq f ? column("size") : NaN

set terminal svg size 1100,520 font "Helvetica,14" background "white" dynamic
set multiplot layout 1,2

set title "Without friction: medians against one Gaussian elimination"
set xlabel "contacts n"
set ylabel "times one elimination of the same size"
unset logscale
set format y "%g"
set xrange [0:210]
set yrange [0:12]
set key at graph 0.22, 0.98 left top vertical Left reverse samplen 2 spacing 1.3
plot csv using (size_of("frictionless", "drive")):"times_elimination" with linespoints pointtype 7 pointsize 0.8 \
         linewidth 1.5 linecolor rgb "#1f618d" title "driving, full rank", \
     csv using (size_of("frictionless-stack", "drive")):"times_elimination" with linespoints pointtype 9 \
         pointsize 0.8 linewidth 1.5 linecolor rgb "#1e8449" title "driving, a stack (redundant contacts)", \
     csv using (of("frictionless-redundant")):"times_elimination" with linespoints pointtype 13 \
         pointsize 0.8 linewidth 1.5 linecolor rgb "#7d3c98" title "driving, n contacts for n / 2 motions", \
     csv using (size_of("frictionless-call", "drive")):"times_elimination" with linespoints pointtype 5 \
         pointsize 0.8 linewidth 1.5 linecolor rgb "#b9770e" title "whole call: built, driven, verified", \
     3 with lines dashtype 3 linecolor rgb "#888888" title "the bound: 3"

set title "With friction: one call, median and up to p99"
set ylabel "microseconds"
set logscale x 2
set logscale y
set format y "10^{%L}"
set xrange [5:60]
set yrange [1:1e5]
set xtics (6, 12, 24, 48)
families = "plane-at-rest plane-sliding space-at-rest space-sliding mechanism-plane mechanism-space"
colours = "#1e8449 #82c09a #b03a2e #e08b82 #1f618d #7d3c98"
set key inside top left vertical Left reverse samplen 2 spacing 1.2
plot for [k = 1:6] csv using (of(word(families, k))):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 0.7 pointtype 0 \
         linecolor rgb word(colours, k) notitle, \
     for [k = 1:6] csv using (of(word(families, k))):"p50_us" with linespoints pointtype 4 + k pointsize 0.8 \
         linewidth 1.5 linecolor rgb word(colours, k) title word(families, k)
unset multiplot
