// What must hold of all that people and programs are shown, whatever the names in it are.
#pragma once

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "pgo/base/result.h"
#include "pgo/base/utf8.h"
#include "pgo/report/json_text.h"
#include "pgo/report/text_sheet.h"

namespace pgo::test {

// No byte that a terminal obeys but the ends of lines.
inline void check_text(const std::string& text) {
  if (valid_utf8(text) != text) std::abort();
  for (char c : text)
    if ((static_cast<unsigned char>(c) < 0x20 && c != '\n') || c == 0x7f) std::abort();
}

// Valid, as it is printed.
inline void check_json(const nlohmann::json& json) {
  std::string text = json_text(json);
  if (valid_utf8(text) != text || nlohmann::json::parse(text, nullptr, false).is_discarded())
    std::abort();
}

// Says what happened, and is no fault of ours.
inline void check_error(const Error& error) {
  if (error.message.empty() || error.kind == ErrorKind::kInternal) std::abort();
  check_text(printable(error.message + error.advice));
}

}  // namespace pgo::test
