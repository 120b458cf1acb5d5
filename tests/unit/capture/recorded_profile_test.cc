// A recording of a tiny program, whose file a process of a /proc made by hand has mapped.
#include "pgo/capture/recorded_profile.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "converters/address/address_profile_reader.h"
#include "pgo/base/text_bytes.h"
#include "tests/data/elf_builder.h"
#include "tests/data/small_recording.h"
#include "tests/data/temporary_files.h"

namespace pgo::recorded_profile_test {
namespace {

class RecordedProfileTest : public test::TemporaryFiles {
 protected:
  // The process has `file` where the recording has the program, which its executable is, or not.
  ProcessBinaries binaries(Bytes file, const std::string& program = "/bin/tiny") {
    write("proc/10/maps", "400000-401000 r-xp 0 08:01 1 /bin/tiny\n");
    write("proc/10/root/bin/tiny", file);
    std::filesystem::remove(path("proc/10/exe"));
    std::filesystem::create_symlink(program, path("proc/10/exe"));
    return ProcessBinaries::open({{10, 0, 0}}, path("proc"));
  }
  Result<RecordedProfile> make(const test::PerfDataBuilder& perf, const ProcessBinaries& held) {
    const std::vector<uint8_t> bytes = perf.file();
    return make_recorded_profile(write("perf.data", Bytes(bytes)), held,
                                 Origins::of({{"service", "tiny"}}, Origins::Window{100, 200}));
  }
  static test::PerfDataBuilder clock_samples(bool with_build_id = true) {
    test::PerfDataBuilder perf;
    test::Event event = test::branch_event();
    event.sample_type &= ~static_cast<uint64_t>(PERF_SAMPLE_BRANCH_STACK);
    event.type = PERF_TYPE_SOFTWARE;
    event.config = PERF_COUNT_SW_CPU_CLOCK;
    perf.event(event);
    test::Mmap2 map = test::program().map(10, test::kMap, 100);
    if (!with_build_id) map.build_id.clear();
    perf.mmap2(map);
    for (uint64_t elf : {0x1204, 0x1204, 0x1208})
      perf.sample({.pid = 10, .time = 200, .ip = test::c(elf), .period = 1000});
    return perf;
  }
  // The program with real instructions and a symbol.
  static ElfBuilder tiny_elf() {
    ElfBuilder elf;
    elf.header.e_machine = EM_X86_64;
    const uint16_t text = elf.next_section();
    elf.add_code(test::TinyProgram::kBegin, std::string(256, '\x90'));
    elf.add_symbol("work", STT_FUNC, text, test::TinyProgram::kBegin, 256);
    elf.add_build_id(test::program().image().build_id());
    return elf;
  }
  std::string warnings(const RecordedProfile& profile) const {
    std::string text;
    for (const auto& [kind, entry] : profile.diagnostics.entries())
      for (const std::string& message : entry.messages) text += relative(message) + "\n";
    return text;
  }
};

TEST_F(RecordedProfileTest, CountsByAddressUnderThePathOfTheProcess) {
  const auto made = make(clock_samples(), binaries(test::program().image().bytes()));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->extension, ".addr");
  EXPECT_EQ(made->samples, 3u);
  EXPECT_EQ(made->used, 3u);
  EXPECT_FALSE(made->has_branches);
  EXPECT_EQ(warnings(*made), "");
  const auto profile = read_address_profile(as_bytes(made->contents), "made");
  ASSERT_TRUE(profile);
  ASSERT_EQ(profile->binaries.size(), 1u);
  EXPECT_EQ(profile->binaries[0].path_hint, "/bin/tiny");
  EXPECT_EQ(profile->binaries[0].id, test::program().image().build_id());
  EXPECT_EQ(profile->binaries[0].pc_sample_count(), 3u);
  EXPECT_EQ(profile->binaries[0].pc_sample_weight(), 3000u);
  EXPECT_EQ(profile->origins, Origins::of({{"service", "tiny"}}, Origins::Window{100, 200}));
}

// perf cannot read the build IDs of a container without CAP_SYS_ADMIN.
TEST_F(RecordedProfileTest, WithoutABuildIdTheFileOfTheProcessIsTheOne) {
  const auto made = make(clock_samples(false), binaries(test::program().image().bytes()));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->used, 3u);
  EXPECT_EQ(made->program, test::program().image().build_id().hex());
  EXPECT_EQ(warnings(*made), "");
  const auto profile = read_address_profile(as_bytes(made->contents), "made");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->binaries.at(0).id, test::program().image().build_id());
}

TEST_F(RecordedProfileTest, WarnsOfARecordingThatIsCut) {
  std::vector<uint8_t> bytes = clock_samples().file();
  bytes.resize(bytes.size() - 4);
  const auto made = make_recorded_profile(write("perf.data", Bytes(bytes)),
                                          binaries(test::program().image().bytes()), {});
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(warnings(*made).starts_with("perf.data: ")) << warnings(*made);
}

