#include "pgo/show/recording_contents.h"

#include "tests/data/elf_builder.h"
#include "tests/data/perf_data_builder.h"
#include "tests/data/shown_files.h"

namespace pgo::test::recording_contents_test {
namespace {

using RecordingTest = ShownFiles;

constexpr char kBuildId[] = "00112233445566778899aabbccddeeff00112233";

// Two events, one of them with branch stacks; a process and its child; samples in a file with a
// build ID, one without, memory without a file, the kernel and nowhere.
PerfDataBuilder two_events() {
  PerfDataBuilder perf;
  perf.event({.sample_period = 4000,
              .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                             PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK,
              .flags = kFlagSampleIdAll,
              .branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY,
              .ids = {1},
              .name = "cycles:u"})
      .event({.config = PERF_COUNT_HW_INSTRUCTIONS,
              .sample_period = 99,
              .sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
                             PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
              .flags = kFlagSampleIdAll | kFlagFrequency,
              .ids = {2},
              .name = "instructions:u"})
      .comm({.pid = 10, .time = 1, .name = "server", .misc = PERF_RECORD_MISC_COMM_EXEC})
      .mmap2({.pid = 10,
              .time = 2,
              .addr = 0x400000,
              .len = 0x1000,
              .path = "/srv/server",
              .build_id = kBuildId})
      .mmap2({.pid = 10, .time = 3, .addr = 0x700000, .len = 0x1000, .path = "/lib/libc.so.6"})
      .mmap2({.pid = 10, .time = 4, .addr = 0x900000, .len = 0x1000, .path = "//anon"})
      .fork({.pid = 11, .parent = 10, .time = 5})
      .sample({.pid = 10,
               .time = 1000000000,
               .ip = 0x400100,
               .branches = {{0x400120, 0x400100}, {0x400110, 0x40011c}}})
      .sample({.pid = 10, .time = 1500000000, .ip = 0x400200, .branches = {{0x400120, 0x400100}}})
      .sample({.pid = 11, .time = 2000000000, .ip = 0x700300})
      .sample({.pid = 11, .time = 2000000001, .ip = 0x900300})
      .sample({.pid = 11, .time = 2000000002, .ip = 0xffffffff81000000})
      .sample({.pid = 11, .time = 3250000000, .ip = 0x10, .event = 1})
      .lost({.lost = 17, .time = 3250000001})
      .event_desc();
  return perf;
}

constexpr const char* kShown =
    "  events        cycles:u: 5 samples, one in 4 000, 3 branch records in 2 stacks\n"
    "                instructions:u: 1 sample, 99 a second, no branch records, call stacks\n"
    "  time          2.250 s, from 1.000000\n"
    "  processes     11 server  66.7 %\n"
    "                10 server  33.3 %\n"
    "  lost          17 samples, reported by the kernel\n"
    "\n"
    "  SAMPLES   SHARE  FILE            BUILD ID\n"
    "        2  33.3 %  /srv/server     00112233445566778899aabbccddeeff00112233\n"
    "        1  16.7 %  /lib/libc.so.6  none\n"
    "\n"
    "  records                                                          12  100.0 %\n"
    "  samples in them                                                   6   50.0 %\n"
    "  - in the kernel                                                   1   16.7 %\n"
    "  - in memory without a file (JIT code)                             1   16.7 %\n"
    "  - in no known mapping                                             1   16.7 %\n"
    "  = in recorded files                                               3   50.0 %\n"
    "  samples with branch records                                       2   33.3 %\n"
    "  branch records in them                                            3  100.0 %\n";

// The lines behind the first one.
std::string body(const std::string& text) { return text.substr(text.find('\n') + 1); }
std::string head(const std::string& text) { return text.substr(0, text.find('\n')); }

TEST_F(RecordingTest, ShowsWhatNeedsNoElfFile) {
  std::string path = write("a.perf", two_events().file());
  std::string text = text_of(path);
  EXPECT_EQ(head(text).substr(0, 31), "a.perf: perf.data recording, 1.");
  EXPECT_EQ(body(text), kShown);
}

TEST_F(RecordingTest, HasAllFiguresInJson) {
  std::string path = write("a.perf", two_events().file());
  nlohmann::json json = json_of(request(path, 1));
  EXPECT_EQ(json["events"][0], (nlohmann::json{{"name", "cycles:u"},
                                               {"period", 4000},
                                               {"branch_stacks", true},
                                               {"call_stacks", false},
                                               {"lbr_call_stacks", false},
                                               {"samples", 5},
                                               {"samples_with_branches", 2},
                                               {"branch_records", 3}}));
  EXPECT_EQ(json["events"][1], (nlohmann::json{{"name", "instructions:u"},
                                               {"frequency", 99},
                                               {"branch_stacks", false},
                                               {"call_stacks", true},
                                               {"lbr_call_stacks", false},
                                               {"samples", 1},
                                               {"samples_with_branches", 0},
                                               {"branch_records", 0}}));
  EXPECT_EQ(json["processes"], (nlohmann::json{{{"pid", 11}, {"name", "server"}, {"samples", 4}},
                                               {{"pid", 10}, {"name", "server"}, {"samples", 2}}}));
  EXPECT_EQ(json["files"],
            (nlohmann::json{{{"path", "/srv/server"}, {"build_id", kBuildId}, {"samples", 2}},
                            {{"path", "/lib/libc.so.6"}, {"build_id", ""}, {"samples", 1}}}));
  for (const char* key : {"events", "processes", "files"}) json.erase(key);
  EXPECT_EQ(json,
            (nlohmann::json{{"path", "a.perf"},
                            {"format", "perf.data"},
                            {"size", std::filesystem::file_size(path)},
                            {"mode", "file"},
                            {"compressed", false},
                            {"truncated", false},
                            {"aux_data", false},
                            {"lost", 17},
                            {"warnings", nlohmann::json::array()},
                            {"time", {{"first", 1000000000}, {"last", 3250000000}}},
                            {"records", 12},
                            {"samples",
                             {{"seen", 6},
                              {"used", 3},
                              {"dropped", {{"kernel", 1}, {"anonymous", 1}, {"unmapped", 1}}}}},
                            {"samples_with_branches", 2},
                            {"branch_records", 3}}));
}

TEST_F(RecordingTest, SaysWhatTheTablesLeaveOut) {
  std::string text = text_of(request(write("a.perf", two_events().file()), 1));
  EXPECT_NE(text.find("  processes     11 server  66.7 %\n                and 1 more\n"),
            text.npos);
  EXPECT_NE(text.find("00112233\n  and 1 more file\n"), text.npos) << text;
}

TEST_F(RecordingTest, DoesNotDependOnTheNumberOfThreads) {
  ShowRequest asked = request(write("a.perf", two_events().file()));
  std::string text = text_of(asked);
  for (unsigned jobs : {0u, 3u}) {
    asked.jobs = jobs;
    EXPECT_EQ(text_of(asked), text) << jobs;
  }
}

TEST_F(RecordingTest, TellsHowItWasWritten) {
  PerfDataBuilder perf;
  perf.event({.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME})
      .start_compressed()
      .sample({.pid = 1, .ip = 0x10})
      .end_compressed();
  std::string text = text_of(write("a.perf", perf.pipe()));
  EXPECT_TRUE(head(text).ends_with(", written to a pipe, compressed")) << text;
  std::vector<uint8_t> file = two_events().file();
  file.resize(1000);
  text = text_of(write("cut.perf", file));
  EXPECT_TRUE(head(text).ends_with(", truncated")) << text;
  EXPECT_NE(text.find("\n  warning       cut.perf: "), text.npos) << text;
  file.resize(50);
  EXPECT_EQ(text_of(write("header.perf", file)),
            "error: header.perf: the header is cut short: 104 bytes expected, found 50");
}

TEST_F(RecordingTest, SaysThatTraceDataMustBeDecoded) {
  PerfDataBuilder perf;
  perf.event({.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME})
      .auxtrace("12345678");
  std::string path = write("a.perf", perf.file());
  EXPECT_NE(text_of(path).find("  trace data    must be decoded into samples first: perf inject "
                               "--itrace=i100usle --strip\n"),
            std::string::npos);
  EXPECT_EQ(json_of(path)["aux_data"], true);
}

// The processor's log of calls is neither a branch stack nor one that perf made by unwinding.
TEST_F(RecordingTest, NamesLbrCallStacks) {
  PerfDataBuilder perf;
  perf.event({.sample_period = 4000,
              .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                             PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_BRANCH_STACK,
              .branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_CALL_STACK})
      .sample({.pid = 10, .time = 1, .ip = 0x400100, .branches = {{0x400120, 0x400100}}});
  const std::string file = write("a.perf", perf.file());
  std::string text = text_of(file);
  EXPECT_NE(
      text.find("  event         cycles: 1 sample, one in 4 000, LBR call stacks (perf record "
                "--call-graph lbr) and no branch records (-b)\n"),
      text.npos)
      << text;
  nlohmann::json json = json_of(file);
  EXPECT_EQ(json["events"][0]["lbr_call_stacks"], true);
  EXPECT_EQ(json["samples_with_branches"], 0);
  EXPECT_EQ(json["branch_records"], 0);
}

// hot() at 0x1200 loops from 0x121f to 0x1200; cold() at 0x1240 returns.
class UsedRecordingTest : public RecordingTest {
 protected:
  std::string write_program() const {
    std::string text(0x80, '\x90');     // nop
    text.replace(0x1e, 2, "\xeb\xe0");  // jmp 0x1200
    text[0x7f] = '\xc3';                // ret
    ElfBuilder elf;
    elf.add_code(0x1200, text);
    elf.add_build_id("12345678");
    elf.add_symbol("_Z3hotv", STT_FUNC, 1, 0x1200, 0x40);
    elf.add_symbol("cold", STT_FUNC, 1, 0x1240, 0x40);
    return write("server", elf.finish());
  }

