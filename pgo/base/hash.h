// Hashes for tables in memory. They differ from process to process, so that no input can be made
// that puts all it has into one place of a table; nothing of them may reach an output.
#pragma once

#include <sys/auxv.h>

#include <cstdint>
#include <cstring>
#include <string_view>

namespace pgo {

// What the kernel gave this process to be unpredictable with.
inline uint64_t process_seed() {
  uint64_t seed = 0;
  const void* random = reinterpret_cast<const void*>(::getauxval(AT_RANDOM));
  if (random != nullptr) std::memcpy(&seed, random, sizeof seed);
  return seed;
}

// Both halves of the product of two numbers, folded: each bit depends on all bits of both.
inline uint64_t mix(uint64_t a, uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

inline constexpr uint64_t kHashFactor = 0x9e3779b97f4a7c15;  // odd, with bits everywhere

// `hash` with one more number in it.
inline uint64_t hash_more(uint64_t hash, uint64_t number) {
  return mix(hash ^ number, kHashFactor) + number;
}

inline uint64_t hash_text(uint64_t seed, std::string_view text) {
  auto word = [](const char* from, size_t size) {
    uint64_t value = 0;
    std::memcpy(&value, from, size);
    return value;
  };
  uint64_t hash = seed ^ text.size() * kHashFactor;
  const char* at = text.data();
  size_t left = text.size();
  for (; left > 16; at += 16, left -= 16)
    hash = mix(word(at, 8) ^ seed ^ kHashFactor, word(at + 8, 8) ^ hash);
  // The last 16 bytes, some of them perhaps again: no copies of odd sizes.
  if (text.size() >= 16)
    return mix(mix(word(at + left - 16, 8) ^ seed ^ kHashFactor, word(at + left - 8, 8) ^ hash),
               kHashFactor);
  if (left >= 8)
    return mix(mix(word(at, 8) ^ seed ^ kHashFactor, word(at + left - 8, 8) ^ hash), kHashFactor);
  return mix(hash ^ word(at, left), kHashFactor);
}

}  // namespace pgo
