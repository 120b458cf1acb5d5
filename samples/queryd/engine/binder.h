// Binder: an expression's syntax -> the expression. Looks names up, checks types, evaluates what
// depends on no row.
#pragma once

#include <cstdint>
#include <string_view>

#include "engine/arena.h"
#include "engine/expression.h"
#include "engine/syntax.h"
#include "engine/table.h"

namespace queryd {

// The tables of a request; the place of one is its slot.
struct TableInScope {
  std::string_view alias;
  const Table* table;
};
using Scope = List<TableInScope>;

struct Bound {
  const Expression* expression = nullptr;
  Type type = Type::kNull;  // kNull: always null
  int last_slot = -1;       // of the tables that it depends on; -1: none, `constant` is its value
  int column = -1;          // when it is just a column of last_slot
  Value constant;
};

struct Aggregate {
  enum class Kind : uint8_t { kCount, kSum, kLeast, kMost, kMean };
  Kind kind;
  const Expression* argument;  // null: count(*)
  Type type;
  const Syntax* syntax;
};

// What a grouped request keeps for each group, in this order: a row of its own slot.
struct Grouping {
  unsigned slot;
  List<const Syntax*> key_syntax;
  List<Bound> keys;
  List<Aggregate> aggregates;  // grows as expressions that have some are bound
};

bool has_aggregate(const Syntax& syntax);

class Binder {
 public:
  Binder(const Scope& scope, Arena& arena) : scope_(scope), arena_(arena) {}

  // Throws RequestError for names that are not known, and types that do not go together.
  Bound bind(const Syntax& syntax);
  // An expression whose value has to be of `type`.
  Bound bind(const Syntax& syntax, Type type);
  // A column of all those in scope.
  Bound column(unsigned slot, unsigned column);
  // `operation` of two sides that were bound already.
  Bound binary(Operation operation, const Bound& left, const Bound& right, uint32_t at);

  // From now on, expressions are over groups. `grouping` outlives this.
  void bind_over(Grouping& grouping) { grouping_ = &grouping; }

 private:
  Bound bind_one(const Syntax& syntax);
  Bound bind_column(const Syntax& syntax);
  Bound bind_operation(const Syntax& syntax);
  Bound bind_call(const Syntax& syntax);
  Bound bind_in(const Syntax& syntax);
  Bound bind_between(const Syntax& syntax);
  Bound bind_like(const Syntax& syntax);
  Bound bind_is_null(const Syntax& syntax);
  Bound bind_case(const Syntax& syntax);
  Bound bind_aggregate(const Syntax& syntax, Aggregate::Kind kind);
  Bound group_column(size_t column, Type type);
  Bound literal(const Value& value);
  Bound negated_if(bool negated, const Bound& bound);

  const Scope& scope_;
  Arena& arena_;
  Grouping* grouping_ = nullptr;
};

}  // namespace queryd
