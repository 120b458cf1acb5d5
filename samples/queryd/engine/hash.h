// Hashes of numbers and texts. The same on every run and machine: the order of groups in an answer
// comes from them.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace queryd {

inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t mixed = (a ^ b) * 0x9e3779b97f4a7c15;
  return mixed ^ (mixed >> 29);
}

inline uint64_t hash_of(std::string_view text) {
#ifdef QUERYD_SLOW_HASH
  uint64_t slow = text.size();  // byte by byte; other values give another order of groups
  for (char c : text) slow = mix(slow, static_cast<unsigned char>(c));
  return slow;
#endif
  uint64_t hash = text.size(), part = 0;
  for (; text.size() >= sizeof part; text.remove_prefix(sizeof part)) {
    std::memcpy(&part, text.data(), sizeof part);
    hash = mix(hash, part);
  }
  part = 0;
  for (char c : text) part = part << 8 | static_cast<unsigned char>(c);
  return mix(hash, part);
}

}  // namespace queryd
