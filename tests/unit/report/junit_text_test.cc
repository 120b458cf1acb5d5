#include "pgo/report/junit_text.h"

#include <gtest/gtest.h>

namespace pgo::junit_text_test {
namespace {

TEST(JunitText, HasWarningsAsItsErrorOutput) {
  const JunitCase test{"functions", Outcome::kPass, "none grew"};
  EXPECT_EQ(junit_text({&test, 1}, {"<a>: damaged", "b\x1b"}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"pgo verify\" tests=\"1\" failures=\"0\" errors=\"0\" "
            "skipped=\"0\">\n"
            "  <testcase classname=\"pgo.verify\" name=\"functions\">\n"
            "    <system-out>none grew</system-out>\n"
            "  </testcase>\n"
            "  <system-err>warning: &lt;a&gt;: damaged\nwarning: b\\x1b\n</system-err>\n"
            "</testsuite>\n");
}

TEST(JunitText, HasNoErrorOutputWithoutWarnings) {
  const JunitCase test{"functions", Outcome::kInconclusive, "more hosts are needed"};
  EXPECT_EQ(junit_text({&test, 1}, {}),
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuite name=\"pgo verify\" tests=\"1\" failures=\"0\" errors=\"0\" "
            "skipped=\"1\">\n"
            "  <testcase classname=\"pgo.verify\" name=\"functions\">\n"
            "    <skipped message=\"more hosts are needed\"/>\n"
            "  </testcase>\n"
            "</testsuite>\n");
}

}  // namespace
}  // namespace pgo::junit_text_test
