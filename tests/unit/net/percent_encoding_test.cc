#include "pgo/net/percent_encoding.h"

#include <gtest/gtest.h>

namespace pgo::percent_encoding_test {
namespace {

TEST(PercentEncoding, KeepsUnreservedCharactersOnly) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  const std::string encoded = net::percent_encode(all);
  EXPECT_EQ(encoded.size(), 66u + (256 - 66) * 3);
  EXPECT_EQ(net::percent_decode(encoded), all);
  EXPECT_EQ(net::percent_encode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(net::percent_encode("/+ *\xC3\xA9"), "%2F%2B%20%2A%C3%A9");
  EXPECT_EQ(net::percent_encode_path("a/../b c"), "a/../b%20c");
}

TEST(PercentEncoding, SortsAQuery) {
  EXPECT_EQ(net::encode_query({{"prefix", "a/b"}, {"list type", "2"}, {"acl", ""}}),
            "acl=&list%20type=2&prefix=a%2Fb");
  EXPECT_EQ(net::encode_query({}), "");
}

TEST(PercentEncoding, DecodesWhatIsEncoded) {
  EXPECT_EQ(net::percent_decode("a%2fb%C3%A9"), "a/b\xC3\xA9");
  EXPECT_EQ(net::percent_decode("%,%4,%zz,%4"), "%,%4,%zz,%4");
}

}  // namespace
}  // namespace pgo::percent_encoding_test
