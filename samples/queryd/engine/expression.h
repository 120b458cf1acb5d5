// Expression: something to evaluate for each row, a tree of small objects with one virtual
// function. The types of its parts were checked when it was made (Binder), so that evaluating
// checks nothing but null: what is done with null is null. And, or: null only if the other side
// does not decide.
#pragma once

#include <cstdint>

#include "engine/arena.h"
#include "engine/function.h"
#include "engine/syntax.h"
#include "engine/value.h"

namespace queryd {

// Where evaluation finds its values: one current row for each table of the request.
struct Frame {
  const Value** rows;
  Arena& arena;  // for texts that are made
};

class Expression {
 public:
  // Throws RequestError for numbers that grow too large and divisions by 0.
  virtual Value evaluate(const Frame& frame) const = 0;

 protected:
  ~Expression() = default;  // an arena's objects are not destroyed
};

using Operands = List<const Expression*>;

const Expression* make_literal(Arena& arena, const Value& value);
const Expression* make_column(Arena& arena, unsigned slot, unsigned column);
const Expression* make_not(Arena& arena, const Expression* inner);
// Any operation but kNot and kNegate (write 0 - x). `type` is that of comparisons' sides, `at`
// where to say that arithmetic failed.
const Expression* make_binary(Arena& arena, Operation operation, Type type, uint32_t at,
                              const Expression* left, const Expression* right);
const Expression* make_between(Arena& arena, Operands&& what_from_to);
const Expression* make_in(Arena& arena, Operands&& what_and_list);
const Expression* make_is_null(Arena& arena, const Expression* what);
const Expression* make_like(Arena& arena, const Expression* what, const Expression* pattern);
// A pattern that is known beforehand, and kept.
const Expression* make_like(Arena& arena, const Expression* what, std::string_view pattern);
const Expression* make_case(Arena& arena, Operands&& conditions_and_values);
const Expression* make_call(Arena& arena, const Function& function, Operands&& arguments);

}  // namespace queryd
