// Checksum: CRC-32 of texts. Used only with REGRESSION=table, a regression for 'pgo verify' to
// find: each request rebuilds the table, which never changes.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace queryd {

class Checksum {
 public:
  Checksum() {
    for (uint32_t byte = 0; byte < table_.size(); byte++) {
      uint32_t value = byte;
      for (int bit = 0; bit < 8; bit++) value = value >> 1 ^ ((value & 1) * 0xedb88320);
      table_[byte] = value;
    }
  }

  uint32_t of(std::string_view text) const {
    uint32_t sum = ~uint32_t{0};
    for (char c : text) sum = sum >> 8 ^ table_[(sum ^ static_cast<unsigned char>(c)) & 0xff];
    return ~sum;
  }

 private:
  std::array<uint32_t, 256> table_{};
};

}  // namespace queryd
