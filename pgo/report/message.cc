#include "pgo/report/message.h"

#include <iterator>
#include <utility>

#include "pgo/report/funnel.h"

namespace pgo {

std::vector<Message> messages_of(const Diagnostics& diagnostics) {
  std::vector<Message> messages;
  for (std::string& line : warning_lines(diagnostics)) messages.push_back(warning(std::move(line)));
  return messages;
}

void append(std::vector<Message>& messages, std::vector<Message> more) {
  messages.insert(messages.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

}  // namespace pgo
