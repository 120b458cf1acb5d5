// Sha256: the digest that names contents in the cache, in bundles and in requests to S3.
//
//   Sha256 hash;
//   hash.add(bytes);                 as often as needed
//   hash.hex()                       64 lower-case digits
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "pgo/base/bytes.h"

namespace pgo {

class Sha256 {
 public:
  using Digest = std::array<uint8_t, 32>;

  Sha256();
  Sha256(Sha256&& other) noexcept;
  Sha256& operator=(Sha256&& other) noexcept;
  ~Sha256();

  void add(Bytes bytes);
  // Of all that was added. Ends the hash: nothing may be added afterwards.
  Digest digest();
  std::string hex();

  static std::string hex_of(Bytes bytes);
  // "sha256:" and the same: how OCI registries, bundles and lock files name contents.
  static std::string digest_of(Bytes bytes) { return "sha256:" + hex_of(bytes); }

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Is `text` "sha256:" and 64 lower-case digits?
bool is_sha256_digest(std::string_view text);

}  // namespace pgo
