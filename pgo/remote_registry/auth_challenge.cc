#include "pgo/remote_registry/auth_challenge.h"

#include <algorithm>

namespace pgo {
namespace {

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

// Takes the header apart from its beginning.
class Words {
 public:
  explicit Words(std::string_view text) : text_(text) {}

  bool at_end() {
    skip(" \t,");
    return text_.empty();
  }
  // A word of letters, digits and signs without a meaning here.
  std::string_view word() {
    skip(" \t,");
    const size_t end = std::min(text_.find_first_of(" \t,=\""), text_.size());
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end);
    return word;
  }
  // Behind the name of a scheme: takes what some send instead of parameters ("token68"), such as
  // the "YII=" of "Negotiate YII=".
  void take_token68() {
    const size_t begin = std::min(text_.find_first_not_of(" \t"), text_.size());
    const size_t padding = std::min(text_.find_first_of(" \t,=\"", begin), text_.size());
    const size_t behind = std::min(text_.find_first_not_of('=', padding), text_.size());
    const size_t end = std::min(text_.find_first_not_of(" \t", behind), text_.size());
    if (begin > 0 && padding > begin && (end == text_.size() || text_[end] == ','))
      text_.remove_prefix(end);
  }
  // Is there a '=' behind the word? Takes it.
  bool take_equals() {
    const size_t place = text_.find_first_not_of(" \t");
    if (place == text_.npos || text_[place] != '=') return false;
    text_.remove_prefix(place + 1);
    skip(" \t");
    return true;
  }
  // A word, or a text in quotation marks where a backslash stands before any character. Nothing
  // for a text that does not end.
  std::optional<std::string> value() {
    if (!text_.starts_with('"')) return std::string(word());
    std::string value;
    for (size_t i = 1; i < text_.size(); i++) {
      if (text_[i] == '"') {
        text_.remove_prefix(i + 1);
        return value;
      }
      if (text_[i] == '\\' && ++i == text_.size()) break;
      value += text_[i];
    }
    return std::nullopt;
  }

 private:
  void skip(std::string_view characters) {
    text_.remove_prefix(std::min(text_.find_first_not_of(characters), text_.size()));
  }

  std::string_view text_;
};

}  // namespace

std::optional<AuthChallenge> parse_auth_challenge(std::string_view header) {
  Words words(header);
  std::optional<AuthChallenge> found;  // the challenge whose parameters are read
  bool is_known = false;
  while (!words.at_end()) {
    const std::string_view word = words.word();
    if (word.empty()) return std::nullopt;  // a character that no challenge has there
    if (words.take_equals()) {              // a parameter
      const std::optional<std::string> value = words.value();
      if (!value) return std::nullopt;
      if (!is_known || !found) continue;
      if (equals_ignoring_case(word, "realm")) found->realm = *value;
      if (equals_ignoring_case(word, "service")) found->service = *value;
      if (equals_ignoring_case(word, "scope")) found->scope = *value;
      continue;
    }
    if (found) break;  // the next challenge
    words.take_token68();
    is_known = equals_ignoring_case(word, "basic") || equals_ignoring_case(word, "bearer");
    if (!is_known) continue;
    found.emplace();
    if (equals_ignoring_case(word, "bearer")) found->scheme = AuthChallenge::Scheme::kBearer;
  }
  if (found && found->scheme == AuthChallenge::Scheme::kBearer && found->realm.empty())
    return std::nullopt;
  return found;
}

}  // namespace pgo
