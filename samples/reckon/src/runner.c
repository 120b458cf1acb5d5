/* What runs each kind of node: functions that nothing but the nodes' pointers lead to. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "node.h"

/* Nodes within one another: what fits into a stack of 8 MB when every one of them is a call, with
 * its variables. */
enum { DEEPEST = 12000 };

_Noreturn void fail(int line, const char* format, ...) {
  va_list arguments;
  fflush(stdout);
  fprintf(stderr, "reckon: line %d: ", line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  exit(1);
}

static _Noreturn void overflow(const struct node* node) {
  fail(node->line, "a number that grows too large");
}

static int64_t first(const struct node* node, struct frame* frame) {
  return node->first->run(node->first, frame);
}

static int64_t second(const struct node* node, struct frame* frame) {
  return node->second->run(node->second, frame);
}

static int64_t number(const struct node* node, struct frame* frame) {
  (void)frame;
  return node->value;
}

static int64_t variable(const struct node* node, struct frame* frame) {
  return frame->variables[node->variable];
}

static int64_t* cell(const struct node* node, struct frame* frame) {
  int64_t at = first(node, frame);
  if (at < 0 || at >= node->array->size)
    fail(node->line, "no element %" PRId64 ": there are %" PRId64, at, node->array->size);
  return &node->array->cells[at];
}

static int64_t element(const struct node* node, struct frame* frame) { return *cell(node, frame); }

static int64_t call(const struct node* node, struct frame* frame) {
  int64_t variables[MOST_VARIABLES];
  struct frame callee = {variables, 0, frame->depth + node->function->height};
  int count = 0;
  if (callee.depth > DEEPEST) fail(node->line, "calls that are too deep");
  for (const struct node* argument = node->first; argument != NULL; argument = argument->next)
    variables[count++] = argument->run(argument, frame);
  while (count < node->function->variables) variables[count++] = 0;
  run_statements(node->function->body, &callee);
  return callee.result;
}

static int64_t negate(const struct node* node, struct frame* frame) {
  int64_t result;
  if (__builtin_sub_overflow((int64_t)0, first(node, frame), &result)) overflow(node);
  return result;
}

static int64_t not(const struct node* node, struct frame* frame) { return !first(node, frame); }

static int64_t multiply(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame), result;
  if (__builtin_mul_overflow(left, second(node, frame), &result)) overflow(node);
  return result;
}

/* -1 is apart: the least number has no opposite. */
static int64_t divide(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame), right = second(node, frame), result;
  if (right == 0) fail(node->line, "a division by 0");
  if (right != -1) return left / right;
  if (__builtin_sub_overflow((int64_t)0, left, &result)) overflow(node);
  return result;
}

static int64_t remainder_of(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame), right = second(node, frame);
  if (right == 0) fail(node->line, "a division by 0");
  return right == -1 ? 0 : left % right;
}

static int64_t add(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame), result;
  if (__builtin_add_overflow(left, second(node, frame), &result)) overflow(node);
  return result;
}

static int64_t subtract(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame), result;
  if (__builtin_sub_overflow(left, second(node, frame), &result)) overflow(node);
  return result;
}

static int64_t less(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame);
  return left < second(node, frame);
}

static int64_t at_most(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame);
  return left <= second(node, frame);
}

static int64_t more(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame);
  return left > second(node, frame);
}

static int64_t at_least(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame);
  return left >= second(node, frame);
}

static int64_t equal(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame);
  return left == second(node, frame);
}

static int64_t unequal(const struct node* node, struct frame* frame) {
  int64_t left = first(node, frame);
  return left != second(node, frame);
}

static int64_t and(const struct node* node, struct frame* frame) {
  return first(node, frame) && second(node, frame);
}

static int64_t or(const struct node* node, struct frame* frame) {
  return first(node, frame) || second(node, frame);
}

static int64_t assign(const struct node* node, struct frame* frame) {
  frame->variables[node->variable] = first(node, frame);
  return GOES_ON;
}

static int64_t assign_element(const struct node* node, struct frame* frame) {
  int64_t value = second(node, frame);
  *cell(node, frame) = value;
  return GOES_ON;
}

static int64_t choose(const struct node* node, struct frame* frame) {
  return run_statements(first(node, frame) ? node->second : node->third, frame);
}

static int64_t repeat(const struct node* node, struct frame* frame) {
  while (first(node, frame))
    if (run_statements(node->second, frame) == RETURNS) return RETURNS;
  return GOES_ON;
}

static int64_t print(const struct node* node, struct frame* frame) {
  for (const struct node* value = node->first; value != NULL; value = value->next)
    printf("%" PRId64 "%c", value->run(value, frame), value->next == NULL ? '\n' : ' ');
  return GOES_ON;
}

static int64_t give_back(const struct node* node, struct frame* frame) {
  frame->result = first(node, frame);
  return RETURNS;
}

static int64_t evaluate(const struct node* node, struct frame* frame) {
  first(node, frame);
  return GOES_ON;
}

int64_t run_statements(const struct node* node, struct frame* frame) {
  for (; node != NULL; node = node->next)
    if (node->run(node, frame) == RETURNS) return RETURNS;
  return GOES_ON;
}

run_function* runner_of(enum kind kind) {
  static run_function* const runners[] = {
      [NUMBER] = number,
      [VARIABLE] = variable,
      [ELEMENT] = element,
      [CALL] = call,
      [NEGATE] = negate,
      [NOT] = not,
      [MULTIPLY] = multiply,
      [DIVIDE] = divide,
      [REMAINDER] = remainder_of,
      [ADD] = add,
      [SUBTRACT] = subtract,
      [LESS] = less,
      [AT_MOST] = at_most,
      [MORE] = more,
      [AT_LEAST] = at_least,
      [EQUAL] = equal,
      [UNEQUAL] = unequal,
      [AND] = and,
      [OR] = or,
      [ASSIGN] = assign,
      [ASSIGN_ELEMENT] = assign_element,
      [IF] = choose,
      [WHILE] = repeat,
      [PRINT] = print,
      [RETURN] = give_back,
      [EVALUATE] = evaluate,
  };
  return runners[kind];
}
