// Syntax of requests, as written: names are not looked up yet, types not known. Everything lives in
// the request's arena.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "engine/arena.h"
#include "engine/value.h"

namespace queryd {

enum class Operation : uint8_t {
  kOr,
  kAnd,
  kNot,
  kEqual,
  kUnequal,
  kLess,
  kAtMost,
  kMore,
  kAtLeast,
  kAdd,
  kSubtract,
  kMultiply,
  kDivide,
  kRemainder,
  kNegate,
  kConcatenate,
};

// An expression.
struct Syntax {
  enum class Kind : uint8_t {
    kNull,
    kInteger,    // integer
    kText,       // name
    kColumn,     // table (or empty), name
    kOperation,  // operation, one or two children
    kCall,       // name, children; none for count(*)
    kIn,         // what, then the list
    kBetween,    // what, from, to
    kLike,       // what, pattern
    kIsNull,     // what
    kCase,       // condition, value, condition, value, ... and the last value if there is an else
  };
  Kind kind;
  Operation operation = Operation::kOr;
  bool negated = false;  // "not in", "not between", "not like", "is not null"
  uint32_t at = 0;
  int64_t integer = 0;
  std::string_view table, name;
  List<const Syntax*> children;
  int height = 1;  // expressions within one another, this one included
};

struct OutputSyntax {
  const Syntax* expression;  // null: all columns
  std::string_view alias;
};

struct TableSyntax {
  std::string_view name, alias;
  uint32_t at = 0;
  const Syntax* on = nullptr;
};

struct OrderSyntax {
  const Syntax* expression;
  bool descending;
};

struct SelectSyntax {
  bool explain = false, distinct = false;
  List<OutputSyntax> outputs;
  List<TableSyntax> tables;
  const Syntax* where = nullptr;
  List<const Syntax*> groups;
  const Syntax* having = nullptr;
  List<OrderSyntax> order;
  std::optional<int64_t> limit;
};

struct InsertSyntax {
  TableSyntax table;
  List<List<const Syntax*>> rows;
};

struct Assignment {
  std::string_view column;
  uint32_t at;
  const Syntax* expression;
};

struct UpdateSyntax {
  TableSyntax table;
  List<Assignment> assignments;
  const Syntax* where = nullptr;
};

struct DeleteSyntax {
  TableSyntax table;
  const Syntax* where = nullptr;
};

enum class Access : uint8_t { kScan, kIndex, kKey };  // kKey: an index without duplicates

struct ColumnSyntax {
  std::string_view name;
  Type type;
  Access access;
};

struct CreateSyntax {
  TableSyntax table;
  List<ColumnSyntax> columns;
};

using Statement =
    std::variant<SelectSyntax, InsertSyntax, UpdateSyntax, DeleteSyntax, CreateSyntax>;

}  // namespace queryd
