#include "pgo/show/show.h"

#include "tests/data/shown_files.h"

namespace pgo::test::show_test {
namespace {

using ShowTest = ShownFiles;

constexpr const char* kKnown =
    "which is none of the known formats: perf.data, ELF, LLVM sample profiles, GCC's "
    "auto-profiles, BOLT's fdata and YAML, pre-aggregated traces, address profiles, pprof, "
    "gperftools' CPU profiles, folded stacks";

TEST_F(ShowTest, TellsTheKindByTheContents) {
  Result<ShowResult> result = show(request(write("server.perf", "main:7:2\n 1: 7\n")));
  ASSERT_TRUE(result.has_value());
  EXPECT_TRUE(std::holds_alternative<LlvmContents>(result->contents));
  EXPECT_EQ(result->path, path("server.perf"));
  EXPECT_EQ(result->size, 15u);
  EXPECT_EQ(result->top, 10u);
}

TEST_F(ShowTest, RejectsWhatIsNotKnown) {
  EXPECT_EQ(text_of(write("letter", "Dear profile,\n")),
            std::string("error: letter: begins with 'Dear pro', ") + kKnown);
  EXPECT_EQ(text_of(write("empty", "")),
            "error: empty: is empty; was it cut short, or never finished?");
  EXPECT_EQ(text_of(path("missing")), "error: missing: cannot open: No such file or directory");
}

TEST_F(ShowTest, RejectsAnEventWithoutABinary) {
  ShowRequest asked = request(write("a.proftext", "main:7:2\n 1: 7\n"));
  asked.events = {"cycles"};
  EXPECT_EQ(text_of(asked),
            "error: \xFF{event} chooses what is counted for \xFF{binary}; name a binary as well");
  EXPECT_EQ(show(asked).error().kind, ErrorKind::kUsage);
}

TEST_F(ShowTest, LooksForBinariesInRecordingsOnly) {
  ShowRequest asked = request(write("a.proftext", "main:7:2\n 1: 7\n"));
  asked.binaries = {"server"};
  EXPECT_EQ(text_of(asked), "error: \xFF{binary} needs a recording, and a.proftext is not one");
  asked.path = path("letter");
  write("letter", "Dear profile,\n");
  EXPECT_EQ(text_of(asked), std::string("error: letter: begins with 'Dear pro', ") + kKnown);
  std::filesystem::create_directory(path("all"));
  asked.path = path("all");
  EXPECT_EQ(
      text_of(asked),
      "error: all: is a directory, and \xFF{binary} is for one recording; name a recording in "
      "it, or use pgo convert, which reads all of them");
}

}  // namespace
}  // namespace pgo::test::show_test
