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

// A code span in a table: the bar that would end the cell is escaped even there. What has
// backslashes as well would not be read back as it was.
std::string cell_code(const std::string& text) {
  if (text.find('|') == std::string::npos) return markdown_code(text);
  if (text.find('\\') != std::string::npos) return markdown_text(text);
  std::string safe;
  for (char c : text) safe += c == '|' ? std::string("\\|") : std::string(1, c);
  return markdown_code(safe);
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

std::string markdown_code(const std::string& text) {
  const std::string line = printable_line(text);
  if (line.empty()) return line;
  // More backticks than there are in a row, and a space where the text would change the marks.
  size_t longest = 0, run = 0;
  for (char c : line) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
  const std::string mark(longest + 1, '`');
  auto is_edge = [](char c) { return c == '`' || c == ' '; };
  const std::string space = is_edge(line.front()) || is_edge(line.back()) ? " " : "";
  return mark + space + line + space + mark;
}

std::string markdown_cell(const std::string& text, CellText kind) {
  return kind == CellText::kCode ? cell_code(text) : markdown_text(text);
}

std::string markdown_warnings(const std::vector<std::string>& warnings) {
  std::string text = warnings.empty() ? "" : "\n";
  for (const std::string& warning : warnings) text += "- warning: " + markdown_text(warning) + "\n";
  return text;
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
    for (size_t i = 0; i < row.size(); i++)
      body += ' ' + markdown_cell(row[i], columns[i].text) + " |";
    body += '\n';
  }
  return "\n" + titles + "\n" + rule + "\n" + body;
}

}  // namespace pgo
