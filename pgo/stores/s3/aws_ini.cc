#include "pgo/stores/s3/aws_ini.h"

#include <algorithm>

namespace pgo::s3 {

namespace {

std::string_view without_spaces(std::string_view text) {
  static constexpr std::string_view kSpaces = " \t\r";
  const size_t first = text.find_first_not_of(kSpaces);
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(kSpaces) - first + 1);
}

// "profile  queryd" as "profile queryd".
std::string section_name(std::string_view text) {
  std::string name;
  for (char c : without_spaces(text)) {
    const bool is_space = c == ' ' || c == '\t';
    if (!is_space)
      name += c;
    else if (name.back() != ' ')
      name += ' ';
  }
  return name;
}

std::string_view without_remark(std::string_view value) {
  // A remark begins after a space.
  for (const std::string_view mark : {" #", " ;", "\t#", "\t;"})
    value = value.substr(0, std::min(value.find(mark), value.size()));
  return without_spaces(value);
}

}  // namespace

Result<AwsIni> AwsIni::parse(std::string_view text, const std::string& name) {
  AwsIni ini;
  Section* section = nullptr;
  std::string parent;  // the key without a value that indented lines belong to
  for (uint64_t number = 1; !text.empty(); ++number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::string_view words = without_spaces(line);
    const bool is_indented = line.starts_with(' ') || line.starts_with('\t');
    if (words.empty() || words[0] == '#' || words[0] == ';') continue;
    auto failure = [&](const char* what) {
      return fail(ErrorKind::kInput, name + ": line " + std::to_string(number) + ": " + what);
    };
    if (words[0] == '[' && !is_indented) {
      const size_t close = words.find(']');
      const std::string title = close == words.npos ? "" : section_name(words.substr(1, close - 1));
      if (title.empty()) return failure("expected [NAME]");
      section = &ini.sections_[title];
      parent.clear();
      continue;
    }
    const size_t equal = words.find('=');
    if (equal == words.npos || equal == 0) return failure("expected KEY = VALUE");
    if (!section) return failure("a value before the first [NAME]");
    const std::string key(without_spaces(words.substr(0, equal)));
    const std::string value(without_remark(words.substr(equal + 1)));
    if (is_indented && !parent.empty()) {
      (*section)[parent + "." + key] = value;
    } else {
      (*section)[key] = value;
      parent = value.empty() ? key : "";
    }
  }
  return ini;
}

bool AwsIni::has_section(std::string_view section) const { return sections_.contains(section); }

const std::string& AwsIni::value(std::string_view section, std::string_view key) const {
  static const std::string kNone;
  auto found = sections_.find(section);
  if (found == sections_.end()) return kNone;
  auto entry = found->second.find(key);
  return entry == found->second.end() ? kNone : entry->second;
}

}  // namespace pgo::s3
