// Function: what can be called in an expression, by name.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "engine/arena.h"
#include "engine/value.h"

namespace queryd {

struct Function {
  static constexpr size_t kMostArguments = 3;

  std::string_view name;
  std::span<const Type> parameters;  // of a Type::kNull parameter, any type will do
  Type result;                       // Type::kNull: that of the first argument
  bool takes_null;                   // otherwise null in, null out
  Value (*evaluate)(std::span<const Value> arguments, Arena& arena);
};

// Null when there is none.
const Function* function_named(std::string_view name);

}  // namespace queryd
