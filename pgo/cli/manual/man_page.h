// Writes manual pages: the program's, and one of each command. Their text is that of --help, so the
// two cannot differ.
//
// Layout: roff with the macros of man(7). Lines of a help text that are indented are tables or
// examples, and stay as they are; the others are filled into paragraphs.
#pragma once

#include <string>

#include "pgo/cli/manual/program_description.h"

namespace pgo {

// "pgo.1", "pgo-merge.1".
std::string man_page_name(const ProgramDescription& program);
std::string man_page_name(const ProgramDescription& program, const CommandDescription& command);

std::string man_page(const ProgramDescription& program);
std::string man_page(const ProgramDescription& program, const CommandDescription& command);

}  // namespace pgo
