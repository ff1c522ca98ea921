/* The matrix block of Siconos .dat files, shared by LCPs and friction-contact problems.
 *
 *     storage (0 dense, 1 sparse blocks, 2 compressed columns), rows, columns, and then
 *     0: rows columns again, the entries column by column (its NM_read_in_file fills Fortran order)
 *     1: block count, block rows, block columns, cumulative row sizes, cumulative column sizes, two index
 *        lengths, row pointer, column index, then each block's number and its entries column by column
 *     2: 1 (triplets) or 2 (columns), and what CSparse's cs_print wrote
 */
#ifndef ABUTI_SICONOS_MATRIX_H
#define ABUTI_SICONOS_MATRIX_H

#include "io/text.h"

/* Reads storage, sizes and entries of a square matrix of `n` rows into a new dense one (row-major). `tail` is
 * how many numbers must follow in the file after the matrix. */
bool abuti_siconos_matrix(abuti_text *text, const char *label, int n, int tail, double **matrix);
/* Writes storage 0. */
void abuti_siconos_matrix_write(FILE *file, const double *matrix, int n, int ld);
/* A line of numbers. */
void abuti_siconos_vector_write(FILE *file, const double *values, int count);

#endif
