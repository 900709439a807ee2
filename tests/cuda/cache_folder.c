#include "cache_folder.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char folder[64];

int folder_begin(void **state)
{
    strcpy(folder, "/tmp/semla-cache-XXXXXX");
    return mkdtemp(folder) ? setenv("SEMLA_CACHE_DIR", folder, 1) : -1;
}

int folder_end(void **state)
{
    empty_folder(folder);
    return rmdir(folder);
}

size_t files_in(const char *path, char last[512])
{
    size_t count = 0;
    DIR *listing = opendir(path);
    for (struct dirent *e; listing && (e = readdir(listing));) {
        if (e->d_name[0] == '.')
            continue;
        if (last)
            snprintf(last, 512, "%s/%s", path, e->d_name);
        count++;
    }
    if (listing)
        closedir(listing);
    return count;
}

void empty_folder(const char *path)
{
    char file[512];
    while (files_in(path, file) > 0)
        if (remove(file) != 0)
            fail_msg("cannot remove %s", file);
}

void change_byte(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    int byte = fgetc(file);
    assert_int_equal(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    fputc(byte ^ 0x40, file);
    fclose(file);
}
