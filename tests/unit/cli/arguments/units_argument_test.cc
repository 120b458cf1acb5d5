#include "pgo/cli/arguments/units_argument.h"

#include <gtest/gtest.h>

#include "pgo/base/number_text.h"
#include "tests/data/temporary_files.h"

namespace pgo::units_argument_test {
namespace {

class UnitsArgument : public test::TemporaryFiles {
 protected:
  // "MEMBER|VALUE|UNITS" of each line, or the error.
  std::string of_file(std::string_view lines, UnitsOf of) const {
    double total = 0;
    std::vector<MemberUnits> members;
    const std::string argument = "@" + write("units.txt", lines);
    Result<void> parsed = parse_units_argument("--units-after", argument, of, total, members);
    if (!parsed) return relative(parsed.error().message);
    std::string text;
    for (const MemberUnits& one : members)
      text += one.member + "|" + one.stratum + "|" + format_decimal(one.units, 1) + "\n";
    return text;
  }
};

TEST_F(UnitsArgument, IsANumberAboveZero) {
  double total = 0;
  std::vector<MemberUnits> members;
  ASSERT_TRUE(parse_units_argument("--units-after", "1.2e6", UnitsOf::kMembers, total, members));
  EXPECT_EQ(total, 1'200'000);
  EXPECT_TRUE(members.empty());
  for (const char* wrong : {"", "0", "-1", "5x", "many", "inf", "nan"})
    EXPECT_EQ(
        parse_units_argument("--units-after", wrong, UnitsOf::kMembers, total, members).error(),
        (Error{ErrorKind::kUsage, std::string("--units-after ") + wrong +
                                      ": expected a number above 0, or @FILE with lines 'HOST "
                                      "NUMBER', a host or file and its units of work"}));
}

TEST_F(UnitsArgument, LinesOfAFileNameMembers) {
  EXPECT_EQ(of_file("# requests\n\nweb-1 10\t\r\nweb 2.pb.gz \t 2.5 \n\t\n", UnitsOf::kMembers),
            "web-1||10.0\nweb 2.pb.gz||2.5\n");
}

TEST_F(UnitsArgument, LinesOfAFileNameValuesOfALabel) {
  EXPECT_EQ(of_file("search 10\nweb 1 search 2\nweb 1\tadd to cart\t3\n", UnitsOf::kLabelValues),
            "|search|10.0\nweb 1|search|2.0\nweb 1|add to cart|3.0\n");
}

TEST_F(UnitsArgument, SaysWhichLineIsWrong) {
  EXPECT_EQ(of_file("web-1 10\nweb-2\n", UnitsOf::kMembers),
            "units.txt:2: expected 'HOST NUMBER', a host or file and its units of work");
  EXPECT_EQ(of_file("web-1 0\n", UnitsOf::kLabelValues),
            "units.txt:1: expected 'VALUE NUMBER' or 'HOST VALUE NUMBER', a value of the label "
            "of --standardize (of all or of one host or file) and its units of work");
  EXPECT_EQ(of_file("# none\n", UnitsOf::kMembers),
            "units.txt: contains no units of work; add lines 'HOST NUMBER', a host or file and "
            "its units of work");
}

TEST(UnitsArgumentLimit, EndlessFilesEnd) {
  double total = 0;
  std::vector<MemberUnits> members;
  EXPECT_EQ(parse_units_argument("--units-after", "@/dev/zero", UnitsOf::kMembers, total, members)
                .error()
                .message,
            "/dev/zero: is not a regular file, and has more than the 268435456 bytes that are "
            "held in memory; write it to a file first");
}

}  // namespace
}  // namespace pgo::units_argument_test
