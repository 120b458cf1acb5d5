// Markdown: any text, names of code, lists, and a table of a TextSheet.
#pragma once

#include <string>
#include <vector>

#include "pgo/report/text_sheet.h"

namespace pgo {

// Escapes what Markdown would interpret.
std::string markdown_text(const std::string& text);

// A code span, in which Markdown interprets nothing.
std::string markdown_code(const std::string& text);

// A cell of a table.
std::string markdown_cell(const std::string& text, CellText kind);

// "- warning: ..." of each message, after an empty line; "" without warnings.
std::string markdown_warnings(const std::vector<std::string>& warnings);

// Titles in lower case, after an empty line.
std::string markdown_table(const std::vector<TableColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace pgo
