# Many bodies: solving cold, and step after step from the states of the last one.
load "look.gpi"
set lmargin at screen 0.13
set rmargin at screen 0.75
set tmargin at screen 0.91
set bmargin at screen 0.15
unset key
set title "faces on many bodies, four contacts each: the solve, median and up to p99"
set xlabel "bodies m"
set ylabel "microseconds"
set format y "%g"
set xtics (1, 2, 3, 5, 10, 20, 30, 50)
set ytics (1, 10, 100, 1000, 10000, 100000)
set xrange [0.9:56]
set yrange [0.2:1e5]

families = "tower wall gravity swaying-stack"
said = "'stacks, random wrenches' 'walls' 'stacks under gravity' 'stacks, warm steps'"
tone(k) = word("#b03a2e #b9770e #1f618d #1e8449", k)
form(k) = int(word("7 9 5 13", k))
last(k) = int(word("50 20 20 20", k))
is(k) = stringcolumn("family") eq word(families, k)
shown(k) = is(k) ? column("solve_us") : NaN
late(k) = is(k) ? column("solve_p99_us") : NaN
at_end(k) = is(k) && column("size") == last(k) ? column("solve_us") : NaN
away(k) = word("0.2 0.9 0.9 -0.3", k)

# The goals of the cold solve, and one microsecond a body for warm steps.
$goals << EOD
5,20
10,100
20,800
50,8000
EOD

set label "1 us a body" at 57, 52 left offset 0.4, 0 font ",12" textcolor rgb "#666666"
set label "goals, cold" at 50, 8000 left offset 1.4, 0 font ",12" textcolor rgb "#666666"

plot [0.9:56] x with lines linewidth 1 dashtype 3 linecolor rgb "#888888", \
     for [k = 1:4] csv using "size":(shown(k)):(shown(k)):(late(k)) with yerrorbars linewidth 0.7 pointtype 0 linecolor rgb tone(k), \
     for [k = 1:4] csv using "size":(shown(k)) with linespoints linewidth 1.6 pointtype form(k) pointsize 0.8 \
         linecolor rgb tone(k), \
     for [k = 1:4] csv using "size":(at_end(k)):(word(said, k)) with labels left offset 1, real(away(k)) \
         textcolor rgb tone(k), \
     $goals using 1:2 with points pointtype 2 pointsize 1.4 linewidth 2 linecolor rgb "#555555"
