// Entry: one parsed line of a log. Texts are views into the line.
#pragma once

#include <cstdint>
#include <string_view>

namespace logrules {

enum class Level : uint8_t { kDebug, kInfo, kWarning, kError };

enum class Field : uint8_t {
  kTime,     // milliseconds since midnight
  kLevel,    // as a number, kDebug = 0
  kService,  // text
  kMethod,   // text
  kPath,     // text
  kUser,     // text
  kMessage,  // text
  kStatus,   // number
  kLatency,  // microseconds
  kBytes,    // number
};
inline constexpr unsigned kFieldCount = 10;

struct Entry {
  uint64_t time = 0, status = 0, latency = 0, bytes = 0;
  Level level = Level::kInfo;
  std::string_view service, method, path, user, message;
  uint32_t present = 0;  // one bit per Field

  bool has(Field field) const { return (present >> static_cast<unsigned>(field) & 1) != 0; }
  void set_present(Field field) { present |= 1u << static_cast<unsigned>(field); }
};

}  // namespace logrules
