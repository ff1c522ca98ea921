/* Threads that wait for tasks; see abut/threads.h. A build without POSIX threads has no such threads. */
#include "abut/threads.h"
#include <stdbool.h>
#include <stdlib.h>

#ifdef ABUT_HAVE_THREADS

#include <pthread.h>

struct abut_threads {
    int count, started;
    pthread_t thread[ABUT_THREADS_MAX];
    pthread_mutex_t lock;
    pthread_cond_t begin, end; /* there is work; all of it is done */
    void (*task)(void *data, int index);
    void *data;
    int next, tasks, running; /* the next task to be taken, how many there are, how many are not done */
    bool leave;
};

/* Takes tasks until there are none left; the lock is held before and after. */
static void take_tasks(abut_threads *threads)
{
    while (threads->next < threads->tasks) {
        int index = threads->next++;
        pthread_mutex_unlock(&threads->lock);
        threads->task(threads->data, index);
        pthread_mutex_lock(&threads->lock);
        if (--threads->running == 0) pthread_cond_signal(&threads->end);
    }
}

static void *work(void *context)
{
    abut_threads *threads = context;
    pthread_mutex_lock(&threads->lock);
    while (!threads->leave) {
        take_tasks(threads);
        if (!threads->leave) pthread_cond_wait(&threads->begin, &threads->lock);
    }
    pthread_mutex_unlock(&threads->lock);
    return NULL;
}

static void run(void *context, void (*task)(void *data, int index), void *data, int count)
{
    abut_threads *threads = context;
    pthread_mutex_lock(&threads->lock);
    threads->task = task;
    threads->data = data;
    threads->next = 0;
    threads->tasks = threads->running = count;
    pthread_cond_broadcast(&threads->begin);
    take_tasks(threads); /* the thread that asks works, too */
    while (threads->running > 0) pthread_cond_wait(&threads->end, &threads->lock);
    threads->tasks = 0;
    pthread_mutex_unlock(&threads->lock);
}

abut_status abut_threads_create(int count, abut_threads **threads)
{
    if (!threads) return ABUT_INVALID_ARGUMENT;
    *threads = NULL;
    if (count < 1 || count > ABUT_THREADS_MAX) return ABUT_INVALID_ARGUMENT;
    abut_threads *made = calloc(1, sizeof *made);
    if (!made) return ABUT_OUT_OF_MEMORY;
    made->count = count;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->begin, NULL);
    pthread_cond_init(&made->end, NULL);
    for (int i = 0; i < count - 1; ++i) {
        if (pthread_create(&made->thread[i], NULL, work, made) != 0) {
            abut_threads_destroy(made);
            return ABUT_OUT_OF_MEMORY;
        }
        made->started++;
    }
    *threads = made;
    return ABUT_OK;
}

void abut_threads_destroy(abut_threads *threads)
{
    if (!threads) return;
    pthread_mutex_lock(&threads->lock);
    threads->leave = true;
    pthread_cond_broadcast(&threads->begin);
    pthread_mutex_unlock(&threads->lock);
    for (int i = 0; i < threads->started; ++i) pthread_join(threads->thread[i], NULL);
    pthread_cond_destroy(&threads->begin);
    pthread_cond_destroy(&threads->end);
    pthread_mutex_destroy(&threads->lock);
    free(threads);
}

abut_runner abut_threads_runner(abut_threads *threads)
{
    return (abut_runner){threads ? run : NULL, threads};
}

#else

abut_status abut_threads_create(int count, abut_threads **threads)
{
    (void)count;
    if (!threads) return ABUT_INVALID_ARGUMENT;
    *threads = NULL;
    return ABUT_UNSUPPORTED;
}

void abut_threads_destroy(abut_threads *threads)
{
    (void)threads;
}

abut_runner abut_threads_runner(abut_threads *threads)
{
    (void)threads;
    return (abut_runner){NULL, NULL};
}

#endif
