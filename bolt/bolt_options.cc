#include "bolt/bolt_options.h"

#include <algorithm>
#include <optional>

namespace pgo {
namespace {

std::string_view without_leading(std::string_view text, char c) {
  return text.substr(std::min(text.find_first_not_of(c), text.size()));
}

// The longest piece that a name of an option or a value can be.
std::string_view leading_name(std::string_view text) {
  return text.substr(0, std::min(text.find_first_of(" =[<"), text.size()));
}

// One option: `values` from the best to what older versions have; none: a flag.
struct WantedOption {
  std::string_view name;
  std::vector<std::string_view> values;
  std::string_view why;  // said when it cannot be had
};

std::vector<WantedOption> list_options(const BoltRequest& request) {
  std::vector<WantedOption> list = {
      {"reorder-blocks", {"ext-tsp", "cache+"}, "blocks keep their order"},
      {"reorder-functions", {"cdsort", "hfsort+", "hfsort"}, "functions keep their order"},
      {"split-functions", {}, "cold blocks stay among hot ones"},
      {"split-all-cold", {}, ""},
      {"split-eh", {}, ""},
      {"icf", {"safe"}, ""},
      {"dyno-stats", {}, "there are no figures of the code before and after"},
  };
  if (request.debug_sections)
    list.push_back({"update-debug-sections", {}, "the result has no debug information"});
  if (request.address_translation)
    list.push_back(
        {"enable-bat", {}, "recordings of the result cannot be translated back to its input"});
  if (request.stale)
    list.push_back({"infer-stale-profile", {}, "changed functions are not optimized"});
  return list;
}

// "-name=value" in the way that this version has, if it does.
std::optional<std::string> find_spelling(const WantedOption& wanted,
                                         const SupportedOptions& supported) {
  std::string name = "-" + std::string(wanted.name);
  if (wanted.values.empty()) return supported.has(wanted.name) ? std::optional(name) : std::nullopt;
  for (std::string_view value : wanted.values)
    if (supported.has(wanted.name, value)) return name + "=" + std::string(value);
  return std::nullopt;
}

}  // namespace

bool SupportedOptions::has(std::string_view option, std::string_view value) const {
  auto found = options.find(option);
  return found != options.end() && found->second.contains(std::string(value));
}

// "  --name=<value>   - description", and below it "    =value   -   description".
SupportedOptions parse_bolt_help(std::string_view help) {
  SupportedOptions supported;
  std::set<std::string>* values = nullptr;
  while (!help.empty()) {
    std::string_view line = help.substr(0, help.find('\n'));
    help.remove_prefix(std::min(line.size() + 1, help.size()));
    line = without_leading(line, ' ');
    if (line.starts_with('-')) {
      std::string_view name = leading_name(without_leading(line, '-'));
      if (!name.empty()) values = &supported.options[std::string(name)];
    } else if (line.starts_with('=') && values != nullptr) {
      values->insert(std::string(leading_name(line.substr(1))));
    }
  }
  return supported;
}

std::string_view bolt_option_name(std::string_view argument) {
  if (!argument.starts_with('-')) return {};
  return leading_name(without_leading(argument, '-'));
}

BoltArguments choose_bolt_options(const SupportedOptions& supported, const BoltRequest& request,
                                  const std::vector<std::string>& extra) {
  auto is_given = [&](std::string_view name) {
    return std::any_of(extra.begin(), extra.end(), [&](const std::string& argument) {
      return bolt_option_name(argument) == name;
    });
  };
  BoltArguments arguments;
  for (const WantedOption& wanted : list_options(request)) {
    if (is_given(wanted.name)) continue;
    if (auto spelling = find_spelling(wanted, supported))
      arguments.options.push_back(*spelling);
    else if (!wanted.why.empty())
      arguments.missing.push_back("-" + std::string(wanted.name) + ": " + std::string(wanted.why));
  }
  if (request.small_code && supported.has("no-huge-pages") && !is_given("no-huge-pages") &&
      !is_given("hugify") && !is_given("hot-text"))
    arguments.options.push_back("-no-huge-pages");
  if (supported.has("bolt-info") && !is_given("bolt-info"))
    arguments.options.push_back("-bolt-info=0");
  arguments.options.insert(arguments.options.end(), extra.begin(), extra.end());
  return arguments;
}

}  // namespace pgo
