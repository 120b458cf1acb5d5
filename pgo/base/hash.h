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
  uint64_t hash = seed ^ text.size();
  const char* at = text.data();
  size_t left = text.size();
  uint64_t word = 0;
  for (; left >= 8; at += 8, left -= 8) {
    std::memcpy(&word, at, 8);
    hash = hash_more(hash, word);
  }
  word = 0;
  if (left > 0) std::memcpy(&word, at, left);
  return mix(hash_more(hash, word), kHashFactor ^ seed);
}

}  // namespace pgo
