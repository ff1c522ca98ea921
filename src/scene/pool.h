/* Memory that is taken piece by piece and given back all at once. */
#ifndef ABUTI_SCENE_POOL_H
#define ABUTI_SCENE_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct abuti_pool_block abuti_pool_block;

typedef struct abuti_pool {
    abuti_pool_block *blocks;
    size_t total; /* bytes that were taken */
    bool full;    /* more than ABUT_SCENE_BYTES_MAX were asked for */
} abuti_pool;

/* Zeroed memory, or NULL: there is none, or the limit is reached (`full`). */
void *abuti_pool_take(abuti_pool *pool, size_t size);
/* A copy of a text. */
char *abuti_pool_text(abuti_pool *pool, const char *text);
/* The three texts one after the other. */
char *abuti_pool_join(abuti_pool *pool, const char *a, const char *b, const char *c);
void abuti_pool_release(abuti_pool *pool);

/* An array that grows in a pool. */
typedef struct abuti_list {
    void *items;
    int count, capacity;
} abuti_list;

/* Room for one more item of this size, zeroed, or NULL. */
void *abuti_list_add(abuti_pool *pool, abuti_list *list, size_t size);

#endif
