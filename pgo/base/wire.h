// The wire format of protocol buffers: fields one after another, each a number, a wire type and a
// value. Nothing is copied, nothing is read past the end. What a field means is its reader's
// matter.
//
//   for (const uint8_t* at = begin; at != end;) {
//     WireField field;
//     at = read_field(at, end, field);
//     if (at == nullptr) return damaged(field.damage);
//   }
//
// A field begins with a varint of (number << 3 | wire type). A varint has seven bits a byte, the
// lowest first, and the top bit on all bytes but the last; ten bytes at most, of whose last only
// one bit counts. Wire types: 0 a varint, 1 eight bytes, 2 a varint with a size and that many
// bytes, 5 four bytes. (3 and 4, groups, are long out of use.)
#pragma once

#include <bit>
#include <cstdint>

#include "pgo/base/bytes.h"

namespace pgo::wire {

enum WireType : uint8_t { kVarint = 0, kFixed64 = 1, kSized = 2, kFixed32 = 5 };

struct WireField {
  uint64_t number;
  uint64_t value;      // of all types but kSized
  Bytes bytes;         // of kSized
  const char* damage;  // why there is no field; set only then
  uint8_t type;
};

// Eight bytes of seven bits each, as one number.
inline uint64_t join_sevens(uint64_t bytes) {
  bytes = (bytes & 0x007f007f007f007f) | (bytes & 0x7f007f007f007f00) >> 1;
  bytes = (bytes & 0x00003fff00003fff) | (bytes & 0x3fff00003fff0000) >> 2;
  return (bytes & 0x000000000fffffff) | (bytes & 0x0fffffff00000000) >> 4;
}

// read_varint() where few bytes are left, or the varint is long.
inline const uint8_t* read_any_varint(const uint8_t* at, const uint8_t* end, uint64_t& value) {
  uint64_t read = 0;
  for (unsigned shift = 0; shift < 70 && at != end; shift += 7) {
    uint64_t byte = *at++;
    read |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      value = read;
      return at;
    }
  }
  return nullptr;
}

// What follows the varint at `at`, or null when it has no end before `end` or in ten bytes. Most
// are of one byte or two, addresses of seven: no branch for each byte of those. Here and below, a
// call would take as long as the rest.
[[gnu::always_inline]] inline const uint8_t* read_varint(const uint8_t* at, const uint8_t* end,
                                                         uint64_t& value) {
  if (at != end && at[0] < 0x80) {
    value = at[0];
    return at + 1;
  }
  if (end - at >= 2 && at[1] < 0x80) {
    value = (at[0] & 0x7fu) | static_cast<uint64_t>(at[1]) << 7;
    return at + 2;
  }
  if (end - at < 8) return read_any_varint(at, end, value);
  uint64_t bytes = load_le<uint64_t>(at);
  uint64_t ends = ~bytes & 0x8080808080808080;
  if (ends == 0) return read_any_varint(at, end, value);
  value = join_sevens(bytes & (ends ^ (ends - 1)));
  return at + std::countr_zero(ends) / 8 + 1;
}

inline const uint8_t* damaged_field(WireField& field, const char* why) {
  field.damage = why;
  return nullptr;
}

// What follows the field at `at`, or null with field.damage.
[[gnu::always_inline]] inline const uint8_t* read_field(const uint8_t* at, const uint8_t* end,
                                                        WireField& field) {
  uint64_t tag = 0;
  at = read_varint(at, end, tag);
  if (at == nullptr) return damaged_field(field, "a field's number is cut short");
  field.number = tag >> 3;
  field.type = static_cast<uint8_t>(tag & 7);
  if (field.type == kVarint) {
    at = read_varint(at, end, field.value);
    return at != nullptr ? at : damaged_field(field, "a number is cut short");
  }
  if (field.type == kSized) {
    uint64_t size = 0;
    at = read_varint(at, end, size);
    if (at == nullptr) return damaged_field(field, "a size is cut short");
    if (size > static_cast<uint64_t>(end - at))
      return damaged_field(field, "a field is larger than what is left");
    field.bytes = Bytes(at, static_cast<size_t>(size));
    return at + size;
  }
  if (field.type == kFixed64) {
    if (end - at < 8) return damaged_field(field, "a number of eight bytes is cut short");
    field.value = load_le<uint64_t>(at);
    return at + 8;
  }
  if (field.type == kFixed32) {
    if (end - at < 4) return damaged_field(field, "a number of four bytes is cut short");
    field.value = load_le<uint32_t>(at);
    return at + 4;
  }
  return damaged_field(field, "there is no such wire type");
}

}  // namespace pgo::wire
