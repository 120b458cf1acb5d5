#include "pgo/base/text_start.h"

#include <algorithm>
#include <string_view>

namespace pgo {

Bytes first_lines(Bytes bytes, size_t count) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()),
                        std::min(bytes.size(), kTextStart));
  size_t end = 0;  // of the last whole line
  for (size_t lines = 0; lines < count;) {
    size_t newline = text.find('\n', end);
    if (newline == text.npos) return text.size() == bytes.size() ? bytes : bytes.first(end);
    if (newline != end) lines++;
    end = newline + 1;
  }
  return bytes.first(end);
}

}  // namespace pgo