// perf reads build IDs by paths, so it has none of a program that was replaced while it runs.
TEST_F(RecordedProfileTest, AProgramThatWasReplacedCountsByTheFileThatRuns) {
  test::PerfDataBuilder perf;
  test::Event event = test::branch_event();
  event.sample_type &= ~static_cast<uint64_t>(PERF_SAMPLE_BRANCH_STACK);
  perf.event(event);
  test::Mmap2 map = test::program().map(10, test::kMap, 100);
  map.path += " (deleted)";
  map.build_id.clear();
  perf.mmap2(map);
  perf.sample({.pid = 10, .time = 200, .ip = test::c(0x1204), .period = 1000});
  const test::TinyProgram other("/bin/tiny", "ff02030405060708090a0b0c0d0e0f1011121314");
  const auto held = [&] {
    write("proc/10/maps", "400000-401000 r-xp 0 08:01 1 /bin/tiny (deleted)\n");
    write("proc/10/root/bin/tiny", other.image().bytes());
    return ProcessBinaries::open({{10, 0, 0}}, path("proc"));
  };
  // What is at the path now is not taken.
  EXPECT_EQ(make(perf, held())->contents, "");
  write("proc/10/map_files/400000-401000", test::program().image().bytes());
  const auto made = make(perf, held());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->used, 1u);
  const auto profile = read_address_profile(as_bytes(made->contents), "made");
  ASSERT_TRUE(profile);
  EXPECT_EQ(profile->binaries.at(0).path_hint, "/bin/tiny");
  EXPECT_EQ(profile->binaries.at(0).id, test::program().image().build_id());
}

TEST_F(RecordedProfileTest, OtherFilesAtThePathAreNotUsed) {
  const test::TinyProgram other("/bin/tiny", "ff02030405060708090a0b0c0d0e0f1011121314");
  const auto made = make(clock_samples(), binaries(other.image().bytes()));
  ASSERT_TRUE(made);
  EXPECT_EQ(made->contents, "");
  EXPECT_EQ(
      warnings(*made),
      "/bin/tiny: cannot be read as it ran, or has no build ID; its samples are left out. To read "
      "a replaced file, pgo needs CAP_CHECKPOINT_RESTORE. To get a build ID, link with "
      "-Wl,--build-id\n");
}

// Without a process whose files were held open, files are found by path and build ID.
TEST_F(RecordedProfileTest, FilesOfThisHostCountByTheirBuildId) {
  const std::vector<uint8_t> program = tiny_elf().finish();
  const std::string file = write("tiny", Bytes(program));
  test::PerfDataBuilder perf;
  perf.event(test::branch_event());
  test::Mmap2 map = test::program().map(10, test::kMap, 100);
  map.path = file;
  perf.mmap2(map);
  perf.sample({.pid = 10, .time = 200, .ip = test::c(0x1204), .branches = test::kLoop});
  const auto made = make(perf, ProcessBinaries());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->extension, ".addr");
  EXPECT_EQ(warnings(*made), "");
  // It is the program, as the file with the most samples.
  ElfBuilder elf = tiny_elf();
  elf.strip();
  const std::vector<uint8_t> stripped = elf.finish();
  write("tiny", Bytes(stripped));
  const auto kept = make(perf, ProcessBinaries());
  ASSERT_TRUE(kept) << kept.error().message;
  EXPECT_EQ(kept->extension, ".perf.data");
  // Another build is not used, and neither is a file without a build ID in the recording.
  const test::TinyProgram other("/bin/tiny", "ff02030405060708090a0b0c0d0e0f1011121314");
  write("tiny", other.image().bytes());
  EXPECT_EQ(make(perf, ProcessBinaries())->contents, "");
  write("tiny", Bytes(program));
  map.build_id.clear();
  test::PerfDataBuilder without_id;
  without_id.event(test::branch_event());
  without_id.mmap2(map);
  without_id.sample({.pid = 10, .time = 200, .ip = test::c(0x1204)});
  EXPECT_EQ(make(without_id, ProcessBinaries())->contents, "");
}

TEST_F(RecordedProfileTest, BranchRecordsBecomeTraces) {
  const std::vector<uint8_t> program = tiny_elf().finish();
  const auto made = make(test::small_recording(), binaries(Bytes(program)));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->extension, ".addr");
  EXPECT_TRUE(made->has_branches);
  EXPECT_EQ(made->samples, 4u);
  EXPECT_EQ(made->used, 3u);  // one is of the kernel
  const auto profile = read_address_profile(as_bytes(made->contents), "made");
  ASSERT_TRUE(profile);
  EXPECT_FALSE(profile->binaries.at(0).traces.empty());
}

// Where branches of a stripped file lead is not known without its instructions.
TEST_F(RecordedProfileTest, BranchRecordsOfAStrippedFileStayARecording) {
  const test::PerfDataBuilder perf = test::small_recording();
  ElfBuilder elf = tiny_elf();
  elf.strip();
  const std::vector<uint8_t> stripped = elf.finish();
  const auto made = make(perf, binaries(Bytes(stripped)));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->has_branches);
  EXPECT_EQ(made->extension, ".perf.data");
  const std::vector<uint8_t> bytes = perf.file();
  EXPECT_EQ(made->contents, as_text(Bytes(bytes)));
  EXPECT_EQ(warnings(*made),
            "/bin/tiny is stripped, so the recording is kept as it is: convert it where the debug "
            "file is\n");
  // The program alone decides.
  const auto library = make(perf, binaries(Bytes(stripped), "/bin/other"));
  ASSERT_TRUE(library) << library.error().message;
  EXPECT_EQ(library->contents, "");
}

TEST_F(RecordedProfileTest, WithoutSamplesThereIsNoProfile) {
  test::PerfDataBuilder perf;
  perf.event(test::branch_event());
  const auto made = make(perf, binaries(test::program().image().bytes()));
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->contents, "");
  EXPECT_EQ(made->samples, 0u);
}

TEST_F(RecordedProfileTest, ADamagedRecordingIsAnError) {
  const auto made = make_recorded_profile(write("perf.data", "PERFILE2"),
                                          binaries(test::program().image().bytes()), {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().kind, ErrorKind::kInput);
}

}  // namespace
}  // namespace pgo::recorded_profile_test
