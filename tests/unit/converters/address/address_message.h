// Address profiles as tests write them, field by field, and what reading them gives.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converters/address/address_profile_reader.h"
#include "pgo/base/wire_writer.h"

namespace pgo::test {

inline Bytes as_bytes(std::string_view text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

// The wire, field by field.
inline std::string num(unsigned field, uint64_t value) {
  wire::WireWriter out;
  out.varint(field << 3);
  out.varint(value);
  return out.take();
}
inline std::string sub(unsigned field, const std::string& bytes) {
  wire::WireWriter out;
  out.bytes(field, bytes);
  return out.take();
}
inline std::string packed(unsigned field, const std::vector<uint64_t>& values) {
  wire::WireWriter out;
  for (uint64_t value : values) out.varint(value);
  return sub(field, out.take());
}
inline const std::string kStart = sub(1, "ProdPGO address profile") + num(2, 2);

inline std::string error_of(const std::string& message) {
  Result<AddressProfile> profile = read_address_profile(as_bytes(message), "x.addr");
  return profile ? "no error" : profile.error().message;
}

inline AddressProfile read(const std::string& file) {
  Result<AddressProfile> profile = read_address_profile(as_bytes(file), "x.addr");
  if (!profile) ADD_FAILURE() << profile.error().message;
  return profile ? *std::move(profile) : AddressProfile();
}

}  // namespace pgo::test
