# A block that is pushed at every angle: the push at which it starts, on polygons and on the circle. One quadrant, where
# the difference can be seen.
load "look.gpi"
unset logscale
set format y "%g"
set size ratio -1
set title "A block that is pushed: where it starts, over mu times its weight, by angle"
set xlabel "push along t"
set ylabel "push along n x t"
set xrange [0:1.08]
set yrange [0:1.08]
set xtics 0, 0.2, 1
set ytics 0, 0.2, 1

set angles degrees
starts(m) = stringcolumn("family") eq "block" && stringcolumn("solver") eq m ? column("starts") : NaN
plot csv using (starts("circle") * cos(column("size"))):(starts("circle") * sin(column("size"))) \
         with lines linewidth 1.8 linecolor rgb "#1f618d" title "circle", \
     csv using (starts("16-gon") * cos(column("size"))):(starts("16-gon") * sin(column("size"))) \
         with lines linewidth 1.2 linecolor rgb "#b9770e" title "16 directions", \
     csv using (starts("octagon") * cos(column("size"))):(starts("octagon") * sin(column("size"))) \
         with lines linewidth 1.2 linecolor rgb "#b03a2e" title "8 directions"
