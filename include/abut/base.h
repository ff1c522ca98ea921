/* abut/base.h: what every part of abut shares.
 *
 * Three ideas, used the same way everywhere:
 *
 *   status    what a *call* said: fine, misused, out of memory. Programming errors end here.
 *   outcome   what the *mathematics* said: solved, a ray, infeasible, a limit, failed. It stands in
 *             the result of a solve, always beside a residual that an independent verifier computed.
 *   allocator where memory comes from. It is given once, at creation of a workspace; solving
 *             itself never allocates.
 *
 * abut has no global state: two workspaces can be used from two threads at once.
 * All numbers are doubles in SI units, all matrices are row-major.
 */
#ifndef ABUT_BASE_H
#define ABUT_BASE_H

#include <stddef.h>

#define ABUT_VERSION_MAJOR 0
#define ABUT_VERSION_MINOR 1
#define ABUT_VERSION_PATCH 0

/* Define ABUT_NO_EXPORT to build abut's sources into a shared library of your own that exports none of abut's names.
 * Users of a library that is built already need not care. */
#if defined(_WIN32) || defined(ABUT_NO_EXPORT)
#define ABUT_API
#else
#define ABUT_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The largest number of variables, of bodies, of contacts, of joint rows and of generalised velocities. A problem or a
 * limit with more of any of them is refused before an array is read. */
#define ABUT_COUNT_MAX 10000000

/* "0.1.0": the version of the library that runs, to be compared with the macros above. */
ABUT_API const char *abut_version(void);

/* What a call said. Everything but ABUT_OK means that the call did nothing. */
typedef enum abut_status {
    ABUT_OK = 0,           /* the call did what it was asked to */
    ABUT_INVALID_ARGUMENT, /* a null pointer, a negative size, a number that is not finite, ... */
    ABUT_OUT_OF_MEMORY,    /* the allocator returned NULL; nothing leaks */
    /* The problem is larger than the limits of its workspace, or larger than the chosen solver can take. */
    ABUT_TOO_LARGE,
    ABUT_UNSUPPORTED, /* this solver does not answer this kind of problem */
} abut_status;

/* A short English sentence for a status. Never NULL. */
ABUT_API const char *abut_status_text(abut_status status);

/* What the mathematics said. */
typedef enum abut_outcome {
    ABUT_SOLVED = 0, /* the verifier's residual is within the tolerance */
    /* The path of the method ended on a ray: no solution was found on this path. One may exist, unless the matrix
     * class says otherwise. */
    ABUT_RAY,
    ABUT_INFEASIBLE, /* no solution exists; the witness in the result was checked by the verifier */
    ABUT_LIMIT,      /* the budget of pivots or time is spent; the result is the best point so far */
    ABUT_FAILED,     /* no stage gave an answer that the verifier accepts */
} abut_outcome;

/* "solved", "ray", "infeasible", "limit", "failed". Never NULL. */
ABUT_API const char *abut_outcome_name(abut_outcome outcome);

/* Where a workspace takes its memory from. Both functions are required.
 *
 * Without an allocator memory comes from calloc. Room for methods of last resort can be large; from calloc it costs
 * address space, but no memory until such a method runs. Callers with deadlines, for whom the first touch of a page is
 * too slow, give an allocator of locked memory. */
typedef struct abut_allocator {
    /* Returns `size` bytes whose address is a multiple of `alignment`, a power of two of at most 64, or NULL. */
    void *(*allocate)(void *context, size_t size, size_t alignment);
    /* Takes them back, with the size that was asked for. It is never called with NULL. */
    void (*release)(void *context, void *pointer, size_t size);
    /* Handed to both functions; abut never reads it. */
    void *context;
} abut_allocator;

/* Room for one error message. Functions that take an abut_error accept NULL, and always leave a terminated string. */
#define ABUT_ERROR_CAPACITY 256
typedef struct abut_error {
    /* It names the place and the expected thing: "contacts[3].friction: -0.2; expected a number from 0 to 1e100". */
    char text[ABUT_ERROR_CAPACITY];
} abut_error;

#ifdef __cplusplus
}
#endif

#endif
