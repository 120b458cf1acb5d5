// What an address profile keeps of where its samples come from: labels, and a window of time.
#include <gtest/gtest.h>

#include <optional>

#include "converters/address/address_profile_writer.h"
#include "tests/unit/converters/address/address_message.h"

namespace pgo::address_origins_test {
namespace {

using test::error_of;
using test::kStart;
using test::num;
using test::read;
using test::sub;

TEST(AddressOrigins, KeepsOrigins) {
  AddressProfile profile;
  profile.origins = Origins::of({{"host", "web-1"}, {"zone", ""}}, Origins::Window{-5, 7});
  profile.origins.add(Origins::of({{"host", "web-2"}}, std::nullopt));
  const std::string message = write_address_message(profile);
  EXPECT_EQ(message.substr(kStart.size() + 4),  // behind two empty accountings
            sub(8, num(1, 2) + num(2, 9) + num(3, 14) +
                       sub(4, sub(1, "host") + num(2, 2) + sub(3, sub(1, "web-1") + num(2, 1)) +
                                  sub(3, sub(1, "web-2") + num(2, 1))) +
                       sub(4, sub(1, "zone") + num(2, 1) + sub(3, num(2, 1)))));
  EXPECT_EQ(read(message), profile);
  EXPECT_EQ(read(kStart).origins, Origins());
}

TEST(AddressOrigins, KeepsNoMoreOriginsThanItWrites) {
  const std::string one = num(2, 1);
  std::string values, labels;
  for (int i = 0; i < 300; i++) {
    values += sub(3, sub(1, "v" + std::to_string(1000 + i)) + one);
    labels += sub(4, sub(1, "k" + std::to_string(1000 + i)) + one);
  }
  const Origins origins =
      read(kStart + sub(8, num(1, 5) + labels + sub(4, sub(1, "a") + num(2, 300) + values) +
                               sub(4, sub(1, std::string(201, 'x')) + one) +
                               sub(4, sub(1, "b") + sub(3, sub(1, std::string(201, 'x')) + one))))
          .origins;
  EXPECT_EQ(origins.labels.size(), Origins::kMaxKeys);
  EXPECT_EQ(origins.labels.at("a").of.size(), Origins::kMaxValues);
  EXPECT_EQ(origins.labels.at("a").profiles, 300u);
  EXPECT_TRUE(origins.labels.at("b").of.empty());
  EXPECT_EQ(error_of(kStart + sub(8, sub(4, "\x0a\x05x"))),
            "x.addr: address profile: origins: a field is larger than what is left, at byte " +
                std::to_string(kStart.size() + 4));
  EXPECT_EQ(error_of(kStart + num(8, 1)), "x.addr: address profile: field 8 has wire type 0");
}

}  // namespace
}  // namespace pgo::address_origins_test
