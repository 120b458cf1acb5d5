#include "pgo/code/shown_name.h"

#include <algorithm>

#include "pgo/base/utf8.h"
#include "pgo/code/demangled_name.h"

namespace pgo {
namespace {

constexpr std::string_view kEllipsis = "…";

std::string without_unique_number(std::string_view name) {
  constexpr std::string_view kUnique = ".__uniq.";
  size_t begin = name.rfind(kUnique);
  if (begin == std::string_view::npos) return std::string(name);
  size_t end = name.find_first_not_of("0123456789", begin + kUnique.size());
  std::string text(name.substr(0, begin));
  if (end != std::string_view::npos) text += name.substr(end);
  return text;
}

// `name` without what is nested in more than `depth` brackets.
std::string cut_brackets(std::string_view name, size_t depth) {
  std::string text;
  size_t open = 0;
  for (size_t i = 0; i < name.size();) {
    size_t size = std::max<size_t>(size_of_name_word(name, i), 1);
    bool is_bracket = size == 1;
    if (is_bracket && (name[i] == '>' || name[i] == ')') && open > 0) open--;
    if (open <= depth) text += name.substr(i, size);
    if (is_bracket && (name[i] == '<' || name[i] == '(')) {
      bool is_empty = i + 1 < name.size() && (name[i + 1] == '>' || name[i + 1] == ')');
      if (open++ == depth && !is_empty) text += kEllipsis;
    }
    i += size;
  }
  return text;
}

// Does not cut a UTF-8 sequence in two.
std::string elide_middle(std::string_view name, size_t width) {
  auto is_inside = [&](size_t at) { return at < name.size() && (name[at] & 0xc0) == 0x80; };
  size_t begin = width * 2 / 3, end = name.size() - (width - begin - 1);
  while (begin > 0 && is_inside(begin)) begin--;
  while (is_inside(end)) end++;
  return std::string(name.substr(0, begin)) + std::string(kEllipsis) +
         std::string(name.substr(end));
}

}  // namespace

std::string shown_name(std::string_view linkage_name, size_t width) {
  std::string name = valid_utf8(demangled_name(without_unique_number(linkage_name)));
  if (count_characters(name) <= width) return name;
  constexpr size_t kDeepest = 8;
  std::string shorter;
  for (size_t depth = kDeepest + 1; depth-- > 0;) {
    shorter = cut_brackets(name, depth);
    if (count_characters(shorter) <= width) return shorter;
  }
  return elide_middle(shorter, width);
}

}  // namespace pgo
