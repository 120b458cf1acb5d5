#include "pgo/cli/option_words.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "pgo/cli/document_path.h"

namespace pgo {
namespace {

// What stands in braces, and what is shown for it. CMake shows these texts, too, so that its word
// is named where it has one of its own.
struct OptionWord {
  std::string_view name, shown;
};
constexpr OptionWord kWords[] = {
    {"allow-inferred", "--allow-inferred"},
    {"assume-build-id", "--assume-build-id"},
    {"binary", "--binary"},
    {"build-id", "--build-id"},
    {"by-line", "--by-line"},
    {"check", "--check"},
    {"check-against", "--check-against"},
    {"comm", "--comm"},
    {"compiler", "--compiler"},
    {"compat", "--compat=llvm-profgen"},
    {"debug-file", "--debug-file"},
    {"debug-root", "--debug-root"},
    {"drop-label", "--drop-label"},
    {"engine", "--engine"},
    {"event", "--event"},
    {"host-label", "--host-label"},
    {"json", "--json"},
    {"keep-label", "--keep-label"},
    {"llvm-bolt", "--llvm-bolt"},
    {"log", "--log"},
    {"normalize", "--normalize"},
    {"on-failure", "--on-failure"},
    {"on-failure=error", "--on-failure error (in CMake: BOLT_ON_FAILURE error)"},
    {"output", "-o"},
    {"perf2bolt", "--perf2bolt"},
    {"pid", "--pid"},
    {"profile", "--profile"},
    {"qemu", "--qemu"},
    {"report", "--report"},
    {"rename-label", "--rename-label"},
    {"sample-type", "--sample-type"},
    {"several", "--several"},
    {"stale", "--stale (in CMake: BOLT_STALE)"},
    {"thin-lto", "--thin-lto"},
    {"time", "--time"},
    {"timeout", "--timeout (in CMake: BOLT_TIMEOUT)"},
    {"verbose", "--verbose"},
    {"weight", "--weight"},
    {"top", "--top"},
    {"with", "--with"},
    {"without-lines", "--without-lines"},
};

// Could text[begin, end), which is in braces, be a placeholder of our sentences? A name of a user
// may look like one; it is a whole path, or quoted, or in a list, or has a colon behind it.
bool stands_as_placeholder(std::string_view text, size_t begin, size_t end) {
  constexpr std::string_view kBehind = " ,;.)?'\n";
  // Behind a colon of ours there is a list.
  if (text.substr(end).starts_with(":\n")) end++;
  if (end < text.size() && kBehind.find(text[end]) == kBehind.npos) return false;
  // "{binary}.c" is the name of a file, and "{binary}." ends a sentence.
  if (end + 1 < text.size() && text[end] == '.' && text[end + 1] != ' ') return false;
  if (begin == 0) return true;
  if (text[begin - 1] == '(') return true;
  return text[begin - 1] == ' ' && (begin < 2 || text[begin - 2] != ' ');
}

// The keys of JSON whose values are texts of ours; what is below others are names and figures.
constexpr std::string_view kTextKeys[] = {"advice",   "checks", "error", "errors",  "message",
                                          "messages", "reason", "text",  "unusable"};

nlohmann::json with_words_everywhere(nlohmann::json json) {
  if (json.is_string()) return with_option_words(json.get<std::string>());
  if (json.is_structured())
    for (nlohmann::json& value : json) value = with_words_everywhere(std::move(value));
  return json;
}

}  // namespace

std::string with_option_words(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = text[at] == '{' ? text.find('}', at) : text.npos;
    const OptionWord* word = std::end(kWords);
    if (end != text.npos && stands_as_placeholder(text, at, end + 1))
      word = std::find_if(std::begin(kWords), std::end(kWords), [&](const OptionWord& one) {
        return one.name == std::string_view(text).substr(at + 1, end - at - 1);
      });
    if (end != text.npos && text.compare(at, 6, "{docs/") == 0) {
      result += document_path(text.substr(at + 1, end - at - 1));
      at = end + 1;
    } else if (word == std::end(kWords)) {
      result += text[at++];
    } else {
      result += word->shown;
      at = end + 1;
    }
  }
  return result;
}

nlohmann::json json_with_option_words(nlohmann::json json) {
  if (json.is_array())
    for (nlohmann::json& value : json) value = json_with_option_words(std::move(value));
  if (json.is_object())
    for (auto& [key, value] : json.items()) {
      bool is_text =
          std::find(std::begin(kTextKeys), std::end(kTextKeys), key) != std::end(kTextKeys);
      value = is_text ? with_words_everywhere(std::move(value))
                      : json_with_option_words(std::move(value));
    }
  return json;
}

std::string error_text(const Error& error) {
  std::string message = with_option_words(error.message);
  return error.advice.empty() ? message : message + "; " + with_option_words(error.advice);
}

}  // namespace pgo
