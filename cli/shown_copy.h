/* Escaped copies of texts (shown.h), for messages and tables that take strings. */
#ifndef SEMLA_CLI_SHOWN_COPY_H
#define SEMLA_CLI_SHOWN_COPY_H

/* The text, or an escaped copy of it, which lives until the process ends. */
const char *shown(const char *text);

#endif
