#include "pgo/diff/side_rows.h"

#include <gtest/gtest.h>

#include "tests/data/temporary_files.h"

namespace pgo::side_rows_test {
namespace {

using SideRowsTest = test::TemporaryFiles;

TEST_F(SideRowsTest, HaveTheMembersAndRowsOfTheFiles) {
  write("fleet/web-1.folded", "main;parse 30\nmain;send 70\n");
  write("fleet/web-2.folded", "main;parse 10\n");
  Diagnostics diagnostics;
  SideRowsRequest request{.inputs = {path("fleet")}, .filter = {.focus = "parse"}};
  request.reader.path_template = "{host}.folded";
  Result<SideRows> side = read_side_rows(request, diagnostics);
  ASSERT_TRUE(side) << side.error().message;
  const verify::Side& flat = side->rows.flat[0];
  ASSERT_EQ(flat.members.size(), 2u);
  EXPECT_EQ(flat.members[0].host, "web-1");
  EXPECT_EQ(flat.members[0].weight, 100);  // shares are of everything, whatever the filter leaves
  ASSERT_EQ(side->rows.keys.size(), 3u);
  EXPECT_EQ(side->rows.keys[1].name, "parse");
  ASSERT_EQ(flat.rows[1].size(), 2u);
  EXPECT_EQ(flat.rows[1][0].value, 30);
  EXPECT_TRUE(flat.rows[2].empty());  // send
  EXPECT_TRUE(side->rows.flat[1].members.empty());
  EXPECT_TRUE(diagnostics.entries().empty());
}

TEST_F(SideRowsTest, NeedSamplesAndAreNoOutputs) {
  const std::string file = write("web-1.folded", "main 5\n");
  Diagnostics diagnostics;
  Result<SideRows> none =
      read_side_rows({.inputs = {file + "#host=web-9"}, .whose = "the fleet"}, diagnostics);
  EXPECT_EQ(none.error().kind, ErrorKind::kEmpty);
  EXPECT_TRUE(none.error().message.starts_with("the fleet has no samples with the labels"))
      << none.error().message;
  Result<SideRows> replaced =
      read_side_rows({.inputs = {file}, .outputs = {{file, "-o web-1.folded"}}}, diagnostics);
  EXPECT_EQ(text_of(replaced.error()),
            "-o web-1.folded would replace web-1.folded, which is read; ");
}

}  // namespace
}  // namespace pgo::side_rows_test
