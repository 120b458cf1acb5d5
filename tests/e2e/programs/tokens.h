// What the scanner in tokens.c finds in a text.
enum kind { BLANK, NUMBER, WORD, OTHER };
struct token {
  enum kind kind;
  int length;
};
struct token next_token(const char* text);
