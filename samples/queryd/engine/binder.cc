#include "engine/binder.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "engine/error.h"

namespace queryd {
namespace {

std::optional<Aggregate::Kind> aggregate_named(std::string_view name) {
  if (name == "count") return Aggregate::Kind::kCount;
  if (name == "sum") return Aggregate::Kind::kSum;
  if (name == "min") return Aggregate::Kind::kLeast;
  if (name == "max") return Aggregate::Kind::kMost;
  if (name == "avg") return Aggregate::Kind::kMean;
  return std::nullopt;
}

bool are_same(const Syntax& a, const Syntax& b) {
  return a.kind == b.kind && a.operation == b.operation && a.negated == b.negated &&
         a.integer == b.integer && a.table == b.table && a.name == b.name &&
         std::equal(a.children.begin(), a.children.end(), b.children.begin(), b.children.end(),
                    [](const Syntax* x, const Syntax* y) { return are_same(*x, *y); });
}

void check_type(const Bound& bound, Type type, uint32_t at) {
  if (bound.type != type && bound.type != Type::kNull && type != Type::kNull)
    refuse(at, std::string(name_of(type)) + " expected, not " + name_of(bound.type));
}

// The type of two values of which either may be taken.
Type common_type(const Bound& a, const Bound& b, uint32_t at) {
  if (a.type != Type::kNull) check_type(b, a.type, at);
  return a.type != Type::kNull ? a.type : b.type;
}

}  // namespace

bool has_aggregate(const Syntax& syntax) {
  if (syntax.kind == Syntax::Kind::kCall && aggregate_named(syntax.name)) return true;
  return std::any_of(syntax.children.begin(), syntax.children.end(),
                     [](const Syntax* child) { return has_aggregate(*child); });
}

Bound Binder::bind(const Syntax& syntax) {
  if (grouping_ != nullptr) {
    for (size_t i = 0; i < grouping_->keys.size(); i++)
      if (are_same(*grouping_->key_syntax[i], syntax))
        return group_column(i, grouping_->keys[i].type);
  }
  Bound bound = bind_one(syntax);
  if (bound.last_slot >= 0 || syntax.kind <= Syntax::Kind::kText) return bound;
  return literal(bound.expression->evaluate({nullptr, arena_}));
}

Bound Binder::bind(const Syntax& syntax, Type type) {
  Bound bound = bind(syntax);
  check_type(bound, type, syntax.at);
  return bound;
}

Bound Binder::bind_one(const Syntax& syntax) {
  switch (syntax.kind) {
    case Syntax::Kind::kNull: return literal({});
    case Syntax::Kind::kInteger: return literal(Value::of(syntax.integer));
    case Syntax::Kind::kText: return literal(Value::of(syntax.name));
    case Syntax::Kind::kColumn: return bind_column(syntax);
    case Syntax::Kind::kOperation: return bind_operation(syntax);
    case Syntax::Kind::kCall: return bind_call(syntax);
    case Syntax::Kind::kIn: return bind_in(syntax);
    case Syntax::Kind::kBetween: return bind_between(syntax);
    case Syntax::Kind::kLike: return bind_like(syntax);
    case Syntax::Kind::kIsNull: return bind_is_null(syntax);
    case Syntax::Kind::kCase: return bind_case(syntax);
  }
  refuse(syntax.at, "an expression of no known kind");
}

Bound Binder::bind_column(const Syntax& syntax) {
  std::optional<Bound> found;
  for (unsigned slot = 0; slot < scope_.size(); slot++) {
    if (!syntax.table.empty() && syntax.table != scope_[slot].alias) continue;
    std::optional<unsigned> in_table = scope_[slot].table->column_named(syntax.name);
    if (!in_table) continue;
    if (found)
      refuse(syntax.at, "column '" + std::string(syntax.name) + "' of more than one table");
    found = column(slot, *in_table);
  }
  if (!found) refuse(syntax.at, "no column '" + std::string(syntax.name) + "'");
  if (grouping_ != nullptr)
    refuse(syntax.at, "column '" + std::string(syntax.name) + "' is not the same within a group");
  return *found;
}

Bound Binder::column(unsigned slot, unsigned column) {
  return {make_column(arena_, slot, column),
          scope_[slot].table->columns()[column].type,
          static_cast<int>(slot),
          static_cast<int>(column),
          {}};
}

Bound Binder::bind_operation(const Syntax& syntax) {
  const Syntax& first = *syntax.children[0];
  if (syntax.operation == Operation::kNot) return negated_if(true, bind(first, Type::kInteger));
  if (syntax.operation == Operation::kNegate)
    return binary(Operation::kSubtract, literal(Value::of(int64_t{0})), bind(first), syntax.at);
  Bound left = bind(first);
  return binary(syntax.operation, left, bind(*syntax.children[1]), syntax.at);
}

Bound Binder::binary(Operation operation, const Bound& left, const Bound& right, uint32_t at) {
  Type sides = Type::kInteger, result = Type::kInteger;
  if (operation == Operation::kConcatenate) sides = result = Type::kText;
  if (operation >= Operation::kEqual && operation <= Operation::kAtLeast)
    sides = common_type(left, right, at);
  check_type(left, sides, at);
  check_type(right, sides, at);
  return {make_binary(arena_, operation, sides, at, left.expression, right.expression),
          result,
          std::max(left.last_slot, right.last_slot),
          -1,
          {}};
}

Bound Binder::bind_call(const Syntax& syntax) {
  if (std::optional<Aggregate::Kind> kind = aggregate_named(syntax.name))
    return bind_aggregate(syntax, *kind);
  const Function* function = function_named(syntax.name);
  if (function == nullptr) refuse(syntax.at, "no function '" + std::string(syntax.name) + "'");
  if (syntax.children.size() != function->parameters.size())
    refuse(syntax.at, std::string(syntax.name) + " takes another number of values");
  Bound call;
  Operands arguments = arena_.list<const Expression*>();
  call.type = function->result;
  for (size_t i = 0; i < syntax.children.size(); i++) {
    Bound argument = bind(*syntax.children[i], function->parameters[i]);
    if (function->result == Type::kNull) {
      argument.type = common_type(call, argument, syntax.children[i]->at);
      call.type = argument.type;
    }
    call.last_slot = std::max(call.last_slot, argument.last_slot);
    arguments.push_back(argument.expression);
  }
  call.expression = make_call(arena_, *function, std::move(arguments));
  return call;
}

Bound Binder::bind_aggregate(const Syntax& syntax, Aggregate::Kind kind) {
  if (grouping_ == nullptr) refuse(syntax.at, "an aggregate where there are no groups");
  List<Aggregate>& aggregates = grouping_->aggregates;
  size_t at = 0;
  while (at < aggregates.size() && !are_same(*aggregates[at].syntax, syntax)) at++;
  if (at == aggregates.size()) {
    bool counts = kind == Aggregate::Kind::kCount;
    if (syntax.children.size() > 1 || (syntax.children.empty() && !counts))
      refuse(syntax.at, std::string(syntax.name) + " takes one value");
    Bound argument;
    if (!syntax.children.empty()) {
      bool sums = kind == Aggregate::Kind::kSum || kind == Aggregate::Kind::kMean;
      Grouping* grouping = std::exchange(grouping_, nullptr);  // its value is one of rows
      argument = bind(*syntax.children[0], sums ? Type::kInteger : Type::kNull);
      grouping_ = grouping;
    }
    Type type = counts ? Type::kInteger : argument.type;
    aggregates.push_back({kind, argument.expression, type, &syntax});
  }
  return group_column(grouping_->keys.size() + at, aggregates[at].type);
}

Bound Binder::group_column(size_t column, Type type) {
  return {make_column(arena_, grouping_->slot, static_cast<unsigned>(column)),
          type,
          static_cast<int>(grouping_->slot),
          static_cast<int>(column),
          {}};
}

Bound Binder::bind_in(const Syntax& syntax) {
  Bound in;
  Operands operands = arena_.list<const Expression*>();
  for (const Syntax* child : syntax.children) {
    Bound operand = bind(*child);
    in.type = common_type(in, operand, child->at);
    in.last_slot = std::max(in.last_slot, operand.last_slot);
    operands.push_back(operand.expression);
  }
  in.type = Type::kInteger;
  in.expression = make_in(arena_, std::move(operands));
  return negated_if(syntax.negated, in);
}

Bound Binder::bind_between(const Syntax& syntax) {
  Bound between;
  Operands operands = arena_.list<const Expression*>();
  for (const Syntax* child : syntax.children) {
    Bound operand = bind(*child);
    between.type = common_type(between, operand, child->at);
    between.last_slot = std::max(between.last_slot, operand.last_slot);
    operands.push_back(operand.expression);
  }
  between.type = Type::kInteger;
  between.expression = make_between(arena_, std::move(operands));
  return negated_if(syntax.negated, between);
}

Bound Binder::bind_like(const Syntax& syntax) {
  Bound what = bind(*syntax.children[0], Type::kText);
  Bound pattern = bind(*syntax.children[1], Type::kText);
  Bound like{nullptr, Type::kInteger, std::max(what.last_slot, pattern.last_slot), -1, {}};
  like.expression = pattern.constant.type() == Type::kText
                        ? make_like(arena_, what.expression, pattern.constant.text())
                        : make_like(arena_, what.expression, pattern.expression);
  return negated_if(syntax.negated, like);
}

Bound Binder::bind_is_null(const Syntax& syntax) {
  Bound what = bind(*syntax.children[0]);
  Bound test{make_is_null(arena_, what.expression), Type::kInteger, what.last_slot, -1, {}};
  return negated_if(syntax.negated, test);
}

Bound Binder::bind_case(const Syntax& syntax) {
  Bound whole;
  Operands operands = arena_.list<const Expression*>();
  size_t count = syntax.children.size();
  for (size_t i = 0; i < count; i++) {
    const Syntax& child = *syntax.children[i];
    bool is_condition = i % 2 == 0 && i + 1 < count;
    Bound operand = is_condition ? bind(child, Type::kInteger) : bind(child);
    if (!is_condition) whole.type = common_type(whole, operand, child.at);
    whole.last_slot = std::max(whole.last_slot, operand.last_slot);
    operands.push_back(operand.expression);
  }
  whole.expression = make_case(arena_, std::move(operands));
  return whole;
}

Bound Binder::literal(const Value& value) {
  return {make_literal(arena_, value), value.type(), -1, -1, value};
}

Bound Binder::negated_if(bool negated, const Bound& bound) {
  if (!negated) return bound;
  return {make_not(arena_, bound.expression), Type::kInteger, bound.last_slot, -1, {}};
}

}  // namespace queryd
