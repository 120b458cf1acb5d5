#include "pgo/cli/text_sheet.h"

#include <algorithm>

namespace pgo {
namespace {

constexpr size_t kLabelWidth = 16;

// How many columns of a terminal `text` takes: bytes that continue a UTF-8 sequence take none.
size_t width_of(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string padded(const std::string& text, size_t width, Align align) {
  std::string padding(width - std::min(width, width_of(text)), ' ');
  return align == Align::kRight ? padding + text : text + padding;
}

}  // namespace

std::string printable(std::string text) {
  for (size_t i = 0; i < text.size(); i++) {
    auto byte = static_cast<unsigned char>(text[i]);
    if ((byte < 0x20 && byte != '\n') || byte == 0x7f) text[i] = '?';
    // U+0080 to U+009F, in UTF-8.
    if (byte == 0xc2 && i + 1 < text.size() && (text[i + 1] & 0xe0) == 0x80)
      text.replace(i, 2, "?");
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void TextSheet::row(const std::string& label, const std::string& value) {
  std::string name = label;
  size_t begin = 0, end;
  do {
    end = value.find('\n', begin);
    line("  " + padded(name, kLabelWidth - 2, Align::kLeft) + value.substr(begin, end - begin));
    name.clear();
    begin = end + 1;
  } while (end != std::string::npos);
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
