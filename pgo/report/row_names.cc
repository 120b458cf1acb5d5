#include "pgo/report/row_names.h"

#include <algorithm>
#include <map>

#include "pgo/code/shown_name.h"

namespace pgo {
namespace {

std::string row_name(RowsBy by, const RowKey& key) {
  std::string name =
      by == RowsBy::kFunction || by == RowsBy::kLine ? shown_name(key.name) : key.name;
  if (by == RowsBy::kLine && !key.file.empty())
    name += " " + key.file + ":" + (key.line > 0 ? std::to_string(key.line) : "?");
  return name;
}

}  // namespace

const char* row_word(RowsBy by) {
  switch (by) {
    case RowsBy::kFunction: return "function";
    case RowsBy::kFile: return "file";
    case RowsBy::kLine: return "line";
    case RowsBy::kBinary: return "binary";
    case RowsBy::kLabel: return "label";
    case RowsBy::kTeam: return "team";
  }
  return "";
}

CellText row_text(RowsBy by) {
  return by == RowsBy::kLabel || by == RowsBy::kTeam ? CellText::kWords : CellText::kCode;
}

std::string row_title(RowsBy by, bool cumulative) {
  std::string title = row_word(by);
  std::transform(title.begin(), title.end(), title.begin(),
                 [](char c) { return static_cast<char>(c - 'a' + 'A'); });
  return cumulative ? title + ", WITH WHAT IT CALLS" : title;
}

std::vector<std::string> row_names(RowsBy by, const std::vector<const RowKey*>& keys) {
  std::map<std::string, size_t> uses;
  std::vector<std::string> names;
  for (const RowKey* key : keys) uses[names.emplace_back(row_name(by, *key))]++;
  for (size_t i = 0; i < keys.size(); i++) {
    const RowKey& key = *keys[i];
    if (uses[names[i]] < 2) continue;
    names[i] += " (" + (key.file.empty() ? "" : key.file + ", ") +
                (key.binary.empty() ? "?" : key.binary) + ")";
  }
  return names;
}

}  // namespace pgo
