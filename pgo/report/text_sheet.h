// TextSheet: lays out what a command says for people: headings, rows of a label and a value,
// tables.
//
//   TextSheet sheet;
//   sheet.row("build ID", id.hex());
//   sheet.table({{"SAMPLES", Align::kRight}, {"FUNCTION"}}, rows);
//   std::fputs(sheet.text().c_str(), stdout);
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace pgo {

enum class Align { kLeft, kRight };
// Names of code are written as code where the form allows it.
enum class CellText { kWords, kCode };

struct TableColumn {
  std::string title;
  Align align = Align::kLeft;
  CellText text = CellText::kWords;
};

// `text` with '?' for each invisible character (pgo/base/utf8.h) and each byte that is no UTF-8:
// names come from recordings and binaries, and a terminal would obey what they hold.
std::string printable_line(const std::string& text);

// The same for a text of several lines, of which those after the first begin with two spaces: a
// line end before anything else is part of a name, which cannot pass for a line of ours.
std::string printable(const std::string& text);

// The lines of a text without foreign names: a line end is never part of one.
std::vector<std::string> lines_of(const std::string& text);

// "a, b, c".
std::string joined(const std::vector<std::string>& words);

// All that goes in comes out printable.
class TextSheet {
 public:
  TextSheet() = default;
  // With labels of up to `longest` characters.
  explicit TextSheet(size_t longest) : label_width_(longest + 3) {}

  void line(const std::string& text) { text_ += printable_line(text) + "\n"; }
  // Lines that are laid out already, for printable(), after an empty one.
  void block(const std::string& lines);
  // "  label     value"; the values of labels of up to 13 characters are one below the other.
  void row(const std::string& label, const std::string& value) { rows(label, {value}); }
  // One below the other; the label is beside the first.
  void rows(const std::string& label, const std::vector<std::string>& values);
  // An empty line, the titles, one line for each row; columns are as wide as they need to be.
  void table(const std::vector<TableColumn>& columns,
             const std::vector<std::vector<std::string>>& rows);

  const std::string& text() const { return text_; }

 private:
  std::string text_;
  size_t label_width_ = 16;  // with the spaces around it
};

}  // namespace pgo
