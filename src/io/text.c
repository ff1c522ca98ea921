#include "io/text.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { WINDOW = 1 << 16, NAME_SHOWN = 100 };

/* ---- messages ---- */

/* A long path keeps its end, where the file's name is. */
static const char *shown_name(const abuti_text *text, const char **dots)
{
    size_t length = strlen(text->name);
    *dots = length > NAME_SHOWN ? "..." : "";
    return length > NAME_SHOWN ? text->name + length - NAME_SHOWN : text->name;
}

static void message(abuti_text *text, bool place, const char *format, va_list arguments)
{
    if (!text->error) return;
    const char *dots, *name = shown_name(text, &dots);
    char *out = text->error->text;
    int used = place ? snprintf(out, ABUT_ERROR_CAPACITY, "%s%s:%d:%d: ", dots, name, text->word_line,
                                text->word_column)
                     : snprintf(out, ABUT_ERROR_CAPACITY, "%s%s: ", dots, name);
    vsnprintf(out + used, ABUT_ERROR_CAPACITY - (size_t)used, format, arguments);
    for (char *c = out; *c != '\0'; ++c)
        if (iscntrl((unsigned char)*c)) *c = '?';
}

bool abuti_text_fail(abuti_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(text, true, format, arguments);
    va_end(arguments);
    return false;
}

bool abuti_text_fail_whole(abuti_text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message(text, false, format, arguments);
    va_end(arguments);
    return false;
}

bool abuti_text_out_of_memory(abuti_text *text)
{
    return abuti_text_fail_whole(text, "out of memory");
}

/* ---- opening ---- */

static void start(abuti_text *text, const char *name, abut_error *error)
{
    *text = (abuti_text){
        .name = name, .error = error, .length = -1, .line = 1, .column = 1, .word_line = 1, .word_column = 1};
    if (error) error->text[0] = '\0';
}

/* The mark that some editors write before UTF-8 is no part of the text. */
static void skip_byte_order_mark(abuti_text *text)
{
    static const unsigned char mark[3] = {0xef, 0xbb, 0xbf};
    if (text->end >= sizeof mark && memcmp(text->bytes, mark, sizeof mark) == 0) text->at = sizeof mark;
}

bool abuti_text_open(abuti_text *text, const char *path, abut_error *error)
{
    bool standard_input = strcmp(path, "-") == 0;
    start(text, standard_input ? "standard input" : path, error);
    struct stat info;
    if (!standard_input) {
        if (stat(path, &info) != 0) return abuti_text_fail_whole(text, "%s", strerror(errno));
        if (S_ISDIR(info.st_mode)) return abuti_text_fail_whole(text, "is a directory; expected a file");
        if (S_ISREG(info.st_mode)) text->length = info.st_size;
    }
    text->file = standard_input ? stdin : fopen(path, "rb");
    if (!text->file) return abuti_text_fail_whole(text, "%s", strerror(errno));
    text->buffer = malloc(WINDOW);
    text->bytes = text->buffer;
    bool fine = text->buffer ? abuti_text_peek(text) >= 0 || abuti_text_fail_whole(text, "the file is empty")
                             : abuti_text_out_of_memory(text);
    if (!fine)
        abuti_text_close(text);
    else
        skip_byte_order_mark(text);
    return fine;
}

bool abuti_text_open_memory(abuti_text *text, const char *name, const void *bytes, size_t size,
                            abut_error *error)
{
    start(text, name, error);
    text->bytes = bytes;
    text->end = size;
    text->length = (long long)size;
    skip_byte_order_mark(text);
    return size > 0 || abuti_text_fail_whole(text, "the file is empty");
}

void abuti_text_close(abuti_text *text)
{
    if (text->file && text->file != stdin) fclose(text->file);
    free(text->buffer);
    text->file = NULL;
    text->buffer = NULL;
    text->bytes = NULL;
    text->at = text->end = 0;
}

/* ---- bytes ---- */

/* Makes the next window current; false at the end. */
static bool refill(abuti_text *text)
{
    if (!text->file || !text->buffer) return false;
    text->before += (long long)text->end;
    text->at = 0;
    text->end = fread(text->buffer, 1, WINDOW, text->file);
    return text->end > 0;
}

int abuti_text_peek(abuti_text *text)
{
    if (text->at == text->end && !refill(text)) return -1;
    return text->bytes[text->at];
}

size_t abuti_text_head(abuti_text *text, const unsigned char **bytes)
{
    *bytes = text->bytes + text->at;
    return text->end - text->at;
}

static void take(abuti_text *text)
{
    if (text->bytes[text->at++] == '\n') {
        text->line++;
        text->column = 1;
    } else {
        text->column++;
    }
}

size_t abuti_text_bytes(abuti_text *text, void *into, size_t size)
{
    if (abuti_text_peek(text) < 0) return 0;
    size_t count = text->end - text->at < size ? text->end - text->at : size;
    memcpy(into, text->bytes + text->at, count);
    for (size_t i = 0; i < count; ++i) take(text);
    return count;
}

/* ---- words ---- */

