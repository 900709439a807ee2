/* Runs a fuzz target on files and folders of files, without libFuzzer; used by ctest. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "fuzz.h"

static int runs;

static void run_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data =
        malloc(size + 1); /* no spare bytes, so that a sanitizer finds reads past the end */
    if (!file || !data || fread(data, 1, size, file) != size) {
        fprintf(stderr, "%s: cannot read the file\n", path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
    uint8_t *input = realloc(data, size > 0 ? size : 1);
    printf("%s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(input ? input : data, size);
    free(input ? input : data);
    runs++;
}

static void run(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0) {
        fprintf(stderr, "%s: file not found\n", path);
        exit(EXIT_FAILURE);
    }
    if (!S_ISDIR(file.st_mode)) {
        run_file(path, (size_t)file.st_size);
        return;
    }
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    for (int k = 0; k < count; k++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/%s", path, entries[k]->d_name);
        if (entries[k]->d_name[0] != '.')
            run(name);
        free(entries[k]);
    }
    if (count >= 0)
        free(entries);
}

int main(int argc, char **argv)
{
    for (int k = 1; k < argc; k++)
        run(argv[k]);
    sl_context_free(fuzz_context());
    printf("%d inputs\n", runs);
    return runs > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
