// A C program of two units: a scanner with a table of static functions behind pointers.
#include "tokens.h"

static int is_blank(int c) { return c == ' ' || c == '\t'; }
static int is_digit(int c) { return c >= '0' && c <= '9'; }
static int is_letter(int c) { return (c | 32) >= 'a' && (c | 32) <= 'z'; }

static const struct {
  int (*accepts)(int);
  enum kind kind;
} classes[] = {{is_blank, BLANK}, {is_digit, NUMBER}, {is_letter, WORD}};

struct token next_token(const char* text) {
  struct token token = {OTHER, 1};
  for (unsigned i = 0; i < sizeof classes / sizeof *classes; ++i) {
    if (!classes[i].accepts(*text)) continue;
    token.kind = classes[i].kind;
    while (classes[i].accepts(text[token.length])) ++token.length;
    return token;
  }
  return token;
}
