# A block that slides at every angle: the friction against its slip, on the octagon and on the circle.
load "look.gpi"
unset logscale
set format y "%g"
set size ratio -1
set title "A block that slides: friction against its slip over mu times its weight, by angle"
set xlabel "along t"
set ylabel "along n x t"
set xrange [-1.15:1.15]
set yrange [-1.15:1.15]
set xtics -1, 0.5, 1
set ytics -1, 0.5, 1

set angles degrees
of_block(m, name) = stringcolumn("family") eq "block" && stringcolumn("solver") eq m ? column(name) : NaN
plot csv using (of_block("circle", "against") * cos(column("size"))):(of_block("circle", "against") * sin(column("size"))) \
         with lines linewidth 1.6 linecolor rgb "#1f618d" title "circle", \
     csv using (of_block("polygon", "against") * cos(column("size"))):(of_block("polygon", "against") * sin(column("size"))) \
         with linespoints linewidth 1.2 pointtype 7 pointsize 0.4 linecolor rgb "#b03a2e" title "octagon"