static bool is_blank(int c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

/* Skips blanks; false at the end, at the end of the line when it must not be left, or when there are
 * absurdly many (the caller then sees a file that ends too early). */
static bool skip_blanks(abuti_text *text, bool stay_in_line)
{
    int c;
    for (int skipped = 0; (c = abuti_text_peek(text)) >= 0 && is_blank(c); ++skipped) {
        if (skipped == ABUTI_BLANKS_MAX || (stay_in_line && c == '\n')) return false;
        take(text);
    }
    return c >= 0;
}

static void take_word(abuti_text *text)
{
    size_t length = 0;
    int c;
    text->too_long = false;
    while ((c = abuti_text_peek(text)) >= 0 && !is_blank(c)) {
        if (length == ABUTI_WORD_MAX) {
            text->too_long = true;
            break;
        }
        text->word[length++] = (char)c;
        take(text);
    }
    text->word[length] = '\0';
    /* A zero byte inside would hide what follows it. */
    if (strlen(text->word) != length) text->too_long = true;
}

static bool next_word(abuti_text *text, bool stay_in_line)
{
    bool found = skip_blanks(text, stay_in_line);
    text->word_line = text->line;
    text->word_column = text->column;
    text->word[0] = '\0';
    if (found) take_word(text);
    return found;
}

bool abuti_text_word(abuti_text *text)
{
    return next_word(text, false);
}

bool abuti_text_word_in_line(abuti_text *text)
{
    return next_word(text, true);
}

void abuti_text_skip_line(abuti_text *text)
{
    int c;
    while ((c = abuti_text_peek(text)) >= 0) {
        take(text);
        if (c == '\n') return;
    }
}

const char *abuti_text_quote(abuti_text *text, char quote[40])
{
    size_t length = 0;
    for (; length < 24 && text->word[length] != '\0'; ++length) {
        unsigned char c = (unsigned char)text->word[length];
        quote[length] = isprint(c) ? (char)c : '?';
    }
    bool cut = text->word[length] != '\0' || text->too_long;
    memcpy(quote + length, cut ? "..." : "", cut ? 4 : 1);
    return quote;
}

bool abuti_text_expect(abuti_text *text, const char *word)
{
    char quote[40];
    if (!abuti_text_word(text)) return abuti_text_fail(text, "the file ends too early; expected '%s'", word);
    if (strcmp(text->word, word) == 0) return true;
    return abuti_text_fail(text, "'%s'; expected '%s'", abuti_text_quote(text, quote), word);
}

/* ---- numbers ---- */

static bool wrong(abuti_text *text, const char *label, const char *expected)
{
    char quote[40];
    if (text->word[0] == '\0' && !text->too_long)
        return abuti_text_fail(text, "the file ends too early: %s is missing; expected %s", label, expected);
    return abuti_text_fail(text, "%s: '%s'; expected %s", label, abuti_text_quote(text, quote), expected);
}

bool abuti_text_integer(abuti_text *text, const char *label, int low, int high, int *value)
{
    char expected[64], *end = NULL;
    bool found = abuti_text_word(text);
    errno = 0;
    long number = strtol(text->word, &end, 10);
    if (!found || text->too_long || end == text->word || *end != '\0' || errno == ERANGE || number < low ||
        number > high) {
        snprintf(expected, sizeof expected, "a whole number from %d to %d", low, high);
        return wrong(text, label, expected);
    }
    *value = (int)number;
    return true;
}

bool abuti_text_number(abuti_text *text, const char *label, double *value)
{
    char *end = NULL;
    bool found = abuti_text_word(text);
    double number = strtod(text->word, &end);
    if (!found || text->too_long || end == text->word || *end != '\0' || !isfinite(number))
        return wrong(text, label, "a finite number");
    *value = number;
    return true;
}

bool abuti_text_has_room(abuti_text *text, const char *label, size_t count)
{
    long long left = text->length - text->before - (long long)text->at;
    if (text->length < 0 || count <= (size_t)(left + 1) / 2) return true;
    text->word_line = text->line;
    text->word_column = text->column;
    return abuti_text_fail(text, "the file ends too early: %zu numbers of %s are due, %lld bytes are left",
                           count, label, left);
}

/* Room for one more item: doubles the capacity, up to count. */
static bool grow(void **items, size_t used, size_t *capacity, size_t count, size_t size)
{
    if (used < *capacity) return true;
    size_t larger = *capacity < 1024 ? 1024 : 2 * *capacity;
    if (larger > count) larger = count;
    void *grown = realloc(*items, larger * size);
    if (!grown) return false;
    *items = grown;
    *capacity = larger;
    return true;
}

static void item_label(char *out, const char *label, size_t index, int rows)
{
    if (rows > 0)
        snprintf(out, ABUTI_LABEL_MAX, "%s[%zu][%zu]", label, index % (size_t)rows, index / (size_t)rows);
    else
        snprintf(out, ABUTI_LABEL_MAX, "%s[%zu]", label, index);
}

bool abuti_text_numbers(abuti_text *text, const char *label, size_t count, int rows, double **values)
{
    void *items = NULL;
    size_t capacity = 0;
    char each[ABUTI_LABEL_MAX];
    bool fine = abuti_text_has_room(text, label, count);
    for (size_t i = 0; fine && i < count; ++i) {
        item_label(each, label, i, rows);
        fine = grow(&items, i, &capacity, count, sizeof(double))
                   ? abuti_text_number(text, each, (double *)items + i)
                   : abuti_text_out_of_memory(text);
    }
    if (!fine) {
        free(items);
        items = NULL;
    }
    *values = items;
    return fine;
}

bool abuti_text_integers(abuti_text *text, const char *label, size_t count, int low, int high, int **values)
{
    void *items = NULL;
    size_t capacity = 0;
    char each[ABUTI_LABEL_MAX];
    bool fine = abuti_text_has_room(text, label, count);
    for (size_t i = 0; fine && i < count; ++i) {
        item_label(each, label, i, 0);
        fine = grow(&items, i, &capacity, count, sizeof(int))
                   ? abuti_text_integer(text, each, low, high, (int *)items + i)
                   : abuti_text_out_of_memory(text);
    }
    if (!fine) {
        free(items);
        items = NULL;
    }
    *values = items;
    return fine;
}
