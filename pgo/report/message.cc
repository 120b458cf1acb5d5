#include "pgo/report/message.h"

#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "pgo/base/number_text.h"

namespace pgo {

std::vector<std::string> warning_lines(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const auto& [kind, entry] : diagnostics.entries()) {
    lines.insert(lines.end(), entry.messages.begin(), entry.messages.end());
    if (entry.count > entry.messages.size())
      lines.back() +=
          " (and " + format_count(entry.count - entry.messages.size()) + " more of this kind)";
  }
  return lines;
}

std::vector<Message> messages_of(const Diagnostics& diagnostics) {
  std::vector<Message> messages;
  for (std::string& line : warning_lines(diagnostics)) messages.push_back(warning(std::move(line)));
  return messages;
}

std::vector<std::string> warnings_of(const std::vector<Message>& messages) {
  std::vector<std::string> warnings;
  for (const Message& message : messages)
    if (message.kind == Message::Kind::kWarning) warnings.push_back(message.text);
  return warnings;
}

nlohmann::json warnings_json(const Diagnostics& diagnostics) {
  nlohmann::json json = nlohmann::json::array();
  for (const auto& [kind, entry] : diagnostics.entries())
    json.push_back({{"kind", kind}, {"messages", entry.messages}, {"count", entry.count}});
  return json;
}

void append(std::vector<Message>& messages, std::vector<Message> more) {
  messages.insert(messages.end(), std::make_move_iterator(more.begin()),
                  std::make_move_iterator(more.end()));
}

}  // namespace pgo
