// Scans a text that changes from round to round, sorts its tokens with qsort, prints a checksum.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tokens.h"

static int by_length(const void* a, const void* b) {
  const struct token *x = a, *y = b;
  return x->length != y->length ? x->length - y->length : (int)x->kind - (int)y->kind;
}

static unsigned hash(const char* text, int length) {
  unsigned h = 5381;
  for (int i = 0; i < length; ++i) h = h * 33 + (unsigned char)text[i];
  return h;
}

static unsigned scan(const char* text) {
  struct token tokens[256];
  unsigned sum = 0, n = 0;
  while (*text && n < 256) {
    tokens[n] = next_token(text);
    sum += hash(text, tokens[n].length) >> (tokens[n].kind * 2);
    text += tokens[n++].length;
  }
  qsort(tokens, n, sizeof *tokens, by_length);
  return sum + (unsigned)tokens[n / 2].length;
}

int main(int argc, char** argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 100;
  unsigned sum = 0;
  char text[512];
  for (int i = 0; i < rounds; ++i) {
    snprintf(text, sizeof text,
             "let value%d = (%d + offset) * %d; if value > 17 { print value, %d }", i, i * 7919,
             i % 13, i);
    for (int j = 0; j < 4 && strlen(text) < 400; ++j)
      strcat(text, " while x1 < 100 do x1 = x1 + step");
    sum += scan(text);
  }
  printf("%u\n", sum);
  return 0;
}
