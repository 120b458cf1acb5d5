#include "pgo/base/proc_file.h"

#include <gtest/gtest.h>

namespace pgo::proc_file_test {
namespace {

TEST(ProcFile, IsReadToItsEnd) {
  EXPECT_NE(read_proc_file("/proc/self/status").find("VmHWM:"), std::string::npos);
}

TEST(ProcFile, IsReadUpToALimit) {
  EXPECT_EQ(read_proc_file("/proc/self/status", 5), "Name:");
  EXPECT_EQ(read_proc_file("/proc/self/status", 0), "");
}

TEST(ProcFile, IsEmptyWhenThereIsNone) { EXPECT_EQ(read_proc_file("/proc/self/absent"), ""); }

// As for a process that ends: the file can be opened, and reading gives an error.
TEST(ProcFile, IsEmptyWhenItCannotBeRead) { EXPECT_EQ(read_proc_file("/proc/self/mem"), ""); }

}  // namespace
}  // namespace pgo::proc_file_test
