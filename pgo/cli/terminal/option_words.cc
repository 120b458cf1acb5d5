#include "pgo/cli/terminal/option_words.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "pgo/cli/terminal/document_path.h"

namespace pgo {
namespace {

// The name in braces, and what is shown for it. CMake and Bazel show these texts, too, so that
// their words are named where they have their own. Some names are those of things that a build
// sets, such as {emit-relocs}: the libraries do not know how.
struct OptionWord {
  std::string_view name, shown;
};
constexpr OptionWord kWords[] = {
    {"allow-inferred", "--allow-inferred (in CMake: BOLT_INFERRED; in Bazel: allow_inferred)"},
    {"allow-label", "--allow-label"},
    {"any-output", "--any-output"},
    {"assume-build-id", "--assume-build-id"},
    {"binary", "--binary"},
    {"binary-from", "--binary-from"},
    {"bolt-of", "--bolt-of"},
    {"build-id", "--build-id"},
    {"by-line", "--by-line"},
    {"busiest", "--busiest"},
    {"by", "--by"},
    {"cache", "--cache"},
    {"ca-file", "--ca-file"},
    {"check", "--check"},
    {"check-against", "--check-against"},
    {"comm", "--comm"},
    {"config", "--config"},
    {"configuration", "--configuration"},
    {"core-hour", "--core-hour"},
    {"cores", "--cores"},
    {"compiler", "--compiler"},
    {"compat", "--compat=llvm-profgen"},
    {"count", "--count"},
    {"debug-file", "--debug-file"},
    {"debug-root", "--debug-root"},
    {"drop-label", "--drop-label"},
    {"drop-outliers", "--drop-outliers"},
    {"dry-run", "--dry-run"},
    {"emit-relocs",
     "-Wl,--emit-relocs (in CMake: BOLT of prodpgo_profilable or prodpgo_optimize; in Bazel: bolt "
     "= "
     "True)"},
    {"engine", "--engine"},
    {"event", "--event"},
    {"focus", "--focus"},
    {"from", "--from"},
    {"hide", "--hide"},
    {"host-label", "--host-label"},
    {"ignore", "--ignore"},
    {"json", "--json"},
    {"keep-label", "--keep-label"},
    {"label", "--label"},
    {"library", "--library"},
    {"linked", "(in CMake: LINKED of prodpgo_profilable and prodpgo_optimize)"},
    {"list", "--list"},
    {"llvm-bolt", "--llvm-bolt or PRODPGO_LLVM_BOLT"},
    {"lock", "--lock"},
    {"locked", "--locked"},
    {"log", "--log"},
    {"max-bytes", "--max-bytes"},
    {"min-match=0", "MIN_MATCH 0 of prodpgo_optimize (CMake), min_match = 0 (Bazel)"},
    {"merge", "--merge"},
    {"normalize", "--normalize"},
    {"on-failure", "--on-failure"},
    {"on-failure=error",
     "--on-failure error (in CMake: BOLT_ON_FAILURE error; in Bazel: on_failure = 'error')"},
    {"on-inferred", "--on-inferred"},
    {"on-inferred=error",
     "--on-inferred error (in CMake: BOLT_ON_FAILURE error, or PRODPGO_REQUIRED=ON)"},
    {"output", "-o"},
    {"overhead", "--overhead"},
    {"perf2bolt", "--perf2bolt"},
    {"pairs", "--pairs"},
    {"path-template", "--path-template"},
    {"per", "--per"},
    {"period", "--period"},
    {"plain-http", "--plain-http"},
    {"physical", "--physical"},
    {"pid", "--pid"},
    {"prebolt", "(in CMake: PROGRAM.prebolt)"},
    {"profilable", "prodpgo_profilable (CMake)"},
    {"profile", "--profile"},
    {"pull", "--pull"},
    {"qemu", "--qemu"},
    {"report", "--report"},
    {"rename-label", "--rename-label"},
    {"sample-type", "--sample-type"},
    {"sign", "--sign"},
    {"standardize", "--standardize"},
    {"trim-path", "--trim-path"},
    {"units-before", "--units-before"},
    {"units-after", "--units-after"},
    {"units-window-before", "--units-window-before"},
    {"units-window-after", "--units-window-after"},
    {"service-name", "--service"},
    {"several", "--several"},
    {"shard", "--shard"},
    {"show", "--show"},
    {"source-root", "--source-root"},
    {"spool", "--spool"},
    {"stale", "--stale (in CMake: BOLT_STALE; in Bazel: stale)"},
    {"stop", "--stop"},
    {"tagfocus", "--tagfocus"},
    {"tagignore", "--tagignore"},
    {"tagshow", "--tagshow"},
    {"thin-lto", "--thin-lto"},
    {"time", "--time"},
    {"traffic", "--traffic"},
    {"trap-unreachable", "-mllvm -trap-unreachable (the CMake package and the Bazel rules do)"},
    {"to", "--to"},
    {"timeout", "--timeout (in CMake: BOLT_TIMEOUT; in Bazel: timeout_seconds)"},
    {"verbose", "--verbose"},
    {"verify", "--verify"},
    {"weight", "--weight"},
    {"top", "--top"},
    {"with", "--with"},
    {"without-lines", "--without-lines"},
};

// The words for the name of an option or the path of a document; empty: there is no such name.
std::string shown(std::string_view name) {
  if (name.starts_with("docs/")) return document_path(std::string(name));
  const OptionWord* word = std::find_if(std::begin(kWords), std::end(kWords),
                                        [&](const OptionWord& one) { return one.name == name; });
  return word == std::end(kWords) ? "" : std::string(word->shown);
}

}  // namespace

std::string with_option_words(const std::string& text) {
  std::string result;
  for (size_t at = 0; at < text.size();) {
    size_t end = text.compare(at, 2, "\xFF{") == 0 ? text.find('}', at) : text.npos;
    std::string words;
    if (end != text.npos) words = shown(std::string_view(text).substr(at + 2, end - at - 2));
    result += words.empty() ? text.substr(at, 1) : words;
    at = words.empty() ? at + 1 : end + 1;
  }
  return result;
}

nlohmann::json json_with_option_words(nlohmann::json json) {
  if (json.is_string()) return with_option_words(json.get<std::string>());
  if (json.is_structured())
    for (nlohmann::json& value : json) value = json_with_option_words(std::move(value));
  return json;
}

Diagnostics with_option_words(const Diagnostics& diagnostics) {
  Diagnostics result;
  for (const auto& [kind, entry] : diagnostics.entries()) {
    uint64_t others = entry.count - entry.messages.size();
    for (const std::string& message : entry.messages)
      result.warn(kind, with_option_words(message), 1 + std::exchange(others, 0));
  }
  return result;
}

std::string error_text(const Error& error) {
  std::string message = with_option_words(error.message);
  if (error.advice.empty()) return message;
  const bool ends_with_a_list = message.find('\n') != message.npos;
  return message + (ends_with_a_list ? "\n  " : "; ") + with_option_words(error.advice);
}

}  // namespace pgo
