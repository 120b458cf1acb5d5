#include "pgo/diff/clone_suffix.h"

#include <algorithm>

namespace pgo {
namespace {

// Of GCC, clang, lld and LTO, and of BOLT. A number may follow each, after a dot.
constexpr std::string_view kSuffixes[] = {"__uniq",   "llvm",       "part",     "cold",
                                          "isra",     "constprop",  "ipa_sra",  "warm",
                                          "lto_priv", "localalias", "simdclone"};
// Of coroutines; in C they are words like others.
constexpr std::string_view kCoroutineSuffixes[] = {"cleanup", "destroy", "resume"};
// Languages in which a dot, or a slash and a number, is a part of names.
constexpr std::string_view kOtherSources[] = {".go",  ".java", ".kt", ".scala", ".py", ".rb",
                                              ".erl", ".ex",   ".js", ".ts",    ".cs", ".php"};

bool is_number(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

template <typename Words>
bool is_one_of(std::string_view text, const Words& words) {
  return std::find(std::begin(words), std::end(words), text) != std::end(words);
}

bool is_mangled(std::string_view name) { return name.starts_with("_Z") || name.starts_with("_R"); }

// "f" and "_ZL1fv", but not "main.f" or "net/http.f".
bool is_identifier(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
  });
}

bool is_other_source(std::string_view file) {
  return std::any_of(std::begin(kOtherSources), std::end(kOtherSources),
                     [&](std::string_view ending) { return file.ends_with(ending); });
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

std::string_view without_clone_suffixes(std::string_view name, std::string_view file) {
  if (is_other_source(file)) return name;
  std::string_view left = without_clone_words(name);
  std::string_view without_number = without_bolt_number(left);
  // What a linker calls a function has no slash but BOLT's.
  if (without_number.find('/') == without_number.npos &&
      (is_mangled(name) || is_identifier(without_number.substr(0, without_number.find('.')))))
    left = without_number;
  std::string_view whole = left;
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
    if (!is_one_of(word, kSuffixes) && !(is_mangled(name) && is_one_of(word, kCoroutineSuffixes)))
      break;
    left = left.substr(0, end);
  }
  return is_mangled(left) || is_identifier(left) ? left : whole.empty() ? name : whole;
}

}  // namespace pgo
