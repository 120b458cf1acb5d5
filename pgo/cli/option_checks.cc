#include "pgo/cli/option_checks.h"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

namespace pgo {

CLI::Validator whole_number(uint64_t least, uint64_t most) {
  auto check = [least, most](std::string& text) -> std::string {
    uint64_t value = 0;
    const char* end = text.data() + text.size();
    auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error == std::errc() && rest == end && value >= least && value <= most) return "";
    std::string what = "must be a whole number";
    if (error == std::errc::result_out_of_range || value > most)
      what += " of at most " + std::to_string(most);
    else if (least != 0)
      what += " of at least " + std::to_string(least);
    return what + ", not " + text;
  };
  return CLI::Validator(check, "", "whole number");
}

CLI::Validator one_of(std::vector<std::string> choices) {
  auto check = [choices = std::move(choices)](std::string& text) -> std::string {
    if (std::find(choices.begin(), choices.end(), text) != choices.end()) return "";
    std::string names;
    for (const std::string& choice : choices) names += (names.empty() ? "" : " or ") + choice;
    return "must be " + names + ", not " + text;
  };
  return CLI::Validator(check, "", "choice");
}

}  // namespace pgo
