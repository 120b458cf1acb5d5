/* reckon: runs a small program, given as a text.
 *
 *   reckon FILE [NAME=NUMBER]...
 *
 * Each NAME is a variable that the program finds set. parser.h has the language. Exit status: 0; 1
 * when the program is wrong, or what it does is; 2 when it cannot be read, or its output not be
 * written. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "node.h"
#include "parser.h"

enum { MOST_GIVEN = 16 };

/* The whole file as a text; NULL and errno when that cannot be. */
static char* read_file(const char* path) {
  FILE* file = fopen(path, "r");
  size_t size = 0, capacity = 4096;
  char* text = malloc(capacity);
  if (file == NULL || text == NULL) return NULL;
  for (size_t count = 1; count > 0; size += count) {
    if (size + 1 == capacity) {
      capacity *= 2;
      text = realloc(text, capacity);
      if (text == NULL) return NULL;
    }
    count = fread(text + size, 1, capacity - size - 1, file);
  }
  if (ferror(file)) return NULL;
  fclose(file);
  text[size] = '\0';
  return text;
}

static int usage(void) {
  fputs("usage: reckon FILE [NAME=NUMBER]...\n", stderr);
  return 2;
}

int main(int count, char** arguments) {
  const char* names[MOST_GIVEN];
  int64_t variables[MOST_VARIABLES] = {0};
  struct frame frame = {variables, 0, 0};
  int given = 0;
  char* text;
  if (count < 2 || count - 2 > MOST_GIVEN) return usage();
  for (; given < count - 2; given++) {
    char *equal = strchr(arguments[given + 2], '='), *end;
    if (equal == NULL || equal[1] == '\0') return usage();
    *equal = '\0';
    names[given] = arguments[given + 2];
    errno = 0;
    variables[given] = strtoll(equal + 1, &end, 10);
    if (errno != 0 || *end != '\0') return usage();
  }
  text = read_file(arguments[1]);
  if (text == NULL) {
    fprintf(stderr, "reckon: %s: %s\n", arguments[1], strerror(errno));
    return 2;
  }
  run_statements(parse_program(text, names, given)->body, &frame);
  if (fflush(stdout) != 0 || ferror(stdout)) {
    fputs("reckon: the output cannot be written\n", stderr);
    return 2;
  }
  return 0;
}
