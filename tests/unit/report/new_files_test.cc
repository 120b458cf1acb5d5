#include "pgo/report/new_files.h"

#include <gtest/gtest.h>

namespace pgo::new_files_test {
namespace {

TEST(NewFiles, AreToldFromThoseThatWereThere) {
  EXPECT_EQ(new_files_text(2, 60, 2), "2 files (60 bytes)");
  EXPECT_EQ(new_files_text(1, 28, 1), "1 file (28 bytes)");
  EXPECT_EQ(new_files_text(1, 28, 2), "1 new file (28 bytes); 1 was there already");
  EXPECT_EQ(new_files_text(2, 28, 5), "2 new files (28 bytes); 3 were there already");
  EXPECT_EQ(new_files_text(0, 0, 5), "no new file: all of them were there already");
}

}  // namespace
}  // namespace pgo::new_files_test
