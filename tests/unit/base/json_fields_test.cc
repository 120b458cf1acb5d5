// text_member(): a text that may be missing, from JSON that somebody else wrote.
#include "pgo/base/json_fields.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::json_fields_test {
namespace {

using nlohmann::json;

TEST(TextMember, IsTheText) { EXPECT_EQ(text_member(json{{"id", "a1"}}, "id"), "a1"); }

TEST(TextMember, IsEmptyWithoutSuchAText) {
  EXPECT_EQ(text_member(json{{"id", 7}}, "id"), "");
  EXPECT_EQ(text_member(json{{"id", nullptr}}, "id"), "");
  EXPECT_EQ(text_member(json::object(), "id"), "");
}

TEST(TextMember, IsEmptyInWhatIsNoObject) {
  EXPECT_EQ(text_member(json("id"), "id"), "");
  EXPECT_EQ(text_member(json::array({"id"}), "id"), "");
  EXPECT_EQ(text_member(json(), "id"), "");
  EXPECT_EQ(text_member(json::parse("{", nullptr, false), "id"), "");
}

}  // namespace
}  // namespace pgo::json_fields_test
