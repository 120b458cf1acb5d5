#include "pgo/report/flags_report.h"

#include <nlohmann/json.hpp>

#include "pgo/base/shell_word.h"
#include "pgo/report/text_sheet.h"

namespace pgo {
namespace {

nlohmann::json list_json(const std::vector<ChosenFlag>& flags) {
  nlohmann::json list = nlohmann::json::array();
  for (const ChosenFlag& flag : flags) list.push_back({{"words", flag.words}, {"loss", flag.loss}});
  return list;
}

void add_table(const std::string& title, const std::vector<ChosenFlag>& flags, TextSheet& sheet) {
  std::vector<std::vector<std::string>> rows;
  for (const ChosenFlag& flag : flags) rows.push_back({shell_line(flag.words), flag.loss});
  if (!rows.empty()) sheet.table({{title}, {"WITHOUT IT"}}, rows);
}

}  // namespace

nlohmann::json flags_json(const FlagsResult& result) {
  return {{"compiler",
           {{"family", family_name(result.compiler.family)},
            {"program", result.compiler.program},
            {"version", result.compiler.version}}},
          {"compile", list_json(result.compile)},
          {"link", list_json(result.link)},
          {"unknown", list_json(result.unknown)}};
}

std::string flags_text(const FlagsResult& result) {
  TextSheet sheet;
  add_table("COMPILE", result.compile, sheet);
  add_table("LINK", result.link, sheet);
  add_table("NOT KNOWN TO THIS COMPILER", result.unknown, sheet);
  return sheet.text().substr(1);  // the empty line above the first table
}

std::string flags_line(const std::vector<ChosenFlag>& flags) {
  std::string text;
  for (const ChosenFlag& flag : flags) text += (text.empty() ? "" : " ") + shell_line(flag.words);
  return text + "\n";
}

}  // namespace pgo
