#include "pgo/show/stack_contents.h"

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "tests/data/shown_files.h"

namespace pgo::test::stack_contents_test {
namespace {

using StackContentsTest = ShownFiles;

// 3 s in work(), which main() calls, and 1 s in main() itself, in a build with an ID; 0.5 s in a
// function of no mapping.
StackProfile cpu_profile() {
  StackProfile profile;
  auto text = [&](std::string_view words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  profile.period_type = {text("cpu"), text("nanoseconds")};
  profile.period = 10'000'000;
  profile.time = 1'700'000'000'000'000'000;
  profile.duration = 10'000'000'000;
  MappingId server = profile.add_mapping({.filename = text("/bin/server"),
                                          .build_id = text("c0ffee"),
                                          .begin = RuntimeAddr{0x1000},
                                          .end = RuntimeAddr{0x2000}});
  FunctionId main = profile.add_function({text("main")});
  FunctionId work = profile.add_function({text("_Z4workv")});
  FunctionId other = profile.add_function({text("other")});
  LocationId in_main = profile.add_location({server, RuntimeAddr{0x1100}}, {{main, 12, 0}});
  LocationId in_work = profile.add_location({server, RuntimeAddr{0x1200}}, {{work, 3, 0}});
  LocationId in_other = profile.add_location({kNoMapping, RuntimeAddr{0x9000}}, {{other, 0, 0}});
  LabelsId first = profile.add_labels({{.key = text("thread"), .text = text("a")}});
  LabelsId second = profile.add_labels({{.key = text("thread"), .text = text("b")}});
  profile.add_sample({profile.add_stack({in_work, in_main}), first}, {300, 3'000'000'000});
  profile.add_sample({profile.add_stack({in_main}), second}, {100, 1'000'000'000});
  profile.add_sample({profile.add_stack({in_other}), profile.add_labels({})}, {50, 500'000'000});
  profile.normalize();
  return profile;
}

constexpr const char* kShown =
    "  counts        samples/count: 450\n"
    "                cpu/nanoseconds: 4.50 s\n"
    "  shown type    cpu/nanoseconds, the last\n"
    "  period        10000000 nanoseconds of cpu\n"
    "  begun         2023-11-14 22:13:20 UTC\n"
    "  took          10.00 s\n"
    "  samples       3 different, 3 locations in 3 functions\n"
    "  labels        thread (2 values)\n"
    "  builds        88.9 % in build c0ffee (/bin/server)\n"
    "                11.1 % without a build ID\n"
    "\n"
    "    FLAT   SHARE  FUNCTION\n"
    "  3.00 s  66.7 %  work()\n"
    "  1.00 s  22.2 %  main\n"
    "  0.50 s  11.1 %  other\n";

std::string body(const std::string& text) { return text.substr(text.find('\n') + 1); }

TEST_F(StackContentsTest, ShowsPprof) {
  std::string bytes = write_pprof(cpu_profile());
  std::string path = write("a.pb", bytes);
  std::string text = text_of(path);
  EXPECT_EQ(text.substr(0, text.find('\n')),
            "a.pb: pprof profile, " + std::to_string(bytes.size()) + " bytes");
  EXPECT_EQ(body(text), kShown);
}

TEST_F(StackContentsTest, ShowsBothSizesOfACompressedFile) {
  std::string bytes = write_pprof(cpu_profile()), compressed = gzip(bytes).value();
  std::string path = write("a.pb.gz", compressed);
  std::string text = text_of(path);
  EXPECT_EQ(text.substr(0, text.find('\n')), "a.pb.gz: pprof profile, " +
                                                 std::to_string(compressed.size()) + " bytes (" +
                                                 std::to_string(bytes.size()) + " bytes inflated)");
  EXPECT_EQ(body(text), kShown);
  EXPECT_EQ(
      json_of(request(path, 1)),
      (nlohmann::json{{"path", "a.pb.gz"},
                      {"format", "pprof profile"},
                      {"size", compressed.size()},
                      {"inflated", bytes.size()},
                      {"warnings", nlohmann::json::array()},
                      {"totals", {{"samples/count", 450}, {"cpu/nanoseconds", 4'500'000'000}}},
                      {"period", 10'000'000},
                      {"time_ns", 1'700'000'000'000'000'000},
                      {"duration_ns", 10'000'000'000},
                      {"samples", 3},
                      {"shown_type", "cpu/nanoseconds"},
                      {"functions", 3},
                      {"labels", {{"thread", 2}}},
                      {"builds",
                       {{{"build_id", "c0ffee"},
                         {"path", "/bin/server"},
                         {"value", 4'000'000'000},
                         {"samples", 2}},
                        {{"build_id", ""}, {"path", ""}, {"value", 500'000'000}, {"samples", 1}}}},
                      {"hottest", {{{"function", "_Z4workv"}, {"value", 3'000'000'000}}}}}));
}

TEST_F(StackContentsTest, ShowsFoldedStacks) {
  EXPECT_EQ(body(text_of(write("a.folded", "main;work 3\nmain 1\n"))),
            "  counts        samples/count: 4\n"
            "  shown type    samples/count\n"
            "  samples       2 different, 2 locations in 2 functions\n"
            "  builds        100.0 % without a build ID\n"
            "\n"
            "  FLAT   SHARE  FUNCTION\n"
            "     3  75.0 %  work\n"
            "     1  25.0 %  main\n");
}

// "work 2" is no function.
TEST_F(StackContentsTest, RejectsFoldedDifferences) {
  EXPECT_EQ(text_of(write("a.folded", "main;work 2 3\nmain 0 1\n")),
            "error: a.folded: looks like a difference of two profiles: its lines end in two "
            "numbers, counts before and after ('main;work 12 15'); use the profiles themselves "
            "(flamegraph.pl draws the difference). If the first number belongs to the name, end "
            "the stack with ';' ('main;worker 12; 15')");
}

TEST_F(StackContentsTest, RejectsWhatIsCutShort) {
  std::string bytes = gzip(write_pprof(cpu_profile())).value();
  EXPECT_EQ(text_of(write("a.pb.gz", bytes.substr(0, 40))),
            "error: a.pb.gz: gzip member 1, at byte 0, is damaged or cut short");
}

}  // namespace
}  // namespace pgo::test::stack_contents_test
