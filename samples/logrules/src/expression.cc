#include "expression.h"

#include <optional>
#include <utility>

namespace logrules {
namespace {

using ExpressionPtr = std::unique_ptr<Expression>;

class Constant : public Expression {
 public:
  explicit Constant(uint64_t number) : value_(Value::of_number(number)) {}
  explicit Constant(std::string text) : text_(std::move(text)), value_(Value::of_text(text_)) {}
  Value evaluate(const Entry&, EvaluationErrors&) const override { return value_; }

 private:
  std::string text_;
  Value value_;
};

class FieldValue : public Expression {
 public:
  explicit FieldValue(Field field) : field_(field) {}
  Value evaluate(const Entry& entry, EvaluationErrors&) const override {
    if (!entry.has(field_)) return {};
    switch (field_) {
      case Field::kTime: return Value::of_number(entry.time);
      case Field::kLevel: return Value::of_number(static_cast<uint64_t>(entry.level));
      case Field::kService: return Value::of_text(entry.service);
      case Field::kMethod: return Value::of_text(entry.method);
      case Field::kPath: return Value::of_text(entry.path);
      case Field::kUser: return Value::of_text(entry.user);
      case Field::kMessage: return Value::of_text(entry.message);
      case Field::kStatus: return Value::of_number(entry.status);
      case Field::kLatency: return Value::of_number(entry.latency);
      case Field::kBytes: return Value::of_number(entry.bytes);
    }
    return {};
  }

 private:
  Field field_;
};

// What two-sided expressions have in common.
class Binary : public Expression {
 public:
  Binary(ExpressionPtr left, ExpressionPtr right)
      : left_(std::move(left)), right_(std::move(right)) {}

 protected:
  ExpressionPtr left_, right_;
};

class And : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Entry& entry, EvaluationErrors& errors) const override {
    return Value::of_bool(left_->evaluate(entry, errors).truth() &&
                          right_->evaluate(entry, errors).truth());
  }
};

class Or : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Entry& entry, EvaluationErrors& errors) const override {
    return Value::of_bool(left_->evaluate(entry, errors).truth() ||
                          right_->evaluate(entry, errors).truth());
  }
};

class Not : public Expression {
 public:
  explicit Not(ExpressionPtr inner) : inner_(std::move(inner)) {}
  Value evaluate(const Entry& entry, EvaluationErrors& errors) const override {
    return Value::of_bool(!inner_->evaluate(entry, errors).truth());
  }

 private:
  ExpressionPtr inner_;
};

enum class Order { kEqual, kUnequal, kLess, kAtMost, kMore, kAtLeast };

class Comparison : public Binary {
 public:
  Comparison(Order order, ExpressionPtr left, ExpressionPtr right)
      : Binary(std::move(left), std::move(right)), order_(order) {}

  Value evaluate(const Entry& entry, EvaluationErrors& errors) const override {
    Value left = left_->evaluate(entry, errors);
    if (left.kind == Value::kMissing) return Value::of_bool(false);
    Value right = right_->evaluate(entry, errors);
    if (right.kind == Value::kMissing) return Value::of_bool(false);
    if (left.kind != right.kind) {
      errors.mixed_types++;
      return Value::of_bool(false);
    }
    return Value::of_bool(left.kind == Value::kNumber ? holds(left.number, right.number)
                                                      : holds(left.text, right.text));
  }

 private:
  template <typename T>
  bool holds(T left, T right) const {
    switch (order_) {
      case Order::kEqual: return left == right;
      case Order::kUnequal: return left != right;
      case Order::kLess: return left < right;
      case Order::kAtMost: return left <= right;
      case Order::kMore: return left > right;
      case Order::kAtLeast: return left >= right;
    }
    return false;
  }

  Order order_;
};

class Contains : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Entry& entry, EvaluationErrors& errors) const override {
    Value text = left_->evaluate(entry, errors), part = right_->evaluate(entry, errors);
    if (text.kind != Value::kText || part.kind != Value::kText) return Value::of_bool(false);
    return Value::of_bool(text.text.find(part.text) != std::string_view::npos);
  }
};

class Starts : public Binary {
 public:
  using Binary::Binary;
  Value evaluate(const Entry& entry, EvaluationErrors& errors) const override {
    Value text = left_->evaluate(entry, errors), part = right_->evaluate(entry, errors);
    if (text.kind != Value::kText || part.kind != Value::kText) return Value::of_bool(false);
    return Value::of_bool(text.text.substr(0, part.text.size()) == part.text);
  }
};

