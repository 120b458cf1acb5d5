#include "pgo/symbolize/demangled_name.h"

#include <llvm/Demangle/Demangle.h>

#include <algorithm>
#include <cctype>

namespace pgo {
namespace {

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
  return llvm::demangle(name.substr(0, suffix)) + std::string(name.substr(suffix));
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
