/* Runs a fuzz target over every file of its corpus, so that any compiler can test what fuzzing once found. */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = 0, capacity = 1 << 16;
    uint8_t *data = malloc(capacity);
    while (data) {
        size += fread(data + size, 1, capacity - size, file);
        if (size < capacity) break;
        capacity *= 2;
        uint8_t *larger = realloc(data, capacity);
        if (!larger) free(data);
        data = larger;
    }
    int failed = !data || ferror(file);
    fclose(file);
    if (failed) {
        fprintf(stderr, "%s: cannot read\n", path);
        free(data);
        return 1;
    }
    /* Exactly as large as the input, so that a sanitizer sees a read past its end. */
    uint8_t *exact = realloc(data, size ? size : 1);
    LLVMFuzzerTestOneInput(exact ? exact : data, size);
    free(exact ? exact : data);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: %s CORPUS_DIRECTORY\n", argv[0]);
        return 2;
    }
    DIR *directory = opendir(argv[1]);
    if (!directory) {
        perror(argv[1]);
        return 1;
    }
    int failures = 0, count = 0;
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.') continue;
        char path[4096];
        snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
        failures += replay(path);
        count++;
    }
    closedir(directory);
    printf("%d inputs replayed\n", count);
    return failures || !count;
}
