# Median time against size, one curve for each family and solver of `abut bench lcp`.
# Variables from outside: csv (in), out (SVG).

set terminal svg size 900,600 background "white"
set output out
set datafile separator comma
set title "abut bench lcp: median time of one solve"
set xlabel "size n"
set ylabel "median, microseconds"
set logscale xy
set grid
set key left top

# The curves that the file holds, as "family/solver" words in order of appearance.
curves = ""
curve_of(family, solver) = family . "/" . solver
note(word) = (strstrt(" " . curves . " ", " " . word . " ") ? curves : (curves = curves . " " . word))
stats csv using (note(curve_of(stringcolumn("family"), stringcolumn("solver"))), column("size")) nooutput

plot for [curve in curves] csv \
    using (curve_of(stringcolumn("family"), stringcolumn("solver")) eq curve ? column("size") : NaN):"p50_us" \
    with linespoints title curve
