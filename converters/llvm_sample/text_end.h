// TextEnd: was the text form of an LLVM sample profile cut short? The format has no end mark, so
// this looks for what no writer leaves at the end of a file:
//   a line without a newline, whose number may have had more digits;
//   a function, or a call inlined into one, with a total of samples and without any line of them;
//   in a profile by pseudo probe, a function without the checksum that comes after its probes.
// A file that is cut after any other line is a smaller profile, and cannot be told from one.
#pragma once

#include <string_view>

namespace pgo {

enum class TextEnd { kWhole, kWithinLine, kWithinFunction };

// Do functions of the profile have checksums?
enum class Checksums { kNone, kPresent };

// O(size of the last function).
TextEnd find_text_end(std::string_view text, Checksums checksums);

}  // namespace pgo
