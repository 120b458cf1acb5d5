// Markdown: any text, and a table of a TextSheet.
#pragma once

#include <string>
#include <vector>

#include "pgo/report/text_sheet.h"

namespace pgo {

// Escapes what Markdown would interpret.
std::string markdown_text(const std::string& text);

// Titles in lower case, after an empty line.
std::string markdown_table(const std::vector<TableColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace pgo
