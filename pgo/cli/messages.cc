#include "pgo/cli/messages.h"

#include <algorithm>
#include <cstdio>

#include "pgo/cli/funnel.h"
#include "pgo/cli/text_sheet.h"

namespace pgo {

void print_note(const std::string& text) {
  std::fprintf(stderr, "pgo: %s\n", printable(text).c_str());
}

void print_warning(const std::string& text) {
  std::fprintf(stderr, "pgo: warning: %s\n", printable(text).c_str());
}

void print_warnings(const Diagnostics& diagnostics) {
  for (const auto& [kind, entry] : diagnostics.entries()) {
    uint64_t more = entry.count - std::min<uint64_t>(entry.count, entry.messages.size());
    for (const std::string& message : entry.messages)
      print_warning(message + (more != 0 && &message == &entry.messages.back()
                                   ? " (and " + format_count(more) + " more of this kind)"
                                   : ""));
  }
}

}  // namespace pgo
