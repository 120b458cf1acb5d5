// What an -o argument names: a format and a path.
#pragma once

#include <string>
#include <string_view>

#include "converters/format.h"
#include "pgo/base/result.h"

namespace pgo {

// "FORMAT:PATH", or a path with a known extension; "-" is standard output. `command` is who writes
// it. Error: kUsage.
Result<OutputSpec> parse_output(std::string_view argument, FormatUse command = FormatUse::kConvert);
// The formats with their prefixes and extensions, for help and error messages.
std::string output_formats_help(FormatUse command = FormatUse::kConvert);

}  // namespace pgo
