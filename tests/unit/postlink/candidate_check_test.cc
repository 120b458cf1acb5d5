#include "pgo/postlink/candidate_check.h"

#include <gtest/gtest.h>

#include <chrono>

namespace pgo::candidate_check_test {
namespace {

Error error_of(const std::string& command, const std::string& path) {
  return check_runs(command, path, std::chrono::seconds(60)).error();
}

// The program under test does not lie where the input does.
TEST(CandidateCheck, SaysWhereTheProgramLiesThatFindsNoLibrary) {
  const std::string loader =
      "echo 'p: error while loading shared libraries: liba.so' >&2; false {}";
  EXPECT_EQ(error_of(loader, "build/out/p.tmp").advice,
            "the program under test is in build/out, as the output will be: put its libraries "
            "there (for $ORIGIN), or set LD_LIBRARY_PATH in the check");
  EXPECT_EQ(error_of(loader, "p.tmp").advice.substr(0, 32), "the program under test is in ., ");
  EXPECT_EQ(error_of("echo no >&2; false {}", "build/out/p.tmp").advice, "");
}

}  // namespace
}  // namespace pgo::candidate_check_test
