#include "pgo/store_access/store_location.h"

#include <gtest/gtest.h>

namespace pgo::store_location_test {
namespace {

using store_access::StoreLocation;

Result<StoreLocation> parse(const std::string& text) {
  return store_access::parse_store_location(text, "parca", {"selector", "type"});
}

TEST(StoreLocation, HasAUrlAndParameters) {
  const StoreLocation location =
      parse("parca+https://Parca:443/in%20front/?type=a:b&selector=%7Bhost%3D\"a%26b\"}#x").value();
  EXPECT_EQ(location.url("/x.Y/Z"), "https://parca/in%20front/x.Y/Z");
  EXPECT_EQ(location.parameter("type"), "a:b");
  EXPECT_EQ(location.parameter("selector"), "{host=\"a&b\"}");
  EXPECT_EQ(location.parameter("labels"), "");
  EXPECT_EQ(location.shown, "parca+https://parca/in%20front?selector={host=\"a&b\"}&type=a:b");
  EXPECT_EQ(parse("parca+http://parca:7070").value().url("/a"), "http://parca:7070/a");
}

TEST(StoreLocation, IsOfOneKind) {
  EXPECT_TRUE(store_access::is_store_location("parca+http://a", "parca"));
  EXPECT_TRUE(store_access::is_store_location("parca+https://a", "parca"));
  EXPECT_FALSE(store_access::is_store_location("parca://a", "parca"));
  EXPECT_FALSE(store_access::is_store_location("pyroscope+http://a", "parca"));
}

TEST(StoreLocation, RefusesOthers) {
  const auto refused = [](const std::string& text) { return parse(text).error().message; };
  EXPECT_EQ(refused("s3://a/b"), "s3://a/b: does not begin with parca+http:// or parca+https://");
  EXPECT_EQ(refused("parca+http://me:secret@parca"),
            "parca+http://parca: has a user or a password; put them into ~/.netrc");
  EXPECT_EQ(refused("parca+http://parca?token=secret"),
            "parca+http://parca?token=...: unknown parameter 'token'");
  EXPECT_EQ(parse("parca+http://parca?token=secret").error().advice,
            "this kind of store takes: selector, type");
  EXPECT_EQ(refused("parca+http://parca?type="),
            "parca+http://parca?type=...: the parameter 'type' has no usable value");
  EXPECT_EQ(refused("parca+http://parca?type=a%0Ab"),
            "parca+http://parca?type=...: the parameter 'type' has no usable value");
  EXPECT_EQ(refused("parca+http://parca?type=a&type=b"),
            "parca+http://parca?type=...&type=...: the parameter 'type' is given twice");
}

}  // namespace
}  // namespace pgo::store_location_test
