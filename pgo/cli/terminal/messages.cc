#include "pgo/cli/terminal/messages.h"

#include <cstdio>

#include "pgo/cli/terminal/option_words.h"
#include "pgo/report/text_sheet.h"

namespace pgo {

void print_note(const std::string& text) {
  std::fprintf(stderr, "pgo: %s\n", printable(with_option_words(text)).c_str());
}

void print_warning(const std::string& text) {
  std::fprintf(stderr, "pgo: warning: %s\n", printable(with_option_words(text)).c_str());
}

void print(const std::vector<Message>& messages) {
  for (const Message& message : messages)
    message.kind == Message::Kind::kNote ? print_note(message.text) : print_warning(message.text);
}

void print_warnings(const Diagnostics& diagnostics) { print(messages_of(diagnostics)); }

}  // namespace pgo
