/* Labels, file names and arguments with characters that control a terminal: no command prints one. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sets a title, moves the cursor by a control of 8 bits, deletes, reverses the text, ends the line. */
#define TITLE "\033]0;x\007"
#define CSI                                                                                        \
    "\xc2\x9b"                                                                                     \
    "31m"
#define DELETE "d\x7f"
#define OVERRIDE                                                                                   \
    "\xe2\x80\xae"                                                                                 \
    "fdp"
#define ISOLATE                                                                                    \
    "\xe2\x81\xa6"                                                                                 \
    "i"
#define MARK                                                                                       \
    "\xe2\x80\x8f"                                                                                 \
    "m"
#define LINE                                                                                       \
    "a\xe2\x80\xa8"                                                                                \
    "b"
#define LETTERS                                                                                    \
    "Gr\xc3\xbc\xc3\x9f"                                                                           \
    "e" /* stay as they are, as do the next */
#define MORE "\xe6\x97\xa5\xf0\x9f\x98\x80\xd7\xa9"

static const char table[] =
    "from,to,km\n" TITLE "," CSI ",1\n" CSI "," DELETE ",2\n" DELETE "," OVERRIDE ",3\n" OVERRIDE
    "," LETTERS ",4\n" LETTERS "," MORE ",5\n" MORE "," TITLE ",6\n" ISOLATE "," MARK ",7\n" MARK
    "," LINE ",8\n" LINE "," TITLE ",9\n";

/* Fails if a text holds a control character besides line feeds, and tabs in JSON, an invalid byte, or
 * a character that changes the direction or the lines of a text. */
static void expect_harmless(const char *text, const char *what)
{
    static const char *const sequences[] = {
        "\xd8\x9c",     "\xe2\x80\x8e", "\xe2\x80\x8f", "\xe2\x80\xa8", "\xe2\x80\xa9",
        "\xe2\x80\xaa", "\xe2\x80\xab", "\xe2\x80\xac", "\xe2\x80\xad", "\xe2\x80\xae",
        "\xe2\x81\xa6", "\xe2\x81\xa7", "\xe2\x81\xa8", "\xe2\x81\xa9"};
    for (const unsigned char *byte = (const unsigned char *)text; *byte; byte++) {
        const bool control = (*byte < ' ' && *byte != '\n' && *byte != '\t') || *byte == 0x7f;
        if (control || (byte[0] == 0xc2 && byte[1] < 0xa0) || *byte == 0xff)
            fail_msg("%s: byte %02x at %d of\n%s", what, *byte, (int)((const char *)byte - text),
                     text);
    }
    for (size_t k = 0; k < sizeof sequences / sizeof *sequences; k++)
        if (strstr(text, sequences[k]))
            fail_msg("%s: a mark of the direction in\n%s", what, text);
}

/* Runs a command, of which %s is the graph. */
static void run_harmless(int status, const char *format, const char *graph)
{
    char arguments[1000];
    snprintf(arguments, sizeof arguments, format, graph);
    run("%s", arguments);
    expect(status, NULL, NULL);
    expect_harmless(run_out, arguments);
    expect_harmless(run_err, arguments);
    assert_true(*run_out || *run_err);
}

static void test_labels(void **state)
{
    static const char *const commands[] = {
        "bfs %s --source " TITLE " --target " OVERRIDE " --target " LINE,
        "bfs %s --source " CSI " --validate",
        "run components %s --symmetric --check",
        "run sssp %s --source " CSI " --weight-column km --check",
        "run pagerank %s",
        "run betweenness %s",
        "run multi-source-bfs %s --source " TITLE " --source " OVERRIDE " --source " MARK,
        "run st-connected %s --symmetric --source " TITLE " --target " LETTERS,
        "run pseudo-diameter %s --symmetric",
        "info %s",
        "parity %s --searches 3",
    };
    static const char *const failures[] = {
        "bfs %s --source nowhere" TITLE, "run sssp %s --source " DELETE "x",
        "bfs %s --source " TITLE "\xff", "bfs %s --source " TITLE " --target x" OVERRIDE};
    const char *graph = write_file("labels.csv", table);
    char as_json[400];
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++) {
        run_harmless(0, commands[k], graph);
        snprintf(as_json, sizeof as_json, "%s --json", commands[k]);
        run_harmless(0, as_json, graph);
    }
    for (size_t k = 0; k < sizeof failures / sizeof *failures; k++) {
        run_harmless(1, failures[k], graph);
        snprintf(as_json, sizeof as_json, "%s --json", failures[k]);
        run_harmless(1, as_json, graph);
    }
}

