# One island of many bodies, cold: time of a whole call against the bodies.
load "look.gpi"
set title "Piles in one island, cold: a whole call, verified"
set xlabel "bodies"
set ylabel "milliseconds, median"
set format y "%g"
set xtics (30, 100, 300, 1000, 3000, 10000)
set xrange [25:12000]

families = "tower wall wide-wall pyramid heap bin cluster chain net"
tone(k) = word("#1f618d #2e86c1 #5dade2 #1e8449 #b9770e #d68910 #b03a2e #6c3483 #a569bd", k)
form(k) = int(word("7 5 9 13 7 5 9 13 11", k))
of(k) = stringcolumn("family") eq word(families, k) && column("solved") > 0 ? column("p50_us") / 1000 : NaN
plot for [k = 1:9] csv using "bodies":(of(k)) with linespoints linewidth 1.4 pointtype form(k) pointsize 0.8 \
         linecolor rgb tone(k) title word(families, k), \
     x / 20 with lines dashtype 2 linecolor rgb "#999999" title "50 us a body"
