#include "converters/bolt_yaml/bolt_yaml.h"

#include <algorithm>
#include <charconv>

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

constexpr size_t kHeader = 4096;  // bytes; all headers known are shorter
constexpr size_t kQuoted = 80;    // characters of a line that a message repeats

std::string_view header_of(Bytes bytes) {
  std::string_view text = as_text(bytes).substr(0, kHeader);
  return text.substr(0, text.find("\nfunctions:"));
}

std::string header_value(std::string_view header, std::string_view key) {
  size_t place = header.find(key);
  if (place == std::string_view::npos) return {};
  std::string_view value = header.substr(place + key.size());
  return bolt_yaml_scalar(value.substr(0, value.find('\n')));
}

std::string quoted(std::string_view line) {
  return "'" + std::string(line.substr(0, kQuoted)) + (line.size() > kQuoted ? "...'" : "'");
}

class YamlFunctions {
 public:
  // False when a number in the line is none.
  bool add_line(std::string_view line) {
    constexpr std::string_view kName = "  - name:", kEntries = "    exec:";
    if (line.starts_with(kName)) {
      functions.emplace_back().name = line.substr(kName.size());
      return true;
    }
    if (functions.empty()) return true;
    BoltYamlFunction& function = functions.back();
    if (line.starts_with(kEntries))
      return add_number(line.substr(kEntries.size()), function.entries);
    // Lists may go on in further lines.
    return add_all(line, " cnt: ", function.count) && add_all(line, " events: ", function.count) &&
           add_all(line, " mis: ", function.mispredicts);
  }

  std::vector<BoltYamlFunction> functions;

 private:
  static bool add_number(std::string_view text, uint64_t& sum) {
    size_t first = std::min(text.find_first_not_of(' '), text.size());
    uint64_t number = 0;
    const char* text_end = text.data() + text.size();
    auto [end, error] = std::from_chars(text.data() + first, text_end, number);
    sum = saturating_add(sum, number);
    // Not 0x10 or 1e9.
    bool ends = end == text_end || std::string_view(" ,}]\r").find(*end) != std::string_view::npos;
    return error == std::errc() && ends;
  }

  static bool add_all(std::string_view line, std::string_view key, uint64_t& sum) {
    for (size_t at = 0; (at = line.find(key, at)) != std::string_view::npos;) {
      at += key.size();
      if (!add_number(line.substr(at), sum)) return false;
    }
    return true;
  }
};

}  // namespace

bool is_bolt_yaml(Bytes bytes) {
  std::string_view header = header_of(bytes);
  return header.starts_with("---\nheader:\n") &&
         header.find("\n  profile-version:") != std::string_view::npos;
}

BuildId bolt_yaml_build_id(Bytes bytes) {
  constexpr std::string_view kKey = "\n  binary-build-id:";
  std::string_view header = header_of(bytes);
  size_t place = header.find(kKey);
  if (place == std::string_view::npos) return {};
  std::string_view value = header.substr(place + kKey.size());
  value = value.substr(0, value.find('\n'));
  size_t first = value.find_first_not_of(" '");
  if (first == std::string_view::npos) return {};
  value.remove_prefix(first);
  value = value.substr(0, value.find_first_of(" '\r"));
  return BuildId::from_hex(value).value_or(BuildId{});
}

// LLVM writes a quote in quotes twice.
std::string bolt_yaml_scalar(std::string_view text) {
  size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first);
  if (!text.starts_with('\'') || !text.ends_with('\'') || text.size() < 2) return std::string(text);
  text = text.substr(1, text.size() - 2);
  std::string value;
  for (size_t i = 0; i < text.size(); i++) {
    value += text[i];
    if (text.substr(i).starts_with("''")) i++;
  }
  return value;
}

Result<BoltYamlProfile> parse_bolt_yaml(Bytes bytes, const std::string& name) {
  std::string_view header = header_of(bytes);
  BoltYamlProfile profile;
  profile.binary_name = header_value(header, "\n  binary-name:");
  profile.build_id = bolt_yaml_build_id(bytes);
  profile.pc_samples =
      header_value(header, "\n  profile-flags:").find("sample") != std::string::npos;

  std::string_view text = as_text(bytes);
  YamlFunctions functions;
  bool is_in_functions = false, has_end = false;
  for (uint64_t number = 1; !text.empty(); number++) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    auto unexpected = [&](const char* wanted) {
      return fail(ErrorKind::kInput, name + ": line " + std::to_string(number) + ": expected " +
                                         wanted + ", found " + quoted(line));
    };
    if (has_end && !line.empty()) return unexpected("the end of the file");
    has_end |= line == "...";
    if (!line.starts_with(' ')) is_in_functions = line.starts_with("functions:");
    if (is_in_functions && !functions.add_line(line)) return unexpected("a count");
  }
  if (!has_end)
    return fail(ErrorKind::kInput, name + ": does not end with '...'; was it cut short?");
  profile.functions = std::move(functions.functions);
  return profile;
}

}  // namespace pgo
