// Expression: a condition on log entries, a tree of small objects with one virtual function.
//
//   status >= 500 and (service = "checkout" or latency > 250000)
//   not (path starts "/static") and message contains "timeout"
//
// Values are numbers, texts, or missing; a comparison with what is missing is false, and one of a
// number with a text is false and counted.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "entry.h"

namespace logrules {

struct Value {
  enum Kind : uint8_t { kMissing, kNumber, kText };
  Kind kind = kMissing;
  uint64_t number = 0;
  std::string_view text;

  static Value of_number(uint64_t number) { return {kNumber, number, {}}; }
  static Value of_text(std::string_view text) { return {kText, 0, text}; }
  static Value of_bool(bool truth) { return {kNumber, truth ? 1u : 0u, {}}; }
  bool truth() const { return kind == kNumber && number != 0; }
};

struct EvaluationErrors {
  uint64_t mixed_types = 0;
};

class Expression {
 public:
  virtual ~Expression() = default;
  virtual Value evaluate(const Entry& entry, EvaluationErrors& errors) const = 0;
};

// The expression, or a message that says what is wrong with `text` and where.
std::variant<std::unique_ptr<Expression>, std::string> parse_expression(std::string_view text);

}  // namespace logrules