constexpr std::pair<std::string_view, Field> kFieldNames[] = {
    {"time", Field::kTime},       {"level", Field::kLevel},   {"service", Field::kService},
    {"method", Field::kMethod},   {"path", Field::kPath},     {"user", Field::kUser},
    {"message", Field::kMessage}, {"status", Field::kStatus}, {"latency", Field::kLatency},
    {"bytes", Field::kBytes}};

// Recursive descent: or < and < not < comparison < ( ... ). A null pointer means that `error` says
// what went wrong.
class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {}

  ExpressionPtr parse_all() {
    ExpressionPtr whole = parse_or();
    if (whole == nullptr) return nullptr;
    skip_spaces();
    return at_ == text_.size() ? std::move(whole) : fail("the end");
  }
  const std::string& error() const { return error_; }

 private:
  ExpressionPtr parse_or() {
    ExpressionPtr left = parse_and();
    while (left != nullptr && take("or")) {
      ExpressionPtr right = parse_and();
      if (right == nullptr) return nullptr;
      left = std::make_unique<Or>(std::move(left), std::move(right));
    }
    return left;
  }

  ExpressionPtr parse_and() {
    ExpressionPtr left = parse_not();
    while (left != nullptr && take("and")) {
      ExpressionPtr right = parse_not();
      if (right == nullptr) return nullptr;
      left = std::make_unique<And>(std::move(left), std::move(right));
    }
    return left;
  }

  ExpressionPtr parse_not() {
    if (take("not")) {
      ExpressionPtr inner = parse_not();
      return inner == nullptr ? nullptr : std::make_unique<Not>(std::move(inner));
    }
    if (take("(")) {
      ExpressionPtr inner = parse_or();
      if (inner == nullptr) return nullptr;
      return take(")") ? std::move(inner) : fail("')'");
    }
    return parse_comparison();
  }

  ExpressionPtr parse_comparison() {
    ExpressionPtr left = parse_operand();
    if (left == nullptr) return nullptr;
    static constexpr std::pair<std::string_view, Order> kOrders[] = {
        {"!=", Order::kUnequal}, {"<=", Order::kAtMost}, {">=", Order::kAtLeast},
        {"=", Order::kEqual},    {"<", Order::kLess},    {">", Order::kMore}};
    for (auto [sign, order] : kOrders) {
      if (!take(sign)) continue;
      ExpressionPtr right = parse_operand();
      if (right == nullptr) return nullptr;
      return std::make_unique<Comparison>(order, std::move(left), std::move(right));
    }
    bool contains = take("contains");
    if (!contains && !take("starts")) return fail("a comparison");
    ExpressionPtr right = parse_operand();
    if (right == nullptr) return nullptr;
    if (contains) return std::make_unique<Contains>(std::move(left), std::move(right));
    return std::make_unique<Starts>(std::move(left), std::move(right));
  }

  ExpressionPtr parse_operand() {
    skip_spaces();
    if (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') {
      uint64_t number = 0;
      for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; at_++)
        number = number * 10 + static_cast<uint64_t>(text_[at_] - '0');
      return std::make_unique<Constant>(number);
    }
    if (take("\"")) {
      size_t end = text_.find('"', at_);
      if (end == std::string_view::npos) return fail("a closing quote");
      std::string text(text_.substr(at_, end - at_));
      at_ = end + 1;
      return std::make_unique<Constant>(std::move(text));
    }
    for (auto [name, field] : kFieldNames)
      if (take(name)) return std::make_unique<FieldValue>(field);
    return fail("a number, a text or a field");
  }

  void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') at_++;
  }

  bool take(std::string_view token) {
    skip_spaces();
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }

  ExpressionPtr fail(const std::string& expected) {
    error_ = "column " + std::to_string(at_ + 1) + ": " + expected + " expected";
    return nullptr;
  }

  std::string_view text_;
  size_t at_ = 0;
  std::string error_;
};

}  // namespace

std::variant<ExpressionPtr, std::string> parse_expression(std::string_view text) {
  ExpressionParser parser(text);
  ExpressionPtr expression = parser.parse_all();
  if (expression == nullptr) return parser.error();
  return expression;
}

}  // namespace logrules
