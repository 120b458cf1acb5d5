// What a command says besides its result: notes and warnings, for standard error.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "pgo/base/diagnostics.h"

namespace pgo {

struct Message {
  enum class Kind { kNote, kWarning };

  Kind kind = Kind::kNote;
  std::string text;
};

inline Message note(std::string text) { return {Message::Kind::kNote, std::move(text)}; }
inline Message warning(std::string text) { return {Message::Kind::kWarning, std::move(text)}; }

// The messages of each kind; the last one says how many more there were.
std::vector<std::string> warning_lines(const Diagnostics& diagnostics);
// The same as warnings.
std::vector<Message> messages_of(const Diagnostics& diagnostics);
// The texts of the warnings among `messages`.
std::vector<std::string> warnings_of(const std::vector<Message>& messages);
nlohmann::json warnings_json(const Diagnostics& diagnostics);

// Appends `more` to `messages`.
void append(std::vector<Message>& messages, std::vector<Message> more);

}  // namespace pgo
