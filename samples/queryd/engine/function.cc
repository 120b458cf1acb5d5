#include "engine/function.h"

#include <algorithm>

namespace queryd {
namespace {

using Arguments = std::span<const Value>;

constexpr Type kInteger[] = {Type::kInteger};
constexpr Type kText[] = {Type::kText};
constexpr Type kAnyTwo[] = {Type::kNull, Type::kNull};
constexpr Type kTextAndTwoIntegers[] = {Type::kText, Type::kInteger, Type::kInteger};

// A number that has no opposite stays.
Value absolute(Arguments arguments, Arena&) {
  int64_t number = arguments[0].integer(), opposite = 0;
  if (number >= 0 || __builtin_sub_overflow(0, number, &opposite)) return arguments[0];
  return Value::of(opposite);
}

Value coalesce(Arguments arguments, Arena&) {
  return arguments[0].is_null() ? arguments[1] : arguments[0];
}

Value length(Arguments arguments, Arena&) {
  return Value::of(static_cast<int64_t>(arguments[0].text().size()));
}

template <typename ToCase>
Value in_case(std::string_view text, Arena& arena, ToCase to_case) {
  char* changed = arena.text(text.size());
  std::transform(text.begin(), text.end(), changed, to_case);
  return Value::of(std::string_view(changed, text.size()));
}

Value lower(Arguments arguments, Arena& arena) {
  return in_case(arguments[0].text(), arena, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

Value upper(Arguments arguments, Arena& arena) {
  return in_case(arguments[0].text(), arena, [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  });
}

// Characters from a position on, 1 being the first. What lies outside of the text is left out.
Value part_of(Arguments arguments, Arena&) {
  std::string_view text = arguments[0].text();
  int64_t size = static_cast<int64_t>(text.size());
  int64_t begin = std::clamp<int64_t>(arguments[1].integer(), 1, size + 1) - 1;
  int64_t count = std::clamp<int64_t>(arguments[2].integer(), 0, size - begin);
  return Value::of(text.substr(static_cast<size_t>(begin), static_cast<size_t>(count)));
}

constexpr Function kFunctions[] = {
    {"abs", kInteger, Type::kInteger, false, absolute},
    {"coalesce", kAnyTwo, Type::kNull, true, coalesce},
    {"length", kText, Type::kInteger, false, length},
    {"lower", kText, Type::kText, false, lower},
    {"substr", kTextAndTwoIntegers, Type::kText, false, part_of},
    {"upper", kText, Type::kText, false, upper},
};

}  // namespace

const Function* function_named(std::string_view name) {
  for (const Function& function : kFunctions)
    if (function.name == name) return &function;
  return nullptr;
}

}  // namespace queryd
