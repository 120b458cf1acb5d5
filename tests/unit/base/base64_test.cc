#include "pgo/base/base64.h"

#include <gtest/gtest.h>

namespace pgo::base64_test {
namespace {

// RFC 4648, section 10.
TEST(Base64, WritesAndReadsItsRfcsExamples) {
  const std::pair<const char*, const char*> examples[] = {{"", ""},
                                                          {"f", "Zg=="},
                                                          {"fo", "Zm8="},
                                                          {"foo", "Zm9v"},
                                                          {"foob", "Zm9vYg=="},
                                                          {"fooba", "Zm9vYmE="},
                                                          {"foobar", "Zm9vYmFy"},
                                                          {"\xff\xfe\xfb", "//77"}};
  for (const auto& [bytes, text] : examples) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes) << text;
  }
}

TEST(Base64, RefusesWhatIsNone) {
  for (const char* text :
       {"Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Zm9v\n", "Zm-v", "Zh==", "Zm9="})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace pgo::base64_test
