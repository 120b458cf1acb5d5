#include "pgo/diff/nameless_code.h"

#include <gtest/gtest.h>

#include "tests/data/stripped_program.h"
#include "tests/data/temporary_files.h"

namespace pgo::nameless_code_test {
namespace {

class NamelessCode : public test::TemporaryFiles {};

TEST_F(NamelessCode, IsNamedByTheBinaryOrItsDebugFile) {
  EXPECT_EQ(advise_on_nameless_code("server", nullptr),
            "name its file with \xFF{binary}; if that is stripped, name its debug file, too, with "
            "\xFF{debug-file}");
  write("bin/server", test::stripped_program());
  Result<BinarySet> binaries = BinarySet::open({path("bin/server")}, {.files = {}, .roots = {}});
  ASSERT_TRUE(binaries) << binaries.error().message;
  EXPECT_EQ(relative(advise_on_nameless_code("server", &*binaries)),
            "bin/server (no build ID) is stripped: name its debug file, which has the same build "
            "ID, with \xFF{debug-file}, or the directory of such files with \xFF{debug-root}");
  EXPECT_EQ(advise_on_nameless_code("libc.so.6", &*binaries),
            advise_on_nameless_code("libc.so.6", nullptr));
}

}  // namespace
}  // namespace pgo::nameless_code_test
