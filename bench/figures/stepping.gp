# Closed loops: what a step costs, from what the last one left and from nothing, for the largest size of each scene.
load "look.gpi"
unset logscale x
set lmargin at screen 0.10
set rmargin at screen 0.83
set title "A step of a closed loop: median, 99th percentile and the longest of 480"
set bmargin at screen 0.17
set xlabel "scene, and its bodies" offset 0, -0.9
set ylabel "microseconds"
set format y "%g"
set ytics (1, 10, 100, 1000, 10000, 100000)
set yrange [1:2e5]
set xrange [0.4:8.6]
unset grid
set grid ytics linewidth 0.5 linecolor rgb "#dddddd"

families = "stack wall pyramid arch grasp slope dominoes pile"
sizes = "20 20 21 15 5 20 10 20"
set xtics ()
do for [k = 1:8] { set xtics add (sprintf("%s\n%s", word(families, k), word(sizes, k)) k) }

place(m) = sum [k = 1:8] (stringcolumn("family") eq word(families, k) && column("size") == int(word(sizes, k)) && \
                         stringcolumn("solver") eq m ? k : 0)
at(m, d) = place(m) > 0 ? place(m) + d : NaN

plot csv using (at("cold", 0.15)):"p50_us":"p50_us":"max_us" with yerrorbars pointtype 0 linewidth 0.8 linecolor rgb "#b03a2e" notitle, \
     csv using (at("warm", -0.15)):"p50_us":"p50_us":"max_us" with yerrorbars pointtype 0 linewidth 0.8 linecolor rgb "#1f618d" notitle, \
     csv using (at("cold", 0.15)):"p99_us" with points pointtype 1 pointsize 0.9 linewidth 1.4 linecolor rgb "#b03a2e" title "cold, p99", \
     csv using (at("cold", 0.15)):"p50_us" with points pointtype 7 pointsize 0.9 linecolor rgb "#b03a2e" title "cold, median", \
     csv using (at("warm", -0.15)):"p99_us" with points pointtype 1 pointsize 0.9 linewidth 1.4 linecolor rgb "#1f618d" title "warm, p99", \
     csv using (at("warm", -0.15)):"p50_us" with points pointtype 5 pointsize 0.9 linecolor rgb "#1f618d" title "warm, median"