/* The escapes, and letters that stay. */
static void test_escapes(void **state)
{
    const char *graph = write_file("labels.csv", table);
    run("run pagerank %s", graph);
    expect(0, "\\x1b]0;x\\x07  0.", NULL);
    expect(0, "\\u009b31m  0.", NULL);
    expect(0, "d\\x7f  0.", NULL);
    expect(0, "\\u202efdp  0.", NULL);
    expect(0, LETTERS "  ", NULL);
    expect(0, MORE "  ", NULL);
    cJSON *json = run_json(0, "bfs %s --source " CSI " --target " OVERRIDE " --json", graph);
    assert_string_equal(json_string(json, "source"), CSI);
    expect(0, "\\u009b31m", NULL);
    expect(0, "\\u202efdp", NULL);
    cJSON_Delete(json);
    run("bfs %s --source x" TITLE, graph);
    expect(1, NULL, "source 'x\\x1b]0;x\\x07' is not a vertex");
    run("bfs g\xff" TITLE "\n" LETTERS ".mtx");
    expect(1, NULL, "semla bfs: g\\xff\\x1b]0;x\\x07\\x0a" LETTERS ".mtx: cannot open");
}

/* Names of files, which the library's messages contain too, and words of the command line. */
static void test_names(void **state)
{
    static const char *const commands[] = {
        "bfs g" TITLE ".mtx",
        "run components g" OVERRIDE "\n.csv",
        "info g" CSI ".mtx.gz",
        "convert g" DELETE ".mtx x.mtx",
        "convert g" DELETE ".mtx x.mtx --json",
        "generate path:4 -o /nowhere" TITLE "/x.mtx",
        "report path:4 -o /nowhere" OVERRIDE "/x.html",
        "validate path:4 --source 0 --tree t" TITLE,
        "validate path:4 --source 0 --levels t" TITLE ".npy",
        "parity g" MARK ".mtx",
        "bfs path:4 --output /nowhere" CSI "/x --source 0",
        "run sssp path:4 --source 0 --out /nowhere" CSI "/x.npy",
        "run pagerank path:4 --personalisation p" TITLE,
    };
    static const char *const usage[] = {
        "x" TITLE,
        "help x" OVERRIDE,
        "help bfs x" OVERRIDE,
        "run x" TITLE " path:4",
        "bfs path:4 --x" TITLE,
        "bfs path:4 -\033",
        "bfs path:4 -\xc2\x9b",
        "bfs path:4 --source x" TITLE,
        "bfs path:4 x" TITLE,
        "bfs path:4 --engine x" CSI,
        "bfs path:4 --direction x" CSI,
        "bfs path:4 --grid x" CSI,
        "bfs path:4 --max-memory x" CSI,
        "bfs path:4 --timeout x" CSI,
        "bfs kronecker:scale=x" TITLE,
        "bfs kronecker:s" OVERRIDE "=4",
        "bfs kronek" TITLE ":4",
        "graph500 --scale x" TITLE,
        "run sssp path:4 --source 0 --out " TITLE ".npy --parents " TITLE ".npy",
    };
    for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
        run_harmless(1, commands[k], "");
    for (size_t k = 0; k < sizeof usage / sizeof *usage; k++) {
        run("%s", usage[k]);
        expect_harmless(run_out, usage[k]);
        expect_harmless(run_err, usage[k]);
        if (run_status == 0)
            fail_msg("%s: succeeds", usage[k]);
    }
    setenv("SEMLA_ENGINE", "x" TITLE, 1);
    run_harmless(1, "bfs path:4%s", "");
    unsetenv("SEMLA_ENGINE");
}

