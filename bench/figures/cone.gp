# How far the motion on polygons is from that on circles, against the number of directions: first order in 1 / d.
load "look.gpi"
set title "One body that slides: motion on polygons against the circle"
set xlabel "directions d"
set ylabel "change of the motion over the free motion"
set xtics (4, 8, 16, 32, 64)
set xrange [3.5:73]
set yrange [1e-3:1]

of_motion(name) = stringcolumn("family") eq "motion" ? column(name) : NaN
plot csv using (of_motion("size")):(of_motion("off_most")) with linespoints linewidth 1.4 pointtype 9 linecolor rgb "#b03a2e" title "most", \
     csv using (of_motion("size")):(of_motion("off_p90")) with linespoints linewidth 1.4 pointtype 5 linecolor rgb "#b9770e" title "90 %", \
     csv using (of_motion("size")):(of_motion("off_p50")) with linespoints linewidth 1.4 pointtype 7 linecolor rgb "#1f618d" title "median", \
     1.0 / x with lines dashtype 2 linecolor rgb "#999999" title "1 / d"
