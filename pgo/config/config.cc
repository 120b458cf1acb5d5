#include "pgo/config/config.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "pgo/base/bytes.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/spelling.h"

// toml++ as headers, so that no library is linked, and without exceptions. It compiles slowly: only
// this file includes it.
#define TOML_HEADER_ONLY 1
#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#define TOML_MAX_NESTED_VALUES 16
#include <toml++/toml.h>

namespace pgo {
namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestConfig = uint64_t{1} << 20;
constexpr uint64_t kLargestCodeowners = uint64_t{3} << 20;  // GitHub's limit, too
constexpr size_t kLongestText = 256;

// Each dot of a key nests a table, and toml++ bounds only values in brackets. Tables are destroyed
// recursively.
constexpr ptrdiff_t kMostDots = 256;

struct NumberRange {
  double least, most;
  const char* words;
};
constexpr NumberRange kPercent{0, 100, "a percentage from 0 to 100"};
constexpr NumberRange kGrowth{0, 10'000, "a percentage from 0 to 10000"};
constexpr NumberRange kCores{1e-6, 1e9, "a number of cores above 0"};
constexpr NumberRange kPrice{0, 1e9, "a price of 0 or more"};

std::string number_word(double value) {
  char digits[32];
  auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
  return {digits, end};
}

// What stands in the file: "120", "'abc'", "a table".
std::string found_word(const toml::node& node) {
  constexpr size_t kShown = 40;
  switch (node.type()) {
    case toml::node_type::string: {
      const std::string& text = **node.as_string();
      return "'" + (text.size() > kShown ? text.substr(0, kShown) + "..." : text) + "'";
    }
    case toml::node_type::integer: return std::to_string(**node.as_integer());
    case toml::node_type::floating_point: return number_word(**node.as_floating_point());
    case toml::node_type::boolean: return **node.as_boolean() ? "true" : "false";
    case toml::node_type::array: return "an array";
    case toml::node_type::table: return "a table";
    default: return "a date or time";
  }
}

// The keys of a table with their values, in the order of the file.
using TableEntry = std::pair<const toml::key*, const toml::node*>;
std::vector<TableEntry> entries_of(const toml::table& table) {
  std::vector<TableEntry> entries;
  for (auto&& [key, node] : table) entries.emplace_back(&key, &node);
  std::stable_sort(entries.begin(), entries.end(), [](const TableEntry& a, const TableEntry& b) {
    const toml::source_position &at_a = a.first->source().begin, &at_b = b.first->source().begin;
    return std::pair(at_a.line, at_a.column) < std::pair(at_b.line, at_b.column);
  });
  return entries;
}

class ConfigReader {
 public:
  explicit ConfigReader(const std::string& name) : name_(name) {}

  Result<Config> read(std::string_view text) &&;

 private:
  using ReadValue = std::function<Result<void>(const std::string& key, const toml::node& value)>;
  using Keys = std::map<std::string, ReadValue>;

  std::string place(const toml::source_position& at) const {
    return name_ + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }
  Failure wrong(const std::string& key, const toml::node& value, const std::string& expected) const;
  Failure unknown(const toml::key& key, const std::string& table, const Keys& keys) const;
  Result<void> check_dots(std::string_view text) const;
  Result<void> read_keys(const std::string& table, const toml::table& from, const Keys& keys) const;

  // How the value of a key is read.
  ReadValue section(Keys keys) const;
  ReadValue number(std::optional<double>& into, NumberRange range) const;
  ReadValue text(std::string& into, std::string expected) const;
  ReadValue patterns(Result<void> (Owners::*add)(std::string_view, std::string_view));
  ReadValue file(std::optional<NamedFile>& into) const;

  const std::string& name_;
  Config config_;
};

Failure ConfigReader::wrong(const std::string& key, const toml::node& value,
                            const std::string& expected) const {
  return fail(ErrorKind::kInput, place(value.source().begin) + ": " + key + " is " +
                                     found_word(value) + "; expected " + expected);
}

Failure ConfigReader::unknown(const toml::key& key, const std::string& table,
                              const Keys& keys) const {
  std::vector<std::string> known;
  std::string list;
  for (const auto& [name, read] : keys) {
    known.push_back(name);
    list += (list.empty() ? "" : ", ") + name;
  }
  const std::string meant = did_you_mean(key.str(), known);
  return fail(ErrorKind::kInput, place(key.source().begin) + ": unknown key '" +
                                     std::string(key.str().substr(0, kLongestText)) + "'" +
                                     (table.empty() ? "" : " in [" + table + "]") +
                                     (meant.empty() ? "; expected one of: " + list : meant));
}

Result<void> ConfigReader::check_dots(std::string_view text) const {
  for (size_t line = 1; !text.empty(); line++) {
    std::string_view one = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (std::count(one.begin(), one.end(), '.') > kMostDots)
      return fail(ErrorKind::kInput, name_ + ":" + std::to_string(line) + ":1: more than " +
                                         std::to_string(kMostDots) +
                                         " dots; expected a shorter line");
  }
  return ok();
}

Result<void> ConfigReader::read_keys(const std::string& table, const toml::table& from,
                                     const Keys& keys) const {
  for (const auto& [key, node] : entries_of(from)) {
    auto found = keys.find(std::string(key->str()));
    if (found == keys.end()) return unknown(*key, table, keys);
    PGO_CHECK(found->second(table.empty() ? found->first : table + "." + found->first, *node));
  }
  return ok();
}

ConfigReader::ReadValue ConfigReader::section(Keys keys) const {
  return [this, keys = std::move(keys)](const std::string& key,
                                        const toml::node& value) -> Result<void> {
    if (!value.is_table()) return wrong(key, value, "the table [" + key + "]");
    return read_keys(key, *value.as_table(), keys);
  };
}

ConfigReader::ReadValue ConfigReader::number(std::optional<double>& into, NumberRange range) const {
  return [this, &into, range](const std::string& key, const toml::node& value) -> Result<void> {
    const std::optional<double> given =
        value.is_number() ? value.value<double>() : std::optional<double>();
    // TOML's nan is in no range.
    if (!given || !(*given >= range.least && *given <= range.most))
      return wrong(key, value, range.words);
    into = given;
    return ok();
  };
}

ConfigReader::ReadValue ConfigReader::text(std::string& into, std::string expected) const {
  return [this, &into, expected = std::move(expected)](const std::string& key,
                                                       const toml::node& value) -> Result<void> {
    if (!value.is_string()) return wrong(key, value, expected);
    const std::string& given = **value.as_string();
    auto is_control = [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; };
    if (given.empty() || given.size() > kLongestText ||
        std::any_of(given.begin(), given.end(), is_control))
      return wrong(key, value, expected);
    into = given;
    return ok();
  };
}

ConfigReader::ReadValue ConfigReader::patterns(Result<void> (Owners::*add)(std::string_view,
                                                                           std::string_view)) {
  return [this, add](const std::string& table, const toml::node& value) -> Result<void> {
    if (!value.is_table()) return wrong(table, value, "the table [" + table + "]");
    for (const auto& [key, node] : entries_of(*value.as_table())) {
      const std::string pattern(key->str()), shown = "'" + pattern.substr(0, kLongestText) + "'";
      std::string team;
      PGO_CHECK(text(team, "the name of a team")(shown, *node));
      Result<void> added = (config_.owners.*add)(pattern, team);
      if (!added)
        return fail(ErrorKind::kInput, place(key->source().begin) + ": the pattern " + shown + " " +
                                           added.error().message);
    }
    return ok();
  };
}

ConfigReader::ReadValue ConfigReader::file(std::optional<NamedFile>& into) const {
  return [this, &into](const std::string& key, const toml::node& value) -> Result<void> {
    NamedFile named{{}, place(value.source().begin)};
    PGO_CHECK(text(named.path, "the path of a file")(key, value));
    into = std::move(named);
    return ok();
  };
}

Result<Config> ConfigReader::read(std::string_view text_of_file) && {
  PGO_CHECK(check_dots(text_of_file));
  toml::parse_result parsed = toml::parse(text_of_file);
  if (!parsed) {
    std::string description(parsed.error().description());
    if (description[0] >= 'A' && description[0] <= 'Z')
      description[0] = static_cast<char>(description[0] - 'A' + 'a');
    return fail(ErrorKind::kInput,
                place(parsed.error().source().begin) + ": is not valid TOML: " + description);
  }
  VerifyConfig& verify = config_.verify;
  CostConfig& cost = config_.cost;
  const Keys keys{
      {"verify", section({{"limit", number(verify.limit, kGrowth)},
                          {"expect", number(verify.expect, kPercent)},
                          {"function-limit", number(verify.function_limit, kGrowth)},
                          {"min-share", number(verify.min_share, kPercent)}})},
      {"owners", section({{"codeowners", file(config_.codeowners)},
                          {"functions", patterns(&Owners::add_function_pattern)},
                          {"paths", patterns(&Owners::add_path_pattern)}})},
      {"cost", section({{"cores", number(cost.cores, kCores)},
                        {"core-hour", number(cost.core_hour, kPrice)},
                        {"currency", text(cost.currency, "a currency such as 'USD'")}})}};
  PGO_CHECK(read_keys("", parsed.table(), keys));
  return std::move(config_);
}

Result<MappedFile> open_bounded(const std::string& path, uint64_t limit) {
  PGO_TRY(MappedFile file, MappedFile::open(path, {.limit = limit}));
  if (file.bytes().size() > limit)
    return fail(ErrorKind::kInput,
                path + ": is larger than " + std::to_string(limit >> 20) + " MB");
  return file;
}

}  // namespace

Result<Config> parse_config(std::string_view text, const std::string& name) {
  return ConfigReader(name).read(text);
}

Result<Config> read_config(const std::string& path) {
  PGO_TRY(MappedFile file, open_bounded(path, kLargestConfig));
  PGO_TRY(Config config, parse_config(as_text(file.bytes()), path));
  if (!config.codeowners) return config;
  const std::string named = (fs::path(path).parent_path() / config.codeowners->path).string();
  Result<MappedFile> codeowners = open_bounded(named, kLargestCodeowners);
  if (!codeowners)
    return fail(codeowners.error().kind,
                config.codeowners->place + ": owners.codeowners: " + codeowners.error().message,
                codeowners.error().advice);
  config.owners.add_codeowners(as_text(codeowners->bytes()), named, config.diagnostics);
  return config;
}

std::optional<std::string> find_config(const std::string& start_directory) {
  std::error_code error;
  fs::path directory = fs::canonical(start_directory, error);
  while (!directory.empty()) {
    const fs::path candidate = directory / kConfigName;
    const fs::file_status status = fs::status(candidate, error);
    const bool is_known = fs::exists(status) && status.type() != fs::file_type::unknown;
    if (is_known && !fs::is_directory(status)) return candidate.string();
    if (!directory.has_relative_path()) break;
    directory = directory.parent_path();
  }
  return std::nullopt;
}

}  // namespace pgo
