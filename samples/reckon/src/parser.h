/* Parser: the text of a program -> its nodes.
 *
 *   function NAME(NAME, ...) { STATEMENT ... }      array NAME[SIZE]
 *   NAME = E      NAME[E] = E      print E, ...      return E      NAME(E, ...)
 *   if E { STATEMENT ... } else { STATEMENT ... }   while E { STATEMENT ... }
 *
 * E, from what binds last: or; and; not; < <= > >= = <>; + -; * / %; -, (E), numbers, names. #
 * begins a comment. Functions and arrays are known everywhere below their first line, variables
 * only in their function, where they begin as 0. */
#ifndef RECKON_PARSER_H
#define RECKON_PARSER_H

#include "node.h"

/* The statements outside of functions, as a function of no parameters but those in `given`: names
 * with which the program is started, and which are its first variables. Fails as fail() does. */
struct function* parse_program(const char* text, const char* const* given, int given_count);

#endif
