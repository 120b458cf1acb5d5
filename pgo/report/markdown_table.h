// A table of a TextSheet as Markdown.
#pragma once

#include <string>
#include <vector>

#include "pgo/report/text_sheet.h"

namespace pgo {

// Titles in lower case, after an empty line.
std::string markdown_table(const std::vector<TableColumn>& columns,
                           const std::vector<std::vector<std::string>>& rows);

}  // namespace pgo
