#include "parser.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 1000 };

struct name {
  const char* text;
  size_t size;
  int line;
};

struct named_array {
  struct name name;
  struct array array;
  struct named_array* next;
};

struct parser {
  const char* at; /* the token that is next: text, size */
  size_t size;
  int line;
  int depth; /* expressions and blocks within one another */
  struct function* functions;
  struct named_array* arrays;
  struct function* current;
  struct name variables[MOST_VARIABLES]; /* of the current function */
};

static struct node* parse_statements(struct parser* parser);
static struct node* parse_expression(struct parser* parser);
static struct node* parse_operators(struct parser* parser, int weakest);

static void* allocate(size_t count, size_t size) {
  void* memory = calloc(count, size);
  if (memory == NULL) fail(0, "out of memory");
  return memory;
}

/* ---- tokens ---- */

static bool starts_name(char c) { return isalpha((unsigned char)c) || c == '_'; }

static void advance(struct parser* parser) {
  const char* at = parser->at + parser->size;
  for (;; at++) {
    if (*at == '#') at += strcspn(at, "\n");
    if (*at == '\n') parser->line++;
    if (*at == '\0' || !isspace((unsigned char)*at)) break;
  }
  parser->at = at;
  if (*at == '\0') {
    parser->size = 0;
  } else if (starts_name(*at)) {
    parser->size = 1;
    while (starts_name(at[parser->size]) || isdigit((unsigned char)at[parser->size]))
      parser->size++;
  } else if (isdigit((unsigned char)*at)) {
    parser->size = strspn(at, "0123456789");
  } else {
    parser->size =
        strncmp(at, "<=", 2) == 0 || strncmp(at, ">=", 2) == 0 || strncmp(at, "<>", 2) == 0 ? 2 : 1;
  }
}

static bool is_next(const struct parser* parser, const char* token) {
  return strlen(token) == parser->size && memcmp(parser->at, token, parser->size) == 0;
}

static bool take(struct parser* parser, const char* token) {
  if (!is_next(parser, token)) return false;
  advance(parser);
  return true;
}

static _Noreturn void expected(const struct parser* parser, const char* what) {
  if (parser->size == 0) fail(parser->line, "%s expected, the end found", what);
  fail(parser->line, "%s expected, '%.*s' found", what, (int)parser->size, parser->at);
}

static void expect(struct parser* parser, const char* token) {
  if (!take(parser, token)) expected(parser, token);
}

static struct name take_name(struct parser* parser) {
  struct name name = {parser->at, parser->size, parser->line};
  if (!starts_name(*parser->at)) expected(parser, "a name");
  advance(parser);
  return name;
}

static int64_t take_number(struct parser* parser) {
  int64_t number = 0;
  if (!isdigit((unsigned char)*parser->at)) expected(parser, "a number");
  for (size_t i = 0; i < parser->size; i++)
    if (__builtin_mul_overflow(number, 10, &number) ||
        __builtin_add_overflow(number, parser->at[i] - '0', &number))
      fail(parser->line, "a number that is too large");
  advance(parser);
  return number;
}

/* ---- names ---- */

static bool is_same(struct name a, struct name b) {
  return a.size == b.size && memcmp(a.text, b.text, a.size) == 0;
}

static struct function* find_function(struct parser* parser, struct name name) {
  struct function* function = parser->functions;
  while (function != NULL && !is_same((struct name){function->name, function->name_size, 0}, name))
    function = function->next;
  return function;
}

static struct array* find_array(struct parser* parser, struct name name) {
  struct named_array* array = parser->arrays;
  while (array != NULL && !is_same(array->name, name)) array = array->next;
  return array == NULL ? NULL : &array->array;
}

/* -1: there is none. */
static int find_variable(struct parser* parser, struct name name) {
  int variable = parser->current->variables - 1;
  while (variable >= 0 && !is_same(parser->variables[variable], name)) variable--;
  return variable;
}

static int add_variable(struct parser* parser, struct name name) {
  if (parser->current->variables == MOST_VARIABLES)
    fail(parser->line, "more than %d variables in a function", MOST_VARIABLES);
  parser->variables[parser->current->variables] = name;
  return parser->current->variables++;
}

/* ---- expressions ---- */

enum { NOT_STRENGTH = 2, OPERAND_STRENGTH = 6 }; /* beside those of `operators` */

static struct node* make_at(int line, enum kind kind) {
  struct node* node = allocate(1, sizeof *node);
  node->run = runner_of(kind);
  node->line = line;
  node->height = 1;
  return node;
}

