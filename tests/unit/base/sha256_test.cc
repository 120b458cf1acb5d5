#include "pgo/base/sha256.h"

#include <gtest/gtest.h>

#include <string>

namespace pgo::sha256_test {
namespace {

Bytes bytes_of(const std::string& text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

// The examples of FIPS 180-2.
TEST(Sha256, HashesTheStandardsExamples) {
  EXPECT_EQ(Sha256::hex_of({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256::hex_of(bytes_of("abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, HashesPartsLikeTheWhole) {
  Sha256 hash;
  hash.add(bytes_of("a"));
  hash.add({});
  hash.add(bytes_of("bc"));
  EXPECT_EQ(hash.hex(), Sha256::hex_of(bytes_of("abc")));
}

}  // namespace
}  // namespace pgo::sha256_test
