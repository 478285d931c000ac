/* Reads the .txt files of tests/oracle, numbers that other programs computed: lines of words and
   numbers, split at spaces. The tests run from the root of the repository. */
#ifndef SPC_ORACLE_H
#define SPC_ORACLE_H

#include "test.h"

/* --------------------------------------------------------------------------- oracle files ----- */

#define MOST_FIELDS 80

typedef struct reader {
    FILE *file;
    char line[4096];
    char *field[MOST_FIELDS];
    int count;
} reader;

static inline reader open_oracle(const char *name)
{
    char path[100];
    reader r;
    memset(&r, 0, sizeof r);
    snprintf(path, sizeof path, "tests/oracle/%s", name);
    r.file = fopen(path, "r");
    CHECK(r.file != NULL);
    return r;
}

static inline void close_oracle(reader *r)
{
    if (r->file)
        fclose(r->file);
}

/* The next line with something in it, split at its spaces; false at the end of the file. */
static inline bool next_line(reader *r)
{
    while (r->file && fgets(r->line, (int)sizeof r->line, r->file)) {
        char *at;
        CHECK(strchr(r->line, '\n') != NULL);
        r->count = 0;
        for (at = strtok(r->line, " \n"); at && r->count < MOST_FIELDS; at = strtok(NULL, " \n"))
            r->field[r->count++] = at;
        CHECK(!at);
        if (r->count > 0 && r->field[0][0] != '#')
            return true;
    }
    return false;
}

static inline bool line_is(const reader *r, const char *key)
{
    return !strcmp(r->field[0], key);
}

/* A field's number; NaN, which no check lets pass, if it is none. */
static inline double number(const reader *r, int i)
{
    char *end = NULL;
    const double x = i < r->count ? strtod(r->field[i], &end) : 0;
    return end && !*end ? x : (double)NAN;
}

static inline int whole(const reader *r, int i)
{
    const double x = number(r, i);
    CHECK(x >= 0 && x <= MOST);
    return x >= 0 && x <= MOST ? (int)x : 0;
}

static inline void numbers(const reader *r, int from, int count, double *out)
{
    int i;
    out[0] = 0; /* where there are none, too */
    for (i = 0; i < count; i++)
        out[i] = number(r, from + i);
}

/* A name that does not fit is cut, and found by nobody. */
static inline void keep_name(const reader *r, int i, char *name, size_t size)
{
    snprintf(name, size, "%s", i < r->count ? r->field[i] : "?");
}

#endif
