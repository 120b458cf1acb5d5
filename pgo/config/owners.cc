#include "pgo/config/owners.h"

#include <algorithm>

#include "pgo/config/wildcards.h"

namespace pgo {
namespace {

constexpr size_t kLongestFunctionPattern = 1024;
constexpr size_t kMostNameStarts = 8;

// Where the name may begin in `function`: at its beginning, or behind a space outside of brackets.
std::vector<std::string_view> name_starts(std::string_view function) {
  std::vector<std::string_view> starts{function};
  size_t depth = 0;
  for (size_t at = 0; at < function.size() && starts.size() < kMostNameStarts; at++) {
    switch (function[at]) {
      case '(':
      case '<':
      case '[':
      case '{': depth++; break;
      case ')':
      case '>':
      case ']':
      case '}': depth -= depth > 0; break;
      case ' ':
        if (depth == 0) starts.push_back(function.substr(at + 1));
        break;
      default: break;
    }
  }
  return starts;
}

// The words of a line of CODEOWNERS up to a comment; "\ " is a space in a word.
std::vector<std::string> codeowners_words(std::string_view line) {
  std::vector<std::string> words;
  bool in_word = false;
  for (size_t at = 0; at < line.size(); at++) {
    char c = line[at];
    const bool is_escaped = c == '\\' && at + 1 < line.size() && line[at + 1] == ' ';
    if (!is_escaped && (c == ' ' || c == '\t' || c == '\r')) {
      in_word = false;
      continue;
    }
    if (!in_word && c == '#') break;
    if (!in_word) words.emplace_back();
    in_word = true;
    if (is_escaped) c = line[++at];
    words.back() += c;
  }
  return words;
}

std::string joined_words(const std::vector<std::string>& words, size_t first) {
  std::string text;
  for (size_t i = first; i < words.size(); i++) text += (i > first ? " " : "") + words[i];
  return text;
}

template <typename Rule, typename Matches>
const Rule* last_match(const std::vector<Rule>& rules, const Matches& matches) {
  auto found = std::find_if(rules.rbegin(), rules.rend(), matches);
  return found == rules.rend() ? nullptr : &*found;
}

}  // namespace

Result<void> Owners::add_function_pattern(std::string_view pattern, std::string_view team) {
  if (pattern.empty()) return fail(ErrorKind::kInput, "names nothing");
  if (pattern.size() > kLongestFunctionPattern)
    return fail(ErrorKind::kInput,
                "is longer than " + std::to_string(kLongestFunctionPattern) + " characters");
  functions_.push_back({std::string(pattern), std::string(team)});
  return ok();
}

Result<void> Owners::add_path_pattern(std::string_view pattern, std::string_view team) {
  PGO_TRY(PathPattern parsed, PathPattern::parse(pattern));
  paths_.push_back({std::move(parsed), std::string(team)});
  return ok();
}

void Owners::add_codeowners(std::string_view text, const std::string& name,
                            Diagnostics& diagnostics) {
  for (size_t number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::vector<std::string> words = codeowners_words(line);
    if (words.empty()) continue;
    Result<PathPattern> pattern = PathPattern::parse(words[0]);
    if (pattern) {
      codeowners_.push_back({*std::move(pattern), joined_words(words, 1)});
    } else {
      constexpr size_t kShown = 80;
      diagnostics.warn("codeowners-pattern", name + ":" + std::to_string(number) +
                                                 ": the line of '" + words[0].substr(0, kShown) +
                                                 "' is left out: its pattern " +
                                                 pattern.error().message);
    }
  }
}

std::string_view Owners::team_of(std::string_view function, std::string_view source_path) const {
  if (!functions_.empty()) {
    const std::vector<std::string_view> starts = name_starts(function);
    const FunctionRule* rule = last_match(functions_, [&](const FunctionRule& one) {
      return std::any_of(starts.begin(), starts.end(), [&](std::string_view start) {
        return matches_wildcards(one.pattern, start);
      });
    });
    if (rule != nullptr) return rule->team;
  }
  const std::vector<std::string_view> components = split_path(source_path);
  if (components.empty()) return {};
  for (const std::vector<PathRule>* rules : {&paths_, &codeowners_}) {
    const PathRule* rule =
        last_match(*rules, [&](const PathRule& one) { return one.pattern.matches(components); });
    if (rule != nullptr) return rule->team;
  }
  return {};
}

}  // namespace pgo
