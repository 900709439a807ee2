/*
 * Makes the body of a function with fixed parameter names from a definition with names of its own:
 *
 *     void f (double *out, const double *a) { *out = 2 * *a; }
 *
 * becomes
 *
 *     auto semla_0 = z; auto semla_1 = x;
 *     { double *out = semla_0; const double *a = semla_1; { *out = 2 * *a; } }
 *
 * Pointers to void are declared as such, and the body converts them itself.
 */
#include "graphblas/definition.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A name of the header that definitions may use. */
static const char index_type[] = "typedef uint64_t GrB_Index; ";

/* The parameter list and the body of a definition. */
typedef struct {
    const char *parameters, *parameters_end;
    const char *body, *body_end; /* with its braces */
} parts;

static int find_parts(parts *found, const char *definition)
{
    found->parameters = strchr(definition, '(');
    found->body = found->parameters ? strchr(found->parameters, '{') : NULL;
    const char *last = strrchr(definition, '}');
    if (!found->body || !last || last < found->body)
        return 0;
    found->body_end = last + 1;
    for (found->parameters_end = found->body; found->parameters_end > found->parameters;
         found->parameters_end--)
        if (*found->parameters_end == ')')
            break;
    found->parameters++;
    return found->parameters_end >= found->parameters;
}

/* Writes the declaration of each parameter; returns 0 if their number is not that of the names. */
static int write_parameters(FILE *out, const parts *p, const char *const names[])
{
    const char *begin = p->parameters;
    int k = 0;
    for (; names[k]; k++) {
        if (begin > p->parameters_end)
            return 0;
        const char *comma = memchr(begin, ',', (size_t)(p->parameters_end - begin));
        const char *end = comma ? comma : p->parameters_end;
        fprintf(out, "%.*s = semla_%d; ", (int)(end - begin), begin, k);
        begin = end + 1;
    }
    return begin > p->parameters_end;
}

char *grb_body_of(const char *definition, const char *const names[])
{
    parts p;
    char *text = NULL;
    size_t size;
    if (!definition || !find_parts(&p, definition))
        return NULL;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "%s", index_type);
    for (int k = 0; names[k]; k++)
        fprintf(out, "auto semla_%d = %s; ", k, names[k]);
    fprintf(out, "{ ");
    const int complete = write_parameters(out, &p, names);
    fprintf(out, "%.*s }", (int)(p.body_end - p.body), p.body);
    if (fclose(out) != 0 || !complete) {
        free(text);
        return NULL;
    }
    return text;
}

char *grb_text_of_type(const char *definition)
{
    char *text = definition ? malloc(sizeof index_type + strlen(definition)) : NULL;
    if (text) {
        strcpy(text, index_type);
        strcat(text, definition);
    }
    return text;
}
