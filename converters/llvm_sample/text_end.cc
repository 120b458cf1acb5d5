#include "converters/llvm_sample/text_end.h"

#include <algorithm>
#include <vector>

namespace pgo {
namespace {

bool says_nothing(std::string_view line) {
  size_t text = line.find_first_not_of(" \t\r");
  return text == std::string_view::npos || line[text] == '#';
}

// From the head of the last function on, without what says nothing.
std::vector<std::string_view> lines_of_last_function(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    if (text.back() == '\n') text.remove_suffix(1);
    size_t begin = text.rfind('\n') + 1;  // 0 when there is none
    std::string_view line = text.substr(begin);
    text = text.substr(0, begin);
    if (says_nothing(line)) continue;
    lines.push_back(line);
    if (line[0] != ' ') break;
  }
  std::reverse(lines.begin(), lines.end());
  return lines;
}

// Is this "NAME:TOTAL:HEAD" of a function or " OFFSET: NAME:TOTAL" of an inlined call, and its
// total not 0?
bool has_total(std::string_view line) {
  if (line[0] == ' ') {
    size_t colon = line.find(": ");
    line = colon == std::string_view::npos ? "" : line.substr(colon + 2);
    bool has_samples = line.empty() || (line[0] >= '0' && line[0] <= '9');
    if (has_samples || line.starts_with("vtables ")) return false;
  } else {
    line = line.substr(0, line.rfind(':'));
  }
  size_t colon = line.rfind(':');
  return colon != std::string_view::npos &&
         line.find_first_not_of("0 \r", colon + 1) != std::string_view::npos;
}

}  // namespace

TextEnd find_text_end(std::string_view text, Checksums checksums) {
  std::vector<std::string_view> lines = lines_of_last_function(text);
  if (lines.empty()) return TextEnd::kWhole;
  if (text.back() != '\n') return TextEnd::kWithinLine;
  if (has_total(lines.back())) return TextEnd::kWithinFunction;
  bool has_checksum = std::any_of(lines.begin(), lines.end(), [](std::string_view line) {
    return line.starts_with(" !CFGChecksum:");
  });
  return checksums == Checksums::kPresent && !has_checksum ? TextEnd::kWithinFunction
                                                           : TextEnd::kWhole;
}

}  // namespace pgo
