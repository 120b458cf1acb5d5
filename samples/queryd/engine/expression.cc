#include "engine/expression.h"

#include <array>
#include <cstring>
#include <functional>
#include <utility>

#include "engine/error.h"
#include "engine/like_pattern.h"

namespace queryd {
namespace {

class Literal final : public Expression {
 public:
  explicit Literal(const Value& value) : value_(value) {}
  Value evaluate(const Frame&) const override { return value_; }

 private:
  Value value_;
};

class ColumnValue final : public Expression {
 public:
  ColumnValue(unsigned slot, unsigned column) : slot_(slot), column_(column) {}
  Value evaluate(const Frame& frame) const override { return frame.rows[slot_][column_]; }

 private:
  unsigned slot_, column_;
};

// What expressions of two sides have in common.
class Binary : public Expression {
 public:
  Binary(const Expression* left, const Expression* right) : left_(left), right_(right) {}

 protected:
  const Expression *left_, *right_;
};

class And final : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Frame& frame) const override {
    Value left = left_->evaluate(frame);
    if (left.is_false()) return left;
    Value right = right_->evaluate(frame);
    return right.is_false() || left.is_true() ? right : left;
  }
};

class Or final : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Frame& frame) const override {
    Value left = left_->evaluate(frame);
    if (left.is_true()) return left;
    Value right = right_->evaluate(frame);
    return right.is_true() || left.is_false() ? right : left;
  }
};

class Not final : public Expression {
 public:
  explicit Not(const Expression* inner) : inner_(inner) {}
  Value evaluate(const Frame& frame) const override {
    Value inner = inner_->evaluate(frame);
    return inner.is_null() ? inner : Value::of_truth(!inner.is_true());
  }

 private:
  const Expression* inner_;
};

template <typename Order>
class IntegerComparison final : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Frame& frame) const override {
    Value left = left_->evaluate(frame);
    if (left.is_null()) return left;
    Value right = right_->evaluate(frame);
    if (right.is_null()) return right;
    return Value::of_truth(Order()(left.integer(), right.integer()));
  }
};

template <typename Order>
class TextComparison final : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Frame& frame) const override {
    Value left = left_->evaluate(frame);
    if (left.is_null()) return left;
    Value right = right_->evaluate(frame);
    if (right.is_null()) return right;
    return Value::of_truth(Order()(left.text(), right.text()));
  }
};

class Arithmetic final : public Binary {
 public:
  Arithmetic(Operation operation, uint32_t at, const Expression* left, const Expression* right)
      : Binary(left, right), operation_(operation), at_(at) {}

  Value evaluate(const Frame& frame) const override {
    Value left = left_->evaluate(frame);
    if (left.is_null()) return left;
    Value right = right_->evaluate(frame);
    if (right.is_null()) return right;
    return Value::of(result(left.integer(), right.integer()));
  }

 private:
  int64_t result(int64_t left, int64_t right) const {
    int64_t result = 0;
    bool overflows = false;
    switch (operation_) {
      case Operation::kAdd: overflows = __builtin_add_overflow(left, right, &result); break;
      case Operation::kSubtract: overflows = __builtin_sub_overflow(left, right, &result); break;
      case Operation::kMultiply: overflows = __builtin_mul_overflow(left, right, &result); break;
      default:  // kDivide, kRemainder
        if (right == 0) refuse(at_, "a division by 0");
        if (right == -1)  // the one case in which processors fail
          overflows = __builtin_sub_overflow(0, left, &result);
        else
          result = left / right;
        if (operation_ == Operation::kRemainder) return right == -1 ? 0 : left % right;
    }
    if (overflows) refuse(at_, "a number that grows too large");
    return result;
  }

  Operation operation_;
  uint32_t at_;
};

class Concatenation final : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Frame& frame) const override {
    Value left = left_->evaluate(frame), right = right_->evaluate(frame);
    if (left.is_null() || right.is_null()) return {};
    std::string_view start = left.text(), end = right.text();
    char* both = frame.arena.text(start.size() + end.size());
    std::memcpy(both, start.data(), start.size());
    std::memcpy(both + start.size(), end.data(), end.size());
    return Value::of(std::string_view(both, start.size() + end.size()));
  }
};

// What expressions of any number of parts have in common.
class Several : public Expression {
 public:
  explicit Several(Operands&& operands) : operands_(std::move(operands)) {}

 protected:
  Operands operands_;
};

class Between final : public Several {
 public:
  using Several::Several;
  Value evaluate(const Frame& frame) const override {
    Value what = operands_[0]->evaluate(frame);
    if (what.is_null()) return what;
    Value from = operands_[1]->evaluate(frame), to = operands_[2]->evaluate(frame);
    if (from.is_null() || to.is_null()) return {};
    return Value::of_truth(compare(from, what) <= 0 && compare(what, to) <= 0);
  }
};

