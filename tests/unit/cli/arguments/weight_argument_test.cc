#include "pgo/cli/arguments/weight_argument.h"

#include <gtest/gtest.h>

namespace pgo::weight_argument_test {
namespace {

TEST(WeightArgument, IsAFileAndANumber) {
  Result<InputWeight> weight = parse_input_weight("a=b=3/2");
  ASSERT_TRUE(weight);
  EXPECT_EQ(weight->input, "a=b");
  EXPECT_EQ(weight->weight, (Weight{3, 2}));
  EXPECT_EQ(weight->asked_by, "\xFF{weight} a=b=3/2");
  EXPECT_EQ(parse_input_weight("a").error().message, "--weight a: '=' expected, as in FILE=3/2");
}

TEST(WeightArgument, TakesWholeNumbersDecimalsAndFractions) {
  EXPECT_EQ(parse_weight("3").value(), (Weight{3, 1}));
  EXPECT_EQ(parse_weight("0.25").value(), (Weight{25, 100}));
  EXPECT_EQ(parse_weight("3/2").value(), (Weight{3, 2}));
  EXPECT_EQ(parse_weight("0").error().message,
            "'0' is not a weight: it must be more than 0; to leave a file out, name the others as "
            "inputs, or in an @LIST");
  EXPECT_EQ(parse_weight("1/0").error().message,
            "'1/0' is not a weight: a number such as 3, 0.25 or 3/2 is expected, of up to 1000000 "
            "parts");
}

}  // namespace
}  // namespace pgo::weight_argument_test
