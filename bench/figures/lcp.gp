# Median time against size, one curve for each family and solver of `abut bench lcp`.
# Variables from outside: csv (in), out (SVG).

set terminal svg size 900,600 background "white"
set output out
set datafile separator comma
set datafile missing NaN
set title "abut bench lcp: one solve, median and up to p99"
set xlabel "size n"
set ylabel "microseconds"
set logscale xy
set xtics (50, 100, 200, 300, 400, 800)
set autoscale xfix
set offsets graph 0.05, graph 0.05, 0, 0
set grid
set key left top reverse Left

# The curves that the file holds, as "family/solver" words in order of appearance.
curves = ""
curve_here(x) = stringcolumn("family") . "/" . stringcolumn("solver")
note(word) = (strstrt(" " . curves . " ", " " . word . " ") ? curves : (curves = curves . " " . word))
stats csv using (note(curve_here(0)), column("size")) nooutput

# A row counts when all its problems were solved.
size_on(curve) = curve_here(0) eq curve && column("solved") == column("count") ? column("size") : NaN

plot for [curve in curves] csv using (size_on(curve)):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 0.7 pointtype 0 notitle, \
     for [curve in curves] csv using (size_on(curve)):"p50_us" with linespoints linewidth 1.5 title curve
