#include "pgo/report/markdown_table.h"

#include <algorithm>
#include <string_view>

namespace pgo {
namespace {

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return text;
}

}  // namespace

std::string markdown_text(const std::string& text) {
  std::string safe;
  for (char c : printable_line(text)) {
    if (std::string_view("\\|`*_<>[]&").find(c) != std::string_view::npos) safe += '\\';
    safe += c;
  }
  return safe;
}

std::string markdown_table(const std::vector<TableColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows) {
  std::string titles = "|", rule = "|", body;
  for (const TableColumn& column : columns) {
    titles += " " + lower_case(column.title) + " |";
    rule += column.align == Align::kRight ? "--:|" : "---|";
  }
  for (const std::vector<std::string>& row : rows) {
    body += '|';
    for (const std::string& cell : row) body += ' ' + markdown_text(cell) + " |";
    body += '\n';
  }
  return "\n" + titles + "\n" + rule + "\n" + body;
}

}  // namespace pgo