/* Files of such names that exist: results, messages about files, and the comment of a tree. */
static void test_files(void **state)
{
    char name[400];
    snprintf(name, sizeof name, "%s", in_folder("g" TITLE "\n" OVERRIDE ".mtx"));
    run_harmless(0, "generate path:4 -o %s", name);
    run_harmless(0, "generate path:4 --json --force -o %s", name);
    run_harmless(1, "generate path:4 -o %s", name);
    run_harmless(0, "info %s", name);
    run_harmless(0, "bfs %s --source 0", name);
    run_harmless(0, "bfs %s --source 0 --output -", name);
    run_harmless(0, "run components %s", name);
    run_harmless(0, "parity %s --searches 1", name);
    run_harmless(0, "convert path:4 --force %s", name);
    run_harmless(0, "report path:4 --roots 1 --force -o %s", name);
    write_file("g" TITLE "\n" OVERRIDE ".mtx", "%%MatrixMarket nonsense\n");
    run_harmless(1, "info %s", name);
    write_file("g" TITLE "\n" OVERRIDE ".mtx",
               "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 " TITLE " 3\n");
    run_harmless(1, "info %s", name);
}

/* The line of progress, which itself begins and ends with a control sequence that erases it. */
static void test_progress(void **state)
{
    char text[4000] = "";
    const char *at, *erase = "\r\033[K";
    char name[400];
    snprintf(name, sizeof name, "%s", in_folder("g" TITLE CSI ".mtx"));
    run("generate path:4 -o %s", name);
    run_columns = 200;
    run_on_terminal("bfs %s --source 0", name);
    expect(0, NULL, "reading ");
    expect(0, NULL, "\\x1b]0;x\\x07\\u009b31m.mtx");
    for (at = run_err; *at && strlen(text) + 1 < sizeof text; at++)
        if (strncmp(at, erase, strlen(erase)) == 0)
            at += strlen(erase) - 1;
        else
            text[strlen(text)] = *at;
    expect_harmless(text, "progress");
}

/* True if the line of progress once said: text, then a count of a total and per cent. The time left follows where the
 * phase goes on for long enough to tell. */
static bool showed_count(const char *text, const char *total)
{
    char of[100];
    snprintf(of, sizeof of, " of %s, ", total);
    for (const char *at = run_err; (at = strstr(at, text)); at++) {
        const char *end = strstr(at, "\033[K"), *count = strstr(at, of),
                   *per_cent = strstr(at, " %");
        if (end && count && count < per_cent && per_cent < end)
            return true;
    }
    return false;
}

/* What takes longer than a second shows how far it has come, on a terminal only; the line is erased. */
static void test_counts(void **state)
{
    const char *search = "run betweenness kronecker:13 --threads 1", *erased = "\r\033[K";
    run_columns = 100;
    run_on_terminal("%s", search);
    expect(0, "betweenness", NULL);
    if (!showed_count("betweenness of kronecker:13: ", "8,192"))
        fail_msg("no count in %s", run_err);
    assert_non_null(strstr(run_err, " left\033[K"));
    assert_string_equal(run_err + strlen(run_err) - strlen(erased), erased);
    run("%s --samples 4000", search);
    expect(0, "betweenness", NULL);
    assert_string_equal(run_err, "");
    run_on_terminal("%s --samples 4000 --quiet", search);
    assert_string_equal(run_err, "");
    run_on_terminal("run local-clustering kronecker:15 --check --threads 1");
    expect(0, "ok, by", NULL);
    if (!showed_count("checking the result: ", "32,768"))
        fail_msg("no count in %s", run_err);
    assert_string_equal(run_err + strlen(run_err) - strlen(erased), erased);
    run_on_terminal("run components kronecker:20 --threads 1");
    expect(0, "Components", NULL);
    if (!showed_count("generating kronecker:20: ", "16,777,216"))
        fail_msg("no count in %s", run_err);
    if (!strstr(run_err, "generating kronecker:20: building the matrix, "))
        fail_msg("no phase in %s", run_err);
    run_on_terminal("graph500 --scale 17 --roots 200 --threads 1");
    expect(0, "NBFS", " %, ");
    expect(0, NULL, " left\033[K");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_labels),   cmocka_unit_test(test_escapes),
        cmocka_unit_test(test_names),    cmocka_unit_test(test_files),
        cmocka_unit_test(test_progress), cmocka_unit_test(test_counts)};
    return cmocka_run_group_tests(tests, run_setup, run_teardown);
}
