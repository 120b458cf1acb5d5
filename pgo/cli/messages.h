// What the commands say beside their results, on standard error.
#pragma once

#include <string>

#include "pgo/base/diagnostics.h"

namespace pgo {

// With what to build a program that is to be profiled by line. Line tables alone leave out
// functions that nothing was inlined into (clang).
inline constexpr const char* kDebugOptions = "-gline-tables-only -fdebug-info-for-profiling, or -g";

// A remark that is no error.
void print_note(const std::string& text);
void print_warning(const std::string& text);
// The messages of each kind, and how many more there were.
void print_warnings(const Diagnostics& diagnostics);

}  // namespace pgo
