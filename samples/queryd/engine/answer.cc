#include "engine/answer.h"

#include <charconv>

namespace queryd {
namespace {

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  static constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u00";
  out += kDigits[c >> 4 & 1];
  out += kDigits[c & 15];
}

bool needs_escape(char c) { return c == '"' || c == '\\' || (c >= 0 && c < ' '); }

}  // namespace

void append_text(std::string& out, std::string_view text) {
  out += '"';
  size_t written = 0;
  for (size_t i = 0; i < text.size(); i++) {
    if (!needs_escape(text[i])) continue;
    out.append(text, written, i - written);
    append_escaped(out, text[i]);
    written = i + 1;
  }
  out.append(text, written);
  out += '"';
}

void append_value(std::string& out, const Value& value) {
  switch (value.type()) {
    case Type::kNull: out += "null"; break;
    case Type::kText: append_text(out, value.text()); break;
    case Type::kInteger: {
      char digits[24];
      char* end = std::to_chars(digits, digits + sizeof digits, value.integer()).ptr;
      out.append(digits, end);
      break;
    }
  }
}

}  // namespace queryd
