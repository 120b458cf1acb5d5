#include "pgo/diff/clone_suffix.h"

#include <algorithm>

namespace pgo {
namespace {

// Of GCC, clang, lld and LTO, and of BOLT. A number may follow each, after a dot.
constexpr std::string_view kSuffixes[] = {
    "__uniq",  "llvm", "part",        "cold",    "isra",    "constprop", "lto_priv", "localalias",
    "ipa_sra", "warm", "specialized", "cleanup", "destroy", "resume",    "str",      "simdclone",
};

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool is_suffix(std::string_view text) {
  return std::find(std::begin(kSuffixes), std::end(kSuffixes), text) != std::end(kSuffixes);
}

// BOLT's numbers of local functions, "/1" and "/1(*2)".
std::string_view without_bolt_number(std::string_view name) {
  std::string_view left = name;
  size_t copies = left.rfind("(*");
  if (copies != left.npos && left.ends_with(')') &&
      is_number(left.substr(copies + 2, left.size() - copies - 3)))
    left = left.substr(0, copies);
  size_t slash = left.rfind('/');
  return slash != left.npos && is_number(left.substr(slash + 1)) ? left.substr(0, slash) : name;
}

// What demanglers make of suffixes: GNU's "f(int) [clone .cold] [clone .isra.0]", LLVM's "f(int)
// (.cold)".
std::string_view without_clone_words(std::string_view name) {
  for (;;) {
    size_t word = name.ends_with(']')   ? name.rfind(" [clone .")
                  : name.ends_with(')') ? name.rfind(" (.")
                                        : name.npos;
    if (word == name.npos || word == 0 || name.find_first_of(")]", word) != name.size() - 1)
      return name;
    name = name.substr(0, word);
  }
}

}  // namespace

std::string_view without_clone_suffixes(std::string_view name) {
  std::string_view left = without_clone_words(without_bolt_number(name));
  for (;;) {
    size_t dot = left.rfind('.');
    if (dot == left.npos) break;
    size_t end = dot;
    std::string_view word = left.substr(dot + 1);
    if (is_number(word)) {
      size_t before = left.substr(0, dot).rfind('.');
      if (before == left.npos) break;
      word = left.substr(before + 1, dot - before - 1);
      end = before;
    }
    if (!is_suffix(word)) break;
    left = left.substr(0, end);
  }
  return left.empty() ? name : left;
}

}  // namespace pgo
