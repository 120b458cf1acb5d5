#include "pgo/net/percent_encoding.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace pgo::net {
namespace {

std::string encode(std::string_view text, std::string_view kept) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string encoded;
  for (char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    const bool is_plain = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                          (c >= '0' && c <= '9') || kept.find(c) != kept.npos;
    if (is_plain) {
      encoded += c;
    } else {
      encoded += '%';
      encoded += kDigits[byte >> 4];
      encoded += kDigits[byte & 15];
    }
  }
  return encoded;
}

}  // namespace

std::string percent_encode(std::string_view text) { return encode(text, "-._~"); }
std::string percent_encode_path(std::string_view path) { return encode(path, "-._~/"); }

std::string encode_query(std::vector<std::pair<std::string, std::string>> parameters) {
  for (auto& [name, value] : parameters) {
    name = percent_encode(name);
    value = percent_encode(value);
  }
  std::sort(parameters.begin(), parameters.end());
  std::string query;
  for (const auto& [name, value] : parameters)
    query += (query.empty() ? "" : "&") + name + "=" + value;
  return query;
}

std::string percent_decode(std::string_view text) {
  std::string decoded;
  for (size_t i = 0; i < text.size(); ++i) {
    uint8_t byte = 0;
    const char* digits = text.data() + i + 1;
    if (text[i] == '%' && i + 2 < text.size() &&
        std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
      decoded += static_cast<char>(byte);
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

}  // namespace pgo::net
