# One body, `faces` cold: what a call consists of, against contacts.
load "look.gpi"
set lmargin at screen 0.09
set rmargin at screen 0.80
set tmargin at screen 0.91
set bmargin at screen 0.15
unset key
set title "Peg in a hole, d = 8: one cold call of faces, medians; call and solve up to p99"
set xlabel "contacts n"
set ylabel "microseconds"
set format y "%g"
set xtics (8, 16, 32, 64, 128, 256)
set ytics (0.2, 0.5, 1, 2, 5, 10, 20, 50)
set xrange [7:290]
set yrange [0.1:100]

parts = "p50_us verify_us build_us solve_us"
said = "'whole call' 'judging, results' 'building' 'solving'"
tone(k) = word("#222222 #b9770e #1f618d #1e8449", k)
form(k) = int(word("7 9 5 13", k))
shown(name) = stringcolumn("family") eq "peg" ? column(name) : NaN
at_end(name) = stringcolumn("family") eq "peg" && column("size") == 256 ? column(name) : NaN

# The goals: solving and the whole call with 16 and with 64 contacts.
$goals << EOD
16,0.8,1.6
64,1.4,4
EOD

plot csv using "size":(shown("p50_us")):(shown("p50_us")):(shown("p99_us")) with yerrorbars linewidth 0.7 pointtype 0 linecolor rgb tone(1), \
     csv using "size":(shown("solve_us")):(shown("solve_us")):(shown("solve_p99_us")) with yerrorbars linewidth 0.7 pointtype 0 \
         linecolor rgb tone(4), \
     for [k = 1:4] csv using "size":(shown(word(parts, k))) with linespoints linewidth 1.6 pointtype form(k) \
         pointsize 0.8 linecolor rgb tone(k), \
     for [k = 1:4] csv using "size":(at_end(word(parts, k))):(word(said, k)) with labels left offset 1, 0 \
         textcolor rgb tone(k), \
     for [k = 2:3] $goals using 1:k with points pointtype 2 pointsize 1.4 linewidth 2 linecolor rgb (k == 2 ? tone(4) : tone(1)), \
     $goals using 1:3:(column(1) == 64 ? "  goals" : "") with labels left offset 0.6, 0.2 font ",11" textcolor rgb "#555555"