class In final : public Several {
 public:
  using Several::Several;
  Value evaluate(const Frame& frame) const override {
    Value what = operands_[0]->evaluate(frame);
    if (what.is_null()) return what;
    bool has_null = false;
    for (size_t i = 1; i < operands_.size(); i++) {
      Value element = operands_[i]->evaluate(frame);
      if (element.is_null())
        has_null = true;
      else if (compare(what, element) == 0)
        return Value::of_truth(true);
    }
    return has_null ? Value() : Value::of_truth(false);
  }
};

class IsNull final : public Expression {
 public:
  explicit IsNull(const Expression* what) : what_(what) {}
  Value evaluate(const Frame& frame) const override {
    return Value::of_truth(what_->evaluate(frame).is_null());
  }

 private:
  const Expression* what_;
};

class Like final : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Frame& frame) const override {
    Value text = left_->evaluate(frame), pattern = right_->evaluate(frame);
    if (text.is_null() || pattern.is_null()) return {};
    return Value::of_truth(LikePattern(pattern.text()).matches(text.text()));
  }
};

class LikeKnown final : public Expression {
 public:
  LikeKnown(const Expression* what, std::string_view pattern) : what_(what), pattern_(pattern) {}
  Value evaluate(const Frame& frame) const override {
    Value text = what_->evaluate(frame);
    return text.is_null() ? text : Value::of_truth(pattern_.matches(text.text()));
  }

 private:
  const Expression* what_;
  LikePattern pattern_;
};

class Case final : public Several {
 public:
  using Several::Several;
  Value evaluate(const Frame& frame) const override {
    size_t i = 0;
    for (; i + 1 < operands_.size(); i += 2)
      if (operands_[i]->evaluate(frame).is_true()) return operands_[i + 1]->evaluate(frame);
    return i < operands_.size() ? operands_[i]->evaluate(frame) : Value();
  }
};

class Call final : public Several {
 public:
  Call(const Function& function, Operands&& arguments)
      : Several(std::move(arguments)), function_(function) {}

  Value evaluate(const Frame& frame) const override {
    std::array<Value, Function::kMostArguments> arguments;
    for (size_t i = 0; i < operands_.size(); i++) {
      arguments[i] = operands_[i]->evaluate(frame);
      if (arguments[i].is_null() && !function_.takes_null) return {};
    }
    return function_.evaluate({arguments.data(), operands_.size()}, frame.arena);
  }

 private:
  const Function& function_;
};

template <typename Order>
const Expression* make_comparison(Arena& arena, Type type, const Expression* left,
                                  const Expression* right) {
  if (type == Type::kText) return arena.make<TextComparison<Order>>(left, right);
  return arena.make<IntegerComparison<Order>>(left, right);
}

}  // namespace

const Expression* make_literal(Arena& arena, const Value& value) {
  return arena.make<Literal>(value);
}

const Expression* make_column(Arena& arena, unsigned slot, unsigned column) {
  return arena.make<ColumnValue>(slot, column);
}

const Expression* make_not(Arena& arena, const Expression* inner) { return arena.make<Not>(inner); }

const Expression* make_binary(Arena& arena, Operation operation, Type type, uint32_t at,
                              const Expression* left, const Expression* right) {
  switch (operation) {
    case Operation::kOr: return arena.make<Or>(left, right);
    case Operation::kAnd: return arena.make<And>(left, right);
    case Operation::kEqual: return make_comparison<std::equal_to<>>(arena, type, left, right);
    case Operation::kUnequal: return make_comparison<std::not_equal_to<>>(arena, type, left, right);
    case Operation::kLess: return make_comparison<std::less<>>(arena, type, left, right);
    case Operation::kAtMost: return make_comparison<std::less_equal<>>(arena, type, left, right);
    case Operation::kMore: return make_comparison<std::greater<>>(arena, type, left, right);
    case Operation::kAtLeast:
      return make_comparison<std::greater_equal<>>(arena, type, left, right);
    case Operation::kConcatenate: return arena.make<Concatenation>(left, right);
    default: return arena.make<Arithmetic>(operation, at, left, right);
  }
}

const Expression* make_between(Arena& arena, Operands&& what_from_to) {
  return arena.make<Between>(std::move(what_from_to));
}

const Expression* make_in(Arena& arena, Operands&& what_and_list) {
  return arena.make<In>(std::move(what_and_list));
}

const Expression* make_is_null(Arena& arena, const Expression* what) {
  return arena.make<IsNull>(what);
}

const Expression* make_like(Arena& arena, const Expression* what, const Expression* pattern) {
  return arena.make<Like>(what, pattern);
}

const Expression* make_like(Arena& arena, const Expression* what, std::string_view pattern) {
  return arena.make<LikeKnown>(what, pattern);
}

const Expression* make_case(Arena& arena, Operands&& conditions_and_values) {
  return arena.make<Case>(std::move(conditions_and_values));
}

const Expression* make_call(Arena& arena, const Function& function, Operands&& arguments) {
  return arena.make<Call>(function, std::move(arguments));
}

}  // namespace queryd
