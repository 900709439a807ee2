/* The line of progress. The state below is shared with the thread that redraws the line. */
#include "cli/progress_line.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/numbers.h"
#include "cli/shown.h"

enum { LINE = 512, USUAL_WIDTH = 80, REDRAWS_PER_SECOND = 5 };
static const double first_count = 1; /* seconds of a step, or of a count, before it is shown */

/* How far a call, or a loop of the command, has come. */
typedef struct {
    const char *operation;       /* a static string; NULL: nothing is known */
    uint64_t first, done, total; /* `first` were done at the time `since`; total 0: unknown */
    double since;
} progress_count;

static struct {
    pthread_mutex_t lock;
    bool has_thread, active;
    char text[LINE];
    double start; /* of the step */
    progress_count count, parts;
} line = {.lock = PTHREAD_MUTEX_INITIALIZER};

static volatile sig_atomic_t is_shown; /* something is on the terminal */

/* ---- the terminal ------------------------------------------------------------- */

static bool use_launcher;

/* True for a process that starts ranks and passes their stderr on. */
static bool is_launcher(const char *name)
{
    static const char *const launchers[] = {"mpirun",  "mpiexec",         "orterun",
                                            "prterun", "orted",           "prted",
                                            "prte",    "hydra_pmi_proxy", "mpiexec.hydra"};
    for (size_t k = 0; k < sizeof launchers / sizeof *launchers; k++)
        if (strcmp(name, launchers[k]) == 0)
            return true;
    return false;
}

/* Reads the name and the parent of a process; false if it cannot be read. */
static bool read_process(char name[32], long *parent, long process)
{
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    FILE *file = fopen(path, "r"); /* "123 (name) S 45 ..." */
    if (!file)
        return false;
    const size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *begin = strchr(text, '('), *end = strrchr(text, ')');
    if (!begin || !end || sscanf(end + 1, " %*c %ld", parent) != 1)
        return false;
    snprintf(name, 32, "%.*s", (int)(end - begin - 1), begin + 1);
    return true;
}

