#include "pgo/base/diagnostics.h"

#include <gtest/gtest.h>

namespace pgo::diagnostics_test {
namespace {

TEST(Diagnostics, CountsPerKindAndKeepsTheFirstMessages) {
  Diagnostics diagnostics;
  diagnostics.warn("truncated-record", "at byte 16");
  diagnostics.warn("truncated-record", "at byte 8", 3);
  for (const char* message : {"at byte 8", "at byte 16", "at byte 4", "at byte 2"})
    diagnostics.warn("truncated-record", message);
  diagnostics.warn("unknown-record", "type 99");
  ASSERT_EQ(diagnostics.entries().size(), 2u);
  EXPECT_EQ(diagnostics.entries().at("truncated-record"),
            (Diagnostics::Entry{{"at byte 16", "at byte 8", "at byte 4"}, 8}));
  EXPECT_EQ(diagnostics.entries().at("unknown-record"), (Diagnostics::Entry{{"type 99"}, 1}));
}

TEST(Diagnostics, AddsUpTheSameInAnyOrder) {
  Diagnostics a, b, c;
  a.warn("truncated-record", "host2: at byte 8", 2);
  b.warn("truncated-record", "host1: at byte 9", 3);
  b.warn("unknown-record", "host1: type 99");
  c.warn("truncated-record", "host4: at byte 7");
  c.warn("truncated-record", "host3: at byte 7");

  Diagnostics forward, backward;
  for (const Diagnostics* one : {&a, &b, &c}) forward.add(*one);
  for (const Diagnostics* one : {&c, &b, &a}) backward.add(*one);
  EXPECT_EQ(forward, backward);
  EXPECT_EQ(forward.entries().at("truncated-record"),
            (Diagnostics::Entry{{"host1: at byte 9", "host2: at byte 8", "host3: at byte 7"}, 7}));
  EXPECT_EQ(forward.entries().at("unknown-record"), (Diagnostics::Entry{{"host1: type 99"}, 1}));
}

}  // namespace
}  // namespace pgo::diagnostics_test
