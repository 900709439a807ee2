/* Runs the command in a child process and keeps its output; see run.h. */
#include "run.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

int run_status;
char *run_out, *run_err;
unsigned short run_columns;
char run_folder[32] = "/tmp/semla-test-XXXXXX";

enum { MOST_ARGUMENTS = 40 };

/* ---- files -------------------------------------------------------------- */

const char *in_folder(const char *name)
{
    static char paths[4][320];
    static int turn;
    char *path = paths[turn++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", run_folder, name);
    return path;
}

const char *write_file(const char *name, const char *text)
{
    const char *path = in_folder(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
    return path;
}

char *read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = NULL;
    size_t room = 0;
    if (getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    assert_non_null(text);
    return text;
}

bool file_exists(const char *name)
{
    return access(in_folder(name), F_OK) == 0;
}

/* Calls `visit` for every file of the folder. Returns their number. */
static int visit_files(int (*visit)(const char *path))
{
    DIR *folder = opendir(run_folder);
    assert_non_null(folder);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            count++;
            if (visit)
                visit(in_folder(entry->d_name));
        }
    closedir(folder);
    return count;
}

int files_in_folder(void)
{
    return visit_files(NULL);
}

int run_setup(void **state)
{
    return mkdtemp(run_folder) ? 0 : -1;
}

int run_teardown(void **state)
{
    visit_files(unlink);
    free(run_out);
    free(run_err);
    run_out = run_err = NULL;
    return rmdir(run_folder);
}

/* ---- processes ---------------------------------------------------------- */

static int input = -1; /* stdin of the next run; -1: that of the test */

static pid_t start(char *command, char *arguments, int out, int err)
{
    char *argv[MOST_ARGUMENTS + 2] = {command};
    int argc = 1;
    for (char *word = strtok(arguments, " "); word; word = strtok(NULL, " ")) {
        assert_true(argc <= MOST_ARGUMENTS);
        argv[argc++] = word;
    }
    posix_spawn_file_actions_t actions;
    pid_t child;
    posix_spawn_file_actions_init(&actions);
    if (input >= 0)
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, err, STDERR_FILENO);
    int error = posix_spawn(&child, command, &actions, NULL, argv, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        fail_msg("%s: %s", command, strerror(error));
    return child;
}

static void wait_for(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    run_status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* A temporary file for output. */
static FILE *catcher(void)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    fcntl(fileno(file), F_SETFD, FD_CLOEXEC);
    return file;
}

static char *caught(FILE *file)
{
    char *text = NULL;
    size_t room = 0;
    rewind(file);
    if (getdelim(&text, &room, '\0', file) < 0) {
        free(text);
        text = strdup("");
    }
    fclose(file);
    return text;
}

/* If the descriptor is negative, stdout goes to a temporary file. */
static void run_list(char *command, int descriptor, const char *format, va_list list)
{
    char arguments[2000];
    vsnprintf(arguments, sizeof arguments, format, list);
    FILE *out = catcher(), *err = catcher();
    wait_for(start(command, arguments, descriptor < 0 ? fileno(out) : descriptor, fileno(err)));
    free(run_out);
    free(run_err);
    run_out = caught(out);
    run_err = caught(err);
}

void run(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    run_list(SEMLA_COMMAND, -1, format, list);
    va_end(list);
}

void run_from(const char *path, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    input = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(input >= 0);
    run_list(SEMLA_COMMAND, -1, format, list);
    close(input);
    input = -1;
    va_end(list);
}

void run_from_pipe(const char *path, const char *format, ...)
{
    va_list list;
    int ends[2];
    va_start(list, format);
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t feeder = fork();
    assert_true(feeder >= 0);
    if (feeder == 0) {
        char buffer[4096];
        const int file = open(path, O_RDONLY | O_CLOEXEC);
        close(ends[0]);
        for (ssize_t n; (n = read(file, buffer, sizeof buffer)) > 0;)
            if (write(ends[1], buffer, (size_t)n) != n)
                break;
        _exit(0);
    }
    close(ends[1]);
    input = ends[0];
    run_list(SEMLA_COMMAND, -1, format, list);
    close(ends[0]);
    input = -1;
    waitpid(feeder, NULL, 0);
    va_end(list);
}

static FILE *started_out, *started_err;

pid_t run_start(const char *format, ...)
{
    char arguments[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    started_out = catcher();
    started_err = catcher();
    return start(SEMLA_COMMAND, arguments, fileno(started_out), fileno(started_err));
}

void run_wait(pid_t child)
{
    wait_for(child);
    free(run_out);
    free(run_err);
    run_out = caught(started_out);
    run_err = caught(started_err);
}

void run_to(int descriptor, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    run_list(SEMLA_COMMAND, descriptor, format, list);
    va_end(list);
}

void run_faulty(const char *fault, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    setenv("SEMLA_FAULT", fault, 1);
    run_list(SEMLA_FAULTY, -1, format, list);
    unsetenv("SEMLA_FAULT");
    va_end(list);
}

void run_limited(long bytes, const char *format, ...)
{
    va_list list;
    struct rlimit old, limit;
    va_start(list, format);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
    limit = (struct rlimit){(rlim_t)bytes, old.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    run_list(SEMLA_COMMAND, -1, format, list);
    setrlimit(RLIMIT_FSIZE, &old);
    va_end(list);
}

void run_on_terminal(const char *format, ...)
{
    char arguments[2000];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);

    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
        print_message("skipped: this system has no pseudo-terminals\n");
        skip();
    }
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    assert_true(terminal >= 0);
    const struct winsize size = {.ws_col = run_columns, .ws_row = run_columns ? 24 : 0};
    assert_int_equal(ioctl(terminal, TIOCSWINSZ, &size), 0);
    FILE *out = catcher(), *err = catcher();
    pid_t child = start(SEMLA_COMMAND, arguments, fileno(out), terminal);
    close(terminal);
    char buffer[512];
    for (ssize_t got; (got = read(master, buffer, sizeof buffer)) > 0;) /* EIO at the end */
        fwrite(buffer, 1, (size_t)got, err);
    close(master);
    wait_for(child);
    free(run_out);
    free(run_err);
    run_out = caught(out);
    run_err = caught(err);
}

/* ---- expectations ------------------------------------------------------- */

void expect(int status, const char *out, const char *err)
{
    if (run_status != status || (out && !strstr(run_out, out)) || (err && !strstr(run_err, err)))
        fail_msg("expected exit status %d, stdout with '%s', stderr with '%s'\n"
                 "got %d\n---- stdout\n%.3000s\n---- stderr\n%.3000s",
                 status, out ? out : "", err ? err : "", run_status, run_out, run_err);
}

/* Fails if an object, at any level, has two members of the same name. */
static void expect_distinct_keys(const cJSON *item)
{
    for (const cJSON *member = item->child; member; member = member->next) {
        for (const cJSON *other = member->next; member->string && other; other = other->next)
            if (strcmp(member->string, other->string) == 0)
                fail_msg("the key '%s' occurs twice in one object:\n%.3000s", member->string,
                         run_out);
        expect_distinct_keys(member);
    }
}

cJSON *run_json(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    run_list(SEMLA_COMMAND, -1, format, list);
    va_end(list);
    expect(status, "{", NULL);
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithOpts(run_out, &end, 0);
    if (!root || strcmp(end, "\n") != 0)
        fail_msg("not one JSON text and a line feed:\n%.3000s", run_out);
    expect_distinct_keys(root);
    return root;
}

static const cJSON *member(const cJSON *object, const char *name)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    if (!item)
        fail_msg("the JSON object has no '%s'", name);
    return item;
}

double json_get(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    if (!cJSON_IsNumber(item))
        fail_msg("'%s' is no number", name);
    return item->valuedouble;
}

bool json_is(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    if (!cJSON_IsBool(item))
        fail_msg("'%s' is neither true nor false", name);
    return cJSON_IsTrue(item);
}

const char *json_string(const cJSON *object, const char *name)
{
    const cJSON *item = member(object, name);
    if (!cJSON_IsString(item))
        fail_msg("'%s' is no text", name);
    return item->valuestring;
}
