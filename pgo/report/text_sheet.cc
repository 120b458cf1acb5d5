#include "pgo/report/text_sheet.h"

#include <algorithm>
#include <string_view>

#include "pgo/base/utf8.h"

namespace pgo {
namespace {

// How many columns of a terminal `text` takes, once it is printable.
size_t width_of(const std::string& text) { return count_characters(valid_utf8(text)); }

std::string padded(const std::string& text, size_t width, Align align) {
  std::string padding(width - std::min(width, width_of(text)), ' ');
  return align == Align::kRight ? padding + text : text + padding;
}

}  // namespace

std::string printable_line(const std::string& text) {
  const std::string valid = valid_utf8(text);
  std::string result;
  for (std::string_view rest = valid; !rest.empty();) {
    const auto [character, size] = first_character(rest);
    result += is_invisible(character) ? "?" : rest.substr(0, size);
    rest.remove_prefix(size);
  }
  return result;
}

std::string printable(const std::string& text) {
  std::string result;
  for (size_t begin = 0, end; begin <= text.size(); begin = end + 1) {
    end = std::min(text.find("\n  ", begin), text.size());
    result += printable_line(text.substr(begin, end - begin));
    if (end < text.size()) result += '\n';
  }
  return result;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  size_t begin = 0, end;
  do {
    end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  } while (end != std::string::npos);
  return lines;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void TextSheet::block(const std::string& lines) {
  text_ += "\n" + printable(lines.substr(0, lines.find_last_not_of('\n') + 1)) + "\n";
}

void TextSheet::rows(const std::string& label, const std::vector<std::string>& values) {
  std::string name = label;
  for (const std::string& value : values) {
    line("  " + padded(name + " ", label_width_ - 2, Align::kLeft) + value);
    name.clear();
  }
}

void TextSheet::table(const std::vector<TableColumn>& columns,
                      const std::vector<std::vector<std::string>>& rows) {
  std::vector<size_t> widths;
  for (const TableColumn& column : columns) widths.push_back(width_of(column.title));
  for (const std::vector<std::string>& row : rows)
    for (size_t i = 0; i < row.size(); i++) widths[i] = std::max(widths[i], width_of(row[i]));
  auto add = [&](auto&& cell) {
    std::string text;
    for (size_t i = 0; i < columns.size(); i++)
      text += "  " + padded(cell(i), widths[i], columns[i].align);
    line(text.substr(0, text.find_last_not_of(' ') + 1));
  };
  line("");
  add([&](size_t i) { return columns[i].title; });
  for (const std::vector<std::string>& row : rows) add([&](size_t i) { return row[i]; });
}

}  // namespace pgo
