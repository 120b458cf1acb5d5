#include "pgo/store_access/label_matchers.h"

#include <algorithm>
#include <string_view>

namespace pgo::store_access {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_word(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) &&
         std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

std::string quoted_label(std::string_view text) {
  std::string quoted_text = "\"";
  for (char c : text) {
    if (c == '\\' || c == '"') quoted_text += '\\';
    if (c == '\n')
      quoted_text += "\\n";
    else
      quoted_text += c;
  }
  return quoted_text + '"';
}

std::string without_braces(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(" {"), text.size());
  return std::string(text.substr(begin, text.find_last_not_of(" },") + 1 - begin));
}

}  // namespace

std::string matchers_text(const Labels& equal, const std::string& more) {
  std::string text = without_braces(more);
  for (const auto& [name, value] : equal) {
    if (!text.empty()) text += ',';
    text += (is_word(name) ? name : quoted_label(name)) + "=" + quoted_label(value);
  }
  return "{" + text + "}";
}

bool is_metric_name(std::string_view name) {
  return !name.empty() && !is_digit(name[0]) && std::all_of(name.begin(), name.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == ':';
  });
}

std::string selection_text(const std::string& type, Labels equal, const std::string& more) {
  if (is_metric_name(type)) return type + matchers_text(equal, more);
  equal.insert_or_assign("__name__", type);
  return matchers_text(equal, more);
}

}  // namespace pgo::store_access
