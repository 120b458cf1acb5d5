#include "pgo/report/error_json.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace pgo::error_json_test {
namespace {

TEST(ErrorJson, HasKindMessageAndAdvice) {
  EXPECT_EQ(
      error_json({ErrorKind::kMismatch, "a.perf: is of another build", "name that one"}).dump(),
      R"({"error":{"advice":"name that one","kind":"mismatch","message":"a.perf: is of another build"}})");
}

}  // namespace
}  // namespace pgo::error_json_test
