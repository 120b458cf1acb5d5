// What compilers' profiles say of functions (pgo/show/compiler_profile_contents.h): their sums, and
// the table of the hottest ones.
#pragma once

#include <string>

#include "pgo/report/show_report.h"
#include "pgo/report/text_sheet.h"

namespace pgo {

// What is said beside the number of functions: behind it, and on a line below.
struct FunctionNotes {
  std::string behind = {}, below = {};
};
// The rows and keys "functions" and "total".
void add_sums(const ProfiledFunctions& functions, const FunctionNotes& notes, ShowReport& report,
              TextSheet& sheet);
// The table and the key "hottest".
void add_hottest(const ProfiledFunctions& functions, ShowReport& report, TextSheet& sheet);

}  // namespace pgo
