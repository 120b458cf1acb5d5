#include "pgo/code/demangled_name.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <memory>
#include <optional>

#include "pgo/code/cxx_name.h"
#include "pgo/code/rust_name.h"

namespace pgo {
namespace {

// Of names of Rust and D. The longest of 301,101 names in Rust's compiler has 1222 characters.
constexpr size_t kMaxDemangledLength = 4096;

// The most that rust_name_cost() may be; the largest of those names has 16,510.
constexpr uint64_t kMaxRustCost = uint64_t{1} << 18;

std::optional<std::string> take(char* text) {
  std::unique_ptr<char, decltype(&std::free)> owned(text, &std::free);
  if (text == nullptr) return std::nullopt;
  return std::string(text);
}

// Nothing for what is not mangled, and for names beyond the bounds. All of `name` ends with a NUL:
// LLVM's demangler of D looks for one.
std::optional<std::string> demangle(const std::string& name) {
  if (auto cxx = demangle_cxx(name)) return cxx;
  if (name.size() > kMaxDemangledLength) return std::nullopt;
  if (std::optional<uint64_t> cost = rust_name_cost(name); cost && *cost <= kMaxRustCost)
    return take(llvm::rustDemangle(name));
  if (name.starts_with("_D")) return take(llvm::dlangDemangle(name));
  return std::nullopt;
}

bool is_in_identifiers(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
         (c & 0x80) != 0;
}

}  // namespace

size_t size_of_name_word(std::string_view name, size_t at) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)", kOperator = "operator";
  std::string_view rest = name.substr(at);
  if (rest.starts_with(kAnonymous)) return kAnonymous.size();
  if (!rest.starts_with(kOperator) || (at > 0 && is_in_identifiers(name[at - 1]))) return 0;
  for (std::string_view sign :
       {"()", "<=>", "<<=", ">>=", "->*", "<<", ">>", "<=", ">=", "->", "<", ">"})
    if (rest.substr(kOperator.size()).starts_with(sign)) return kOperator.size() + sign.size();
  return 0;
}

std::string demangled_name(std::string_view name) {
  // No mangled name has a slash.
  size_t suffix = std::min(name.find('/'), name.size());
  std::string mangled(name.substr(0, suffix));
  return demangle(mangled).value_or(mangled) + std::string(name.substr(suffix));
}

std::string simple_name(std::string_view demangled) {
  constexpr std::string_view kOperator = "operator";
  std::string text;
  size_t depth = 0;          // of brackets
  size_t begin = 0;          // in `text`, behind a return type
  bool in_operator = false;  // its own spaces are its name: operator unsigned long
  for (size_t i = 0; i < demangled.size();) {
    size_t size = size_of_name_word(demangled, i);
    std::string_view word = demangled.substr(i, std::max<size_t>(size, 1));
    if (size == 0 && (word == "(" || word == "<" || word == "{")) depth++;
    if (depth == 0) {
      bool at_identifier = i == 0 || !is_in_identifiers(demangled[i - 1]);
      if (at_identifier && demangled.substr(i).starts_with(kOperator)) in_operator = true;
      text += word;
      if (word == " " && !in_operator) begin = text.size();
      if (word == ":") in_operator = false;
    }
    i += word.size();
    if (size != 0 || depth == 0 || (word != ")" && word != ">" && word != "}")) continue;
    // Behind parameters comes nothing, or what is local to the function.
    if (--depth == 0 && word == ")" && !demangled.substr(i).starts_with("::")) break;
  }
  return text.substr(begin);
}

}  // namespace pgo
