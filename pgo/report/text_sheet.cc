#include "pgo/report/text_sheet.h"

#include <algorithm>

#include "pgo/base/utf8.h"

namespace pgo {
namespace {

constexpr size_t kLabelWidth = 16;

// How many columns of a terminal `text` takes, once it is printable.
size_t width_of(const std::string& text) { return count_characters(valid_utf8(text)); }

std::string padded(const std::string& text, size_t width, Align align) {
  std::string padding(width - std::min(width, width_of(text)), ' ');
  return align == Align::kRight ? padding + text : text + padding;
}

}  // namespace

std::string printable(const std::string& text) {
  std::string valid = valid_utf8(text), result;
  for (size_t i = 0; i < valid.size(); i++) {
    auto byte = static_cast<unsigned char>(valid[i]);
    bool is_control = (byte < 0x20 && byte != '\n') || byte == 0x7f;
    // U+0080 to U+009F.
    bool is_wide_control = byte == 0xc2 && (valid[i + 1] & 0xe0) == 0x80;
    result += is_control || is_wide_control ? '?' : valid[i];
    i += is_wide_control;
  }
  return result;
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
