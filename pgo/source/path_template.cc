#include "pgo/source/path_template.h"

#include <re2/re2.h>

#include <algorithm>
#include <string_view>

namespace pgo {

Result<PathTemplate> PathTemplate::parse(const std::string& text) {
  auto wrong = [&](const std::string& what) {
    return fail(ErrorKind::kUsage, "\xFF{path-template} " + text + ": " + what +
                                       "; a template looks like {service}/{version}/{host}.pb.gz");
  };
  PathTemplate result;
  result.text_ = text;
  std::string expression = "(?:^|.*/)";
  std::string_view rest = text;
  while (!rest.empty()) {
    size_t open = rest.find('{');
    expression += RE2::QuoteMeta(std::string(rest.substr(0, open)));
    if (open == rest.npos) break;
    size_t close = rest.find('}', open);
    if (close == rest.npos) return wrong("'}' is missing");
    std::string key(rest.substr(open + 1, close - open - 1));
    if (key.empty()) return wrong("a key has no name");
    if (std::find(result.keys_.begin(), result.keys_.end(), key) != result.keys_.end())
      return wrong("has the key '" + key + "' twice");
    result.keys_.push_back(std::move(key));
    expression += "([^/]*)";
    rest.remove_prefix(close + 1);
  }
  if (result.keys_.empty()) return wrong("has no key");
  RE2::Options options(RE2::Quiet);
  options.set_encoding(RE2::Options::EncodingLatin1);  // paths are bytes
  options.set_dot_nl(true);
  result.expression_ = std::make_shared<RE2>(expression, options);
  if (!result.expression_->ok()) return wrong("is too long");
  return result;
}

std::optional<Labels> PathTemplate::labels_of(const std::string& path) const {
  std::vector<std::string> values(keys_.size());
  std::vector<RE2::Arg> arguments;
  std::vector<const RE2::Arg*> pointers;
  arguments.reserve(values.size());
  for (std::string& value : values) arguments.emplace_back(&value);
  for (const RE2::Arg& argument : arguments) pointers.push_back(&argument);
  if (!RE2::FullMatchN(path, *expression_, pointers.data(), static_cast<int>(pointers.size())))
    return std::nullopt;
  Labels labels;
  for (size_t i = 0; i < keys_.size(); i++) labels[keys_[i]] = std::move(values[i]);
  return labels;
}

}  // namespace pgo
