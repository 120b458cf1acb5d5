// Writes the wire format of protocol buffers (wire.h), field by field, in the order of the calls:
// the same calls give the same bytes.
//
//   WireWriter out, part;
//   part.number(1, id);
//   out.bytes(2, part.view());
//   part.clear();
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "pgo/base/wire.h"

namespace pgo::wire {

class WireWriter {
 public:
  void varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) out_ += static_cast<char>(value | 0x80);
    out_ += static_cast<char>(value);
  }
  // Nothing for 0. Negative numbers take ten bytes, as that format has it.
  template <typename Number>
  void number(unsigned field, Number value) {
    uint64_t bits = static_cast<uint64_t>(value);
    if (bits == 0) return;
    varint(field << 3 | kVarint);
    varint(bits);
  }
  void bytes(unsigned field, std::string_view text) {
    varint(field << 3 | kSized);
    varint(text.size());
    out_ += text;
  }

  // Fields that were written elsewhere.
  void append(std::string_view fields) { out_ += fields; }

  std::string_view view() const { return out_; }
  void clear() { out_.clear(); }
  std::string take() { return std::move(out_); }

 private:
  std::string out_;
};

}  // namespace pgo::wire