  // Each sample is a round of the loop: the code from 0x1200 up to the jump at 0x121e.
  PerfDataBuilder recording(const std::string& build_id) const {
    PerfDataBuilder perf;
    perf.event({.sample_period = 1000,
                .sample_type =
                    PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_BRANCH_STACK,
                .branch_sample_type = PERF_SAMPLE_BRANCH_USER | PERF_SAMPLE_BRANCH_ANY})
        .mmap2({.pid = 10,
                .addr = 0x401000,
                .len = 0x1000,
                .path = path("server"),
                .build_id = build_id});
    for (uint64_t time = 1; time <= 5; time++)
      perf.sample({.pid = 10,
                   .time = time,
                   .ip = 0x401200,
                   .branches = {{0x40121e, 0x401200}, {0x40121e, 0x401200}}});
    return perf;
  }

  // What is shown from the samples on.
  std::string funnel_of(const ShowRequest& asked) const {
    const std::string text = text_of(asked);
    const size_t samples = text.find("  samples   ");
    return samples == text.npos ? text : text.substr(samples);
  }
};

TEST_F(UsedRecordingTest, ShowsWhatAConversionUses) {
  ShowRequest asked = request(write("a.perf", recording("3132333435363738").file()));
  asked.binaries = {write_program()};
  EXPECT_EQ(funnel_of(asked),
            "  samples                                                           5  100.0 %\n"
            "  = samples used                                                    5  100.0 %\n"
            "  branch records in them                                           10  100.0 %\n"
            "  = branch records used                                            10  100.0 %\n"
            "\n"
            "  binary        server  3132333435363738\n"
            "  density       unknown: there is no debug information\n"
            "\n"
            "    SHARE  FUNCTION\n"
            "  100.0 %  hot()\n");
  nlohmann::json json = json_of(asked);
  EXPECT_EQ(json["used"]["branches"]["used"], 10);
  ASSERT_EQ(json["binaries"].size(), 1u);
  EXPECT_EQ(json["binaries"][0]["weight"], 160);
  EXPECT_EQ(json["binaries"][0]["path"], "server");
  EXPECT_EQ(json["binaries"][0]["build_id"], "3132333435363738");
  EXPECT_EQ(json["binaries"][0]["hottest"][0],
            (nlohmann::json{{"function", "_Z3hotv"}, {"weight", 160}, {"share", 1.0}}));
}

// Was the right load recorded? PC samples answer that as well.
TEST_F(UsedRecordingTest, ShowsTheHottestFunctionsOfPcSamples) {
  PerfDataBuilder perf;
  perf.event({.sample_period = 1000,
              .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME})
      .mmap2({.pid = 10,
              .addr = 0x401000,
              .len = 0x1000,
              .path = path("server"),
              .build_id = "3132333435363738"});
  for (uint64_t ip : {0x401204, 0x401208, 0x40120c, 0x401250})
    perf.sample({.pid = 10, .time = 1, .ip = ip});
  ShowRequest asked = request(write("a.perf", perf.file()));
  asked.binaries = {write_program()};
  std::string text = text_of(asked);
  EXPECT_NE(text.find("\n"
                      "   SHARE  FUNCTION\n"
                      "  75.0 %  hot()\n"
                      "  25.0 %  cold\n"),
            text.npos)
      << text;
  EXPECT_EQ(json_of(asked)["binaries"][0]["hottest"],
            (nlohmann::json{{{"function", "_Z3hotv"}, {"weight", 3000}, {"share", .75}},
                            {{"function", "cold"}, {"weight", 1000}, {"share", .25}}}));
}

TEST_F(UsedRecordingTest, SaysWhyNothingIsUsed) {
  ShowRequest asked = request(write("a.perf", recording("ff32333435363738").file()));
  asked.binaries = {write_program()};
  EXPECT_EQ(funnel_of(asked),
            "  samples                                                           5  100.0 %\n"
            "  - in another build of the binary                                  5  100.0 %\n"
            "  = samples used                                                    0    0.0 %\n"
            "  branch records in them                                           10  100.0 %\n"
            "  - in another build of the binary                                 10  100.0 %\n"
            "  = branch records used                                             0    0.0 %\n"
            "\n"
            "nothing in these recordings can be used: 100.0 % of the branch records are in another "
            "build of the binary; the recording is of another build. Wanted:\n"
            "    server  3132333435363738\n"
            "  recorded:\n"
            "    server  ff32333435363738\n");
  EXPECT_EQ(json_of(asked)["unusable"],
            "nothing in these recordings can be used: 100.0 % of the branch records are in another "
            "build of the binary; the recording is of another build. Wanted:\n"
            "    server  3132333435363738\n"
            "  recorded:\n"
            "    server  ff32333435363738");
}

// What was sampled comes first, however often other files were mapped.
TEST_F(UsedRecordingTest, ListsSampledFilesFirst) {
  PerfDataBuilder perf = recording("ff32333435363738");
  for (uint64_t i = 0; i < 10; i++)
    for (int file = 0; file < 9; file++)
      perf.mmap2({.pid = 10,
                  .addr = 0x10000000 + 0x10000 * i + 0x1000 * file,
                  .len = 0x1000,
                  .path = "/lib/lib" + std::to_string(file) + ".so"});
  ShowRequest asked = request(write("a.perf", perf.file()));
  asked.binaries = {write_program()};
  std::string text = json_of(asked)["unusable"];
  EXPECT_EQ(text.substr(text.find("recorded:")),
            "recorded:\n"
            "    server  ff32333435363738\n"
            "    /lib/lib0.so  no build ID\n"
            "    /lib/lib1.so  no build ID\n"
            "    /lib/lib2.so  no build ID\n"
            "    /lib/lib3.so  no build ID\n"
            "    /lib/lib4.so  no build ID\n"
            "    /lib/lib5.so  no build ID\n"
            "    /lib/lib6.so  no build ID\n"
            "    and 2 more");
}

TEST_F(UsedRecordingTest, RejectsAnEventThatWasNotRecorded) {
  ShowRequest asked = request(write("a.perf", recording("3132333435363738").file()));
  asked.binaries = {write_program()};
  asked.events = {"cache-misses"};
  EXPECT_EQ(text_of(asked),
            "error: a.perf: has no event 'cache-misses'; it has:\n"
            "  cycles  (branch records)");
}

}  // namespace
}  // namespace pgo::test::recording_contents_test
