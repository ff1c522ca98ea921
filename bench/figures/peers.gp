# Piles by abut and by others: how long each takes and how far it gets, a mark for each family and size.
load "look.gpi"
set title "Piles of 30 and 100 bodies: time, and the residual that our verifier finds in the answer"
set xlabel "milliseconds, median"
set ylabel "residual, median"
set xrange [0.1:*]
set yrange [1e-17:10]
set format x "%g"

solvers = "'abut' 'abut circle' 'siconos nsgs' 'mujoco newton'"
said = "'abut, polygons' 'abut, circles' 'Siconos, nsgs' 'MuJoCo, Newton'"
tone(k) = word("#1f618d #1e8449 #b9770e #b03a2e", k)
form(k) = int(word("7 5 9 13", k))
of(k, name) = stringcolumn("solver") eq word(solvers, k) ? column(name) : NaN
plot for [k = 1:4] csv using (of(k, "p50_us") / 1000):(of(k, "reached")) with points pointtype form(k) pointsize 0.9 \
         linecolor rgb tone(k) title word(said, k), \
     1e-9 with lines dashtype 2 linecolor rgb "#888888" title "solved, for abut"