static struct node* make(const struct parser* parser, enum kind kind) {
  return make_at(parser->line, kind);
}

/* `child`, which becomes a part of `node`. Running a node runs its parts within it: a text that is
 * long is no reason to run out of stack. */
static struct node* part(struct node* node, struct node* child) {
  if (child != NULL && node->height <= child->height) node->height = child->height + 1;
  if (node->height > DEEPEST) fail(node->line, "an expression or block that is too deep");
  return child;
}

static struct node* parse_call(struct parser* parser, struct name name) {
  struct node* call = make_at(name.line, CALL);
  const struct node** link = &call->first;
  int arguments = 0;
  call->function = find_function(parser, name);
  if (call->function == NULL) fail(name.line, "no function '%.*s'", (int)name.size, name.text);
  expect(parser, "(");
  while (!is_next(parser, ")")) {
    struct node* argument = part(call, parse_expression(parser));
    *link = argument;
    link = &argument->next;
    arguments++;
    if (!take(parser, ",")) break;
  }
  if (arguments != call->function->parameters)
    fail(name.line, "%.*s takes %d values, not %d", (int)name.size, name.text,
         call->function->parameters, arguments);
  expect(parser, ")");
  return call;
}

static struct node* parse_element(struct parser* parser, struct name name) {
  struct node* element = make_at(name.line, ELEMENT);
  element->array = find_array(parser, name);
  if (element->array == NULL) fail(name.line, "no array '%.*s'", (int)name.size, name.text);
  expect(parser, "[");
  element->first = part(element, parse_expression(parser));
  expect(parser, "]");
  return element;
}

static struct node* parse_operand(struct parser* parser) {
  struct node* node;
  struct name name;
  if (take(parser, "-")) {
    node = make(parser, NEGATE);
    node->first = part(node, parse_operators(parser, OPERAND_STRENGTH));
    return node;
  }
  if (take(parser, "(")) {
    node = parse_expression(parser);
    expect(parser, ")");
    return node;
  }
  if (isdigit((unsigned char)*parser->at)) {
    node = make(parser, NUMBER);
    node->value = take_number(parser);
    return node;
  }
  name = take_name(parser);
  if (is_next(parser, "(")) return parse_call(parser, name);
  if (is_next(parser, "[")) return parse_element(parser, name);
  node = make_at(name.line, VARIABLE);
  node->variable = find_variable(parser, name);
  if (node->variable < 0) fail(name.line, "no variable '%.*s'", (int)name.size, name.text);
  return node;
}

/* Operators of two sides, by how strongly they bind; `not` stands between AND and the comparisons.
 */
static const struct {
  const char* sign;
  enum kind kind;
  int strength;
} operators[] = {
    {"or", OR, 0},       {"and", AND, 1},     {"<", LESS, 3},     {"<=", AT_MOST, 3},
    {">", MORE, 3},      {">=", AT_LEAST, 3}, {"=", EQUAL, 3},    {"<>", UNEQUAL, 3},
    {"+", ADD, 4},       {"-", SUBTRACT, 4},  {"*", MULTIPLY, 5}, {"/", DIVIDE, 5},
    {"%", REMAINDER, 5},
};
enum { OPERATORS = sizeof operators / sizeof operators[0] };

static struct node* parse_operators(struct parser* parser, int weakest) {
  struct node *left, *both;
  if (++parser->depth > DEEPEST) fail(parser->line, "an expression or block that is too deep");
  if (weakest <= NOT_STRENGTH && take(parser, "not")) {
    left = make(parser, NOT);
    left->first = part(left, parse_operators(parser, NOT_STRENGTH));
  } else {
    left = parse_operand(parser);
  }
  for (int i = 0; i < OPERATORS; i++) {
    if (operators[i].strength < weakest || !is_next(parser, operators[i].sign)) continue;
    both = make(parser, operators[i].kind);
    advance(parser);
    both->first = part(both, left);
    both->second = part(both, parse_operators(parser, operators[i].strength + 1));
    left = both;
    i = -1; /* and once more */
  }
  parser->depth--;
  return left;
}

static struct node* parse_expression(struct parser* parser) { return parse_operators(parser, 0); }

/* ---- statements ---- */

