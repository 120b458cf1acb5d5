/* Nodes: a program as a tree. Each node has the function that runs it, so that running a program is
 * calling from node to node; what a node is called for stands beside it.
 *
 * Nodes of expressions return their value. Nodes of statements return whether the function that
 * they are in goes on. Nothing is freed: a program lives as long as the process. */
#ifndef RECKON_NODE_H
#define RECKON_NODE_H

#include <stddef.h>
#include <stdint.h>

enum { GOES_ON = 0, RETURNS = 1 };

enum { MOST_VARIABLES = 64 }; /* of a function */

struct array {
  int64_t* cells;
  int64_t size;
};

/* A call that runs. */
struct frame {
  int64_t* variables;
  int64_t result; /* once it returns */
  int depth;      /* nodes around it, at most: their functions run within one another */
};

struct node;
typedef int64_t run_function(const struct node* node, struct frame* frame);

struct function {
  const char* name;
  size_t name_size;
  int parameters, variables; /* parameters are the first variables */
  const struct node* body;
  int height; /* of the highest node of its body */
  struct function* next;
};

struct node {
  run_function* run;
  const struct node *first, *second, *third; /* what it is made of */
  const struct node* next;                   /* the next statement, or argument */
  int64_t value;                             /* of a number */
  int variable;                              /* of one that is read or assigned */
  int line;
  int height; /* nodes within one another, from here; the first of a block has the block's */
  struct array* array;
  const struct function* function; /* that is called */
};

enum kind {
  NUMBER,   /* value */
  VARIABLE, /* variable */
  ELEMENT,  /* array[first] */
  CALL,     /* function(first, first->next, ...) */
  NEGATE,   /* - first */
  NOT,      /* not first */
  MULTIPLY, /* first * second, and so on */
  DIVIDE,
  REMAINDER,
  ADD,
  SUBTRACT,
  LESS,
  AT_MOST,
  MORE,
  AT_LEAST,
  EQUAL,
  UNEQUAL,
  AND, /* looks at second only if it matters; so does OR */
  OR,
  ASSIGN,         /* variable = first */
  ASSIGN_ELEMENT, /* array[first] = second */
  IF,             /* if first { second } else { third } */
  WHILE,          /* while first { second } */
  PRINT,          /* print first, first->next, ... */
  RETURN,         /* return first */
  EVALUATE,       /* first, for what it does */
};

/* What runs nodes of a kind. */
run_function* runner_of(enum kind kind);

/* Statements, from `node` on: whether the function goes on. */
int64_t run_statements(const struct node* node, struct frame* frame);

/* Says what is wrong in `line` of the program, and ends the process with status 1. */
_Noreturn void fail(int line, const char* format, ...) __attribute__((format(printf, 2, 3)));

#endif
