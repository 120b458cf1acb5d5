// What the commands say beside their results, on standard error.
#pragma once

#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"
#include "pgo/report/message.h"

namespace pgo {

// A remark that is no error.
void print_note(const std::string& text);
void print_warning(const std::string& text);
void print(const std::vector<Message>& messages);
// The messages of each kind, and how many more there were.
void print_warnings(const Diagnostics& diagnostics);

}  // namespace pgo