static struct node* parse_assignment(struct parser* parser) {
  struct name name = take_name(parser);
  struct node* node;
  int variable;
  if (is_next(parser, "(")) {
    node = make(parser, EVALUATE);
    node->first = part(node, parse_call(parser, name));
    return node;
  }
  if (is_next(parser, "[")) {
    node = parse_element(parser, name);
    node->run = runner_of(ASSIGN_ELEMENT);
    expect(parser, "=");
    node->second = part(node, parse_expression(parser));
    return node;
  }
  node = make(parser, ASSIGN);
  expect(parser, "=");
  node->first = part(node, parse_expression(parser));
  variable = find_variable(parser, name);
  node->variable = variable >= 0 ? variable : add_variable(parser, name);
  return node;
}

static struct node* parse_block(struct parser* parser) {
  struct node* block;
  if (++parser->depth > DEEPEST) fail(parser->line, "an expression or block that is too deep");
  expect(parser, "{");
  block = parse_statements(parser);
  expect(parser, "}");
  parser->depth--;
  return block;
}

static struct node* parse_print(struct parser* parser) {
  struct node* print = make(parser, PRINT);
  const struct node** link = &print->first;
  do {
    struct node* value = part(print, parse_expression(parser));
    *link = value;
    link = &value->next;
  } while (take(parser, ","));
  return print;
}

static struct node* parse_statement(struct parser* parser) {
  struct node* node;
  if (take(parser, "print")) return parse_print(parser);
  if (take(parser, "if")) {
    node = make(parser, IF);
    node->first = part(node, parse_expression(parser));
    node->second = part(node, parse_block(parser));
    if (take(parser, "else")) node->third = part(node, parse_block(parser));
    return node;
  }
  if (take(parser, "while")) {
    node = make(parser, WHILE);
    node->first = part(node, parse_expression(parser));
    node->second = part(node, parse_block(parser));
    return node;
  }
  if (take(parser, "return")) {
    node = make(parser, RETURN);
    node->first = part(node, parse_expression(parser));
    return node;
  }
  return parse_assignment(parser);
}

static void parse_function(struct parser* parser) {
  struct name name = take_name(parser), outer_variables[MOST_VARIABLES];
  struct function *outer = parser->current, *function = allocate(1, sizeof *function);
  struct node* body;
  if (find_function(parser, name) != NULL)
    fail(name.line, "a second function '%.*s'", (int)name.size, name.text);
  memcpy(outer_variables, parser->variables, sizeof outer_variables);
  function->name = name.text;
  function->name_size = name.size;
  function->next = parser->functions;
  parser->functions = parser->current = function;
  expect(parser, "(");
  while (!is_next(parser, ")")) {
    add_variable(parser, take_name(parser));
    if (!take(parser, ",")) break;
  }
  function->parameters = function->variables;
  expect(parser, ")");
  body = parse_block(parser);
  function->body = body;
  function->height = body == NULL ? 0 : body->height;
  parser->current = outer;
  memcpy(parser->variables, outer_variables, sizeof outer_variables);
}

static void parse_array(struct parser* parser) {
  struct named_array* array = allocate(1, sizeof *array);
  array->name = take_name(parser);
  if (find_array(parser, array->name) != NULL)
    fail(array->name.line, "a second array '%.*s'", (int)array->name.size, array->name.text);
  expect(parser, "[");
  array->array.size = take_number(parser);
  if (array->array.size > 1 << 24) fail(parser->line, "an array that is too large");
  array->array.cells = allocate((size_t)array->array.size + 1, sizeof *array->array.cells);
  expect(parser, "]");
  array->next = parser->arrays;
  parser->arrays = array;
}

/* Up to a closing brace, or the end. */
static struct node* parse_statements(struct parser* parser) {
  struct node *statements = NULL, *last = NULL;
  while (parser->size > 0 && !is_next(parser, "}")) {
    struct node* statement;
    if (take(parser, "function")) {
      parse_function(parser);
    } else if (take(parser, "array")) {
      parse_array(parser);
    } else {
      statement = parse_statement(parser);
      if (last == NULL)
        statements = statement;
      else
        last->next = statement;
      last = statement;
      if (statements->height < statement->height) statements->height = statement->height;
    }
  }
  return statements;
}

struct function* parse_program(const char* text, const char* const* given, int given_count) {
  struct function* program = allocate(1, sizeof *program);
  struct parser parser = {.at = text, .line = 1, .current = program};
  for (int i = 0; i < given_count; i++)
    add_variable(&parser, (struct name){given[i], strlen(given[i]), 0});
  program->parameters = program->variables;
  advance(&parser);
  program->body = parse_statements(&parser);
  if (parser.size > 0) expected(&parser, "a statement");
  return program;
}
