#include "pgo/store_access/label_matchers.h"

#include <gtest/gtest.h>

namespace pgo::label_matchers_test {
namespace {

using store_access::matchers_text;

TEST(LabelMatchers, AreSortedAndQuoted) {
  EXPECT_EQ(matchers_text({}, ""), "{}");
  EXPECT_EQ(matchers_text({{"service", "a"}, {"host", ""}}, ""), R"({host="",service="a"})");
  EXPECT_EQ(matchers_text({{"a", "\"b\"\\\nc"}}, ""), R"({a="\"b\"\\\nc"})");
  EXPECT_EQ(matchers_text({{"service.name", "a"}, {"9", "b"}}, ""),
            R"({"9"="b","service.name"="a"})");
}

TEST(LabelMatchers, StandBehindThoseOfTheUser) {
  EXPECT_EQ(matchers_text({}, R"({a=~"b.*"})"), R"({a=~"b.*"})");
  EXPECT_EQ(matchers_text({{"c", "d"}}, R"({a=~"b.*",})"), R"({a=~"b.*",c="d"})");
  EXPECT_EQ(matchers_text({{"c", "d"}}, R"(a!="b")"), R"({a!="b",c="d"})");
  EXPECT_EQ(matchers_text({{"c", "d"}}, "{}"), R"({c="d"})");
}

TEST(LabelMatchers, HaveTheTypeThatIsNoMetric) {
  using store_access::selection_text;
  EXPECT_EQ(selection_text("cpu:ns:delta", {{"a", "b"}}, "{c=~\"d\"}"),
            R"(cpu:ns:delta{c=~"d",a="b"})");
  EXPECT_EQ(selection_text("cpu-clock:ns", {{"a", "b"}}, ""), R"({__name__="cpu-clock:ns",a="b"})");
}

}  // namespace
}  // namespace pgo::label_matchers_test