/* The terminal that is stderr of a launcher among the ancestors of this process; -1: there is none. */
static int find_launcher_terminal(void)
{
    struct stat file;
    char name[32], path[64];
    if (fstat(STDERR_FILENO, &file) != 0 || !(S_ISFIFO(file.st_mode) || S_ISSOCK(file.st_mode)))
        return -1;
    for (long process = getppid(), parent; process > 1; process = parent) {
        if (!read_process(name, &parent, process) || !is_launcher(name))
            return -1;
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", process, STDERR_FILENO);
        const int fd = open(path, O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
        if (fd >= 0 && isatty(fd))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}

/* The terminal on which stderr appears; -1: there is none. */
static int terminal(void)
{
    static bool known;
    static int found;
    if (!known)
        found = isatty(STDERR_FILENO) ? STDERR_FILENO
                : use_launcher        ? find_launcher_terminal()
                                      : -1;
    known = true;
    return found;
}

void progress_use_launcher(void)
{
    use_launcher = true;
}

bool progress_has_terminal(void)
{
    return terminal() >= 0;
}

static size_t terminal_width(void)
{
    struct winsize size;
    const bool known = ioctl(terminal(), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : USUAL_WIDTH;
}

/* ---- what a line says --------------------------------------------------------------------- */

typedef struct {
    char text[40];
} time_text;

static time_text text_of_time(double seconds)
{
    time_text t;
    const unsigned whole = (unsigned)(seconds + 0.5), minutes = (whole + 30) / 60;
    if (whole < 100)
        snprintf(t.text, sizeof t.text, "%u s", whole);
    else if (minutes < 100)
        snprintf(t.text, sizeof t.text, "%u min", minutes);
    else
        snprintf(t.text, sizeof t.text, "%u h %u min", minutes / 60, minutes % 60);
    return t;
}

/* "5 %, 40 s left", the rest only if the rate is known. */
typedef struct {
    char text[100];
} rest_text;

static rest_text text_of_rest(const progress_count *c, double now)
{
    rest_text t;
    const double most = 1e9, seconds = now - c->since; /* most: 30 years, which an unsigned holds */
    const double part = (double)c->done / (double)c->total;
    const int length = snprintf(t.text, sizeof t.text, "%.0f %%", 100 * fmin(part, 1));
    if (c->done <= c->first || seconds < first_count || part > 1)
        return t;
    const double left = seconds / (double)(c->done - c->first) * (double)(c->total - c->done);
    snprintf(t.text + length, sizeof t.text - (size_t)length, ", %s left",
             text_of_time(fmin(left, most)).text);
    return t;
}

typedef struct {
    char text[240];
} count_text;

/* What prepares a step, for people; NULL: nothing, or the text of the step says it. */
static const char *phase_of(const char *operation)
{
    static const char *const phases[][2] = {{"matrix_from_edges", "building the matrix"},
                                            {"build", "building the matrix"},
                                            {"transpose", "transposing the matrix"},
                                            {"optimize", "preparing the graph"},
                                            {"prepare_paths", "preparing the graph"}};
    for (size_t k = 0; operation && k < sizeof phases / sizeof *phases; k++)
        if (strcmp(operation, phases[k][0]) == 0) {
            const char *phase = phases[k][1];
            return strncmp(line.text, phase, strcspn(phase, " ")) == 0 ? NULL : phase;
        }
    return NULL;
}

/* What follows the text of the step: "" in its first second. */
static count_text text_of_line(double now)
{
    count_text t = {""};
    const progress_count *c = &line.count, *parts = &line.parts;
    const bool bytes = c->operation && strcmp(c->operation, "read") == 0;
    const char *phase = phase_of(c->operation);
    if (now - (parts->total > 0 ? parts->since : line.start) < first_count)
        return t;
    if (parts->total > 0) {
        snprintf(t.text, sizeof t.text, ": %s", text_of_rest(parts, now).text);
        return t;
    }
    const int begun =
        snprintf(t.text, sizeof t.text, ": %s%s", phase ? phase : "", phase ? ", " : "");
    char *rest = t.text + begun;
    const size_t room = sizeof t.text - (size_t)begun;
    if (c->total > 0 && bytes)
        snprintf(rest, room, "%.1f of %.1f MB, %s", 1e-6 * (double)c->done, 1e-6 * (double)c->total,
                 text_of_rest(c, now).text);
    else if (c->total > 0)
        snprintf(rest, room, "%s of %s, %s", text_of_count(c->done).text,
                 text_of_count(c->total).text, text_of_rest(c, now).text);
    else if (c->done > 0 && !bytes)
        snprintf(rest, room, "%s done, %s", text_of_count(c->done).text,
                 text_of_time(now - line.start).text);
    else
        snprintf(rest, room, "%s", text_of_time(now - line.start).text);
    return t;
}

/* Writes the line over the one that is there. In the last column some terminals wrap at once. */
static void draw(void)
{
    const count_text count = text_of_line(seconds_now());
    const size_t width = terminal_width() - 1, length = strlen(count.text);
    if (is_shown)
        fputc('\r', stderr);
    if (length < width)
        put_shown_columns(stderr, line.text, width - length);
    put_shown_columns(stderr, count.text, width);
    fputs(*count.text ? "\033[K" : "", stderr);
    fflush(stderr);
    is_shown = 1;
}

static void erase(void)
{
    if (is_shown)
        fputs("\r\033[K", stderr);
    is_shown = 0;
}

/* ---- the thread --------------------------------------------------------------------------- */

static void *redraw(void *nothing)
{
    const struct timespec pause = {.tv_nsec = 1000000000 / REDRAWS_PER_SECOND};
    for (;;) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&line.lock);
        if (line.active && *text_of_line(seconds_now()).text)
            draw();
        pthread_mutex_unlock(&line.lock);
    }
    return nothing;
}

/* Starts the thread, with all signals blocked: their handlers run in the other threads. Without it the
 * line has no counts. */
static void start_thread(void)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&thread, NULL, redraw, NULL) == 0)
        pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    line.has_thread = true;
}

/* ---- steps -------------------------------------------------------------------------------- */

void progress_show(const char *format, va_list list)
{
    if (terminal() < 0)
        return;
    pthread_mutex_lock(&line.lock);
    erase();
    vsnprintf(line.text, sizeof line.text, format, list);
    line.start = seconds_now();
    line.count = (progress_count){0};
    if (!line.active)
        line.parts = (progress_count){0};
    line.active = true;
    draw();
    if (!line.has_thread)
        start_thread();
    pthread_mutex_unlock(&line.lock);
}

/* Updates a count; a count that starts anew has a rate of its own. */
static void update(progress_count *c, const char *operation, uint64_t done, uint64_t total)
{
    if (!c->operation || strcmp(c->operation, operation) != 0 || c->total != total ||
        done < c->done)
        *c = (progress_count){
            .operation = operation, .first = done, .total = total, .since = seconds_now()};
    c->done = done;
}

void progress_part(uint64_t done, uint64_t total)
{
    pthread_mutex_lock(&line.lock);
    update(&line.parts, "part", done, total);
    pthread_mutex_unlock(&line.lock);
}

void progress_note(const sl_progress *progress)
{
    pthread_mutex_lock(&line.lock);
    if (line.active)
        update(&line.count, progress->operation, progress->done, progress->total);
    pthread_mutex_unlock(&line.lock);
}

void progress_end(void)
{
    pthread_mutex_lock(&line.lock);
    erase();
    line.active = false;
    pthread_mutex_unlock(&line.lock);
}

void progress_end_by_signal(void)
{
    if (is_shown && write(STDERR_FILENO, "\r\033[K", 4) < 0)
        return;
}
