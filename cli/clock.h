/* The time a person waits, in microseconds: the monotonic clock. */
#ifndef CLI_CLOCK_H
#define CLI_CLOCK_H

double cmd_now_us(void);

#endif
