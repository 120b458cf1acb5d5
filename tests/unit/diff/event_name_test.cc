#include "pgo/diff/event_name.h"

#include <gtest/gtest.h>

#include <tuple>

namespace pgo::event_name_test {
namespace {

TEST(EventName, IsSplitAtItsModifiers) {
  for (const auto& [name, event, modifiers] :
       {std::tuple{"cycles:u", "cycles", "u"},
        {"cycles:Pu", "cycles", "Pu"},
        {"cpu-clock", "cpu-clock", ""},
        {"event=0xc4,umask=0x20:ppp", "event=0xc4,umask=0x20", "ppp"},
        // Tracepoints, and what is no event of perf.
        {"sched:sched_switch", "sched:sched_switch", ""},
        {"a:u:x", "a:u:x", ""},
        {"cycles:", "cycles:", ""},
        {":u", ":u", ""},
        {"", "", ""}}) {
    EXPECT_EQ(split_event_name(name).event, event);
    EXPECT_EQ(split_event_name(name).modifiers, modifiers);
  }
}

TEST(EventName, SaysWhichCodeIsCounted) {
  struct Case {
    const char* name;
    bool user, kernel;
  };
  for (const Case& one : {Case{"cycles", true, true},
                          {"cycles:P", true, true},
                          {"cycles:H", true, true},
                          {"cycles:u", true, false},
                          {"cycles:kpp", false, true},
                          {"cycles:uk", true, true},
                          {"cycles:h", false, false}}) {
    EXPECT_EQ(split_event_name(one.name).counts_user_code(), one.user) << one.name;
    EXPECT_EQ(split_event_name(one.name).counts_kernel(), one.kernel) << one.name;
  }
}

TEST(EventName, SaysHowExactSamplesAre) {
  EXPECT_EQ(split_event_name("cycles:u").precision(), 0);
  EXPECT_EQ(split_event_name("cycles:upp").precision(), 2);
  EXPECT_GT(split_event_name("cycles:P").precision(), 3);
}

}  // namespace
}  // namespace pgo::event_name_test
