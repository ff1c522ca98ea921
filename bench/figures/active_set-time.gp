# Time of active-set against the other methods on the same problems.
load "look.gpi"

set terminal svg size 1000,460 font "Helvetica,14" background "white" dynamic
set output out
set multiplot layout 1, 2 title "Positive definite M, and flat contact (rank 3): one call, median and up to p99, microseconds"
set xlabel "variables n"
set xtics (2, 4, 8, 20, 50, 100, 200)
set xrange [1.8:220]
set yrange [0.5:1e6]
set key inside left top
methods = "active-set dantzig lemke ppm"
colour(k) = word("#b03a2e #1f618d #b9770e #1e8449", k)
do for [family in "pd flat"] {
    set title family
    plot for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us":"p50_us":"p99_us" with yerrorbars linewidth 0.7 \
             pointtype 0 linecolor rgb colour(k) notitle, \
         for [k = 1:4] csv using (size_of(family, word(methods, k))):"p50_us" with linespoints linewidth 1.4 \
             pointtype 4 + k linecolor rgb colour(k) title word(methods, k)
}
unset multiplot
