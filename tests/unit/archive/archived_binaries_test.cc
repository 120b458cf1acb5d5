// find_sampled_builds() and find_archived_binaries(): which builds are looked for, and what becomes
// of them.
#include "pgo/archive/archived_binaries.h"

#include <gtest/gtest.h>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "pgo/archive/directory_archive.h"
#include "tests/data/released_elf.h"
#include "tests/data/small_profiles.h"
#include "tests/data/small_recording.h"
#include "tests/data/small_stacks.h"
#include "tests/data/temporary_files.h"

namespace pgo::archived_binaries_test {
namespace {

using test::elf_of;
using test::kPreboltId;
using Elf = test::ReleasedElf;

constexpr const char *kServer = "0102030405060708", *kPrebolt = "0102030405060709",
                     *kOther = "1112131415161718";
const std::string kOtherId("\x11\x12\x13\x14\x15\x16\x17\x18", 8);

class ArchivedBinariesTest : public test::TemporaryFiles {
 protected:
  std::string write_elf(const std::string& name, const Elf& elf) {
    return write(name, Bytes(elf_of(elf)));
  }

  void keep(const std::string& archive, const ReleasePaths& files) {
    Diagnostics ignored;
    ASSERT_TRUE(keep_in_directory(path(archive), open_release(files, ignored).value()));
  }

  BuildArchives archives(const std::vector<std::string>& names) {
    BuildArchives opened;
    for (const std::string& name : names)
      opened.push_back(open_directory_archive(path(name), name));
    return opened;
  }

  static SampledBuild sampled(const std::string& id, const std::string& path = "/opt/server") {
    return {*BuildId::from_hex(id), path, 1};
  }

  // The paths; or the error.
  std::string found(const std::vector<SampledBuild>& builds, const std::vector<std::string>& in,
                    const std::vector<std::string>& named = {}) {
    const Result<ArchivedBinaries> result = find_archived_binaries(builds, archives(in), named);
    if (!result) return text_of(result.error());
    std::string text;
    for (const std::string& binary : result->binaries) text += relative(binary) + "\n";
    for (const std::string& file : result->debug_files) text += "debug " + relative(file) + "\n";
    return text;
  }

  std::string builds_in(const std::vector<std::string>& inputs, unsigned jobs = 1) {
    const Result<std::vector<SampledBuild>> builds = find_sampled_builds(inputs, jobs);
    if (!builds) return text_of(builds.error());
    std::string text;
    for (const SampledBuild& build : *builds)
      text += build.id.hex() + " " + build.path + " " + std::to_string(build.samples) + "\n";
    return text;
  }
};

TEST_F(ArchivedBinariesTest, ListsTheBuildsThatWereSampled) {
  const std::string id = test::program().image().build_id().hex();
  test::PerfDataBuilder recording = test::small_recording();
  recording.sample({.pid = 10, .time = 600, .ip = test::c(0x1210), .branches = test::kLoop});
  recording.sample({.pid = 10, .time = 700, .ip = test::c(0x1218), .branches = test::kLoop});
  EXPECT_EQ(builds_in({write("a.data", Bytes(recording.file()))}),
            id + " " + test::program().image().path() + " 2\n");
  EXPECT_EQ(builds_in({write("a.addr",
                             write_address_profile(test::pc_sample_profile(kServer, "/opt/server",
                                                                           {{ElfAddr{16}, 2, 20}}))
                                 .value())}),
            std::string(kServer) + " /opt/server 20\n");
  StackProfile stacks = test::small_stacks({{{{"work"}, {"main", "", "libother.so"}}}});
  for (StackMapping& mapping : stacks.mappings)
    mapping.build_id =
        stacks.strings.add(stacks.text(mapping.filename) == "server" ? kServer : kOther);
  EXPECT_EQ(builds_in({write("a.pb", write_pprof(stacks))}),
            std::string(kServer) + " server 1\n" + kOther + " libother.so 1\n");
  EXPECT_EQ(builds_in({write("a.txt", "no profile"), write("a.folded", "main 1\n")}), "");
  EXPECT_EQ(builds_in({"-"}),
            "standard input cannot be read twice, for its build IDs (\xFF{binary-from}) and for "
            "its samples; write it to a file first");
}

TEST_F(ArchivedBinariesTest, ListsTheSameBuildsOnAnyNumberOfThreads) {
  std::vector<std::string> inputs;
  for (uint64_t host = 0; host < 7; host++)
    inputs.push_back(
        write("host" + std::to_string(host) + ".addr",
              write_address_profile(test::pc_sample_profile(host % 2 == 0 ? kServer : kOther,
                                                            "/opt/" + std::to_string(host),
                                                            {{ElfAddr{16}, 1, 10 + host}}))
                  .value()));
  const std::string expected = std::string(kServer) + " /opt/0 52\n" + kOther + " /opt/1 39\n";
  for (unsigned jobs : {1u, 3u, 16u}) EXPECT_EQ(builds_in(inputs, jobs), expected) << jobs;
}

TEST_F(ArchivedBinariesTest, FindsEachSampledBuildInTheFirstArchiveThatHasIt) {
  const std::string server = write_elf("server", {}), other = write_elf("other", {.id = kOtherId});
  keep("first", {server});
  keep("second", {server});
  keep("second", {other});
  const std::string in_first = "first/.build-id/01/02030405060708\n",
                    in_second = "second/.build-id/11/12131415161718\n";
  EXPECT_EQ(found({sampled(kServer), sampled(kOther)}, {"first", "second"}), in_first + in_second);
  // The C library, say.
  EXPECT_EQ(found({sampled(kServer), sampled(kOther)}, {"first"}), in_first);
  EXPECT_EQ(found({sampled(kServer), sampled(kOther)}, {"first", "second"}, {server}), in_second);
  EXPECT_EQ(found({sampled(kServer)}, {"first"}, {server}), "");
}

// A library of the system on a debuginfod server, say.
TEST_F(ArchivedBinariesTest, LeavesOutStrippedFilesOfWhichNothingCanBeCounted) {
  keep("archive", {write_elf("server", {})});
  const std::string library = write_elf("library", {.id = kOtherId, .debug_info = false}),
                    debug = write_elf("library.debug", {.id = kOtherId});
  keep("archive", {library});
  const std::vector<SampledBuild> both = {sampled(kServer), sampled(kOther)};
  const auto names = [&](BinaryUse use, const DebugPlaces& places) {
    const ArchivedBinaries found =
        find_archived_binaries(both, archives({"archive"}), {}, use, places).value();
    return std::to_string(found.binaries.size()) + " and " + std::to_string(found.stripped.size());
  };
  EXPECT_EQ(names(BinaryUse::kCounts, {}), "1 and 1");
  EXPECT_EQ(names(BinaryUse::kNames, {}), "2 and 0");
  EXPECT_EQ(names(BinaryUse::kCounts, {.files = {debug}}), "2 and 0");
  // If there is nothing else, its reader says what it lacks.
  const ArchivedBinaries alone =
      find_archived_binaries({sampled(kOther)}, archives({"archive"}), {}, BinaryUse::kCounts)
          .value();
  EXPECT_EQ(alone.binaries.size(), 1u);
  EXPECT_TRUE(alone.stripped.empty());
  keep("archive", {library, "", debug});
  EXPECT_EQ(names(BinaryUse::kCounts, {}), "2 and 0");
}

TEST_F(ArchivedBinariesTest, FindsWhatABoltedProgramNeeds) {
  keep("archive", {write_elf("server", {.debug_info = false, .bolted = true}),
                   write_elf("server.prebolt", {.id = kPreboltId, .debug_info = false}),
                   write_elf("server.debug", {.id = kPreboltId})});
  const std::string all =
      "archive/.build-id/01/02030405060708\narchive/.build-id/01/02030405060709\n"
      "debug archive/.build-id/01/02030405060709.debug\n";
  EXPECT_EQ(found({sampled(kServer)}, {"archive"}), all);
  EXPECT_EQ(found({sampled(kServer), sampled(kPrebolt)}, {"archive"}), all);
  EXPECT_EQ(found({sampled(kPrebolt)}, {"archive"}), all.substr(all.find('\n') + 1));
}

TEST_F(ArchivedBinariesTest, SaysWhatWasLookedForAndWhere) {
  std::vector<SampledBuild> builds = {sampled(kServer), sampled(kOther, "")};
  EXPECT_EQ(found(builds, {"first", "second"}),
            "first, second: no file has one of the build IDs that were sampled:\n"
            "  0102030405060708  /opt/server\n"
            "  1112131415161718  (no name); 'pgo archive' in the release job keeps such files; "
            "\xFF{binary} names one that you have");
  for (int i = 0; i < 8; i++) builds.push_back(sampled(kOther));
  EXPECT_NE(found(builds, {"first"}).find("\n  and 2 more; "), std::string::npos);
  EXPECT_EQ(found({}, {"first"}),
            "the inputs have no samples with a build ID that could be looked for in first; name "
            "the binary with \xFF{binary}");
}

TEST_F(ArchivedBinariesTest, FindsWhatLlvmBoltMadeOfAFile) {
  const std::string prebolt = write_elf("server.prebolt", {.id = kPreboltId});
  const auto bolted = [&](const std::vector<SampledBuild>& builds,
                          const std::string& archive) -> std::string {
    const auto result = find_archived_bolted(builds, archives({archive}), prebolt);
    if (!result) return text_of(result.error());
    return *result ? relative((*result)->path) : "none";
  };
  keep("archive", {write_elf("server", {.bolted = true}), prebolt});
  EXPECT_EQ(bolted({sampled(kOther), sampled(kServer)}, "archive"),
            "archive/.build-id/01/02030405060708");
  EXPECT_EQ(bolted({sampled(kOther)}, "archive"), "none");
  EXPECT_EQ(bolted({sampled(kServer), sampled(kPrebolt)}, "archive"), "none");
  EXPECT_EQ(bolted({sampled(kServer)}, "empty"),
            "empty: no file has one of the build IDs that were sampled:\n"
            "  0102030405060708  /opt/server; 'pgo archive' in the release job keeps such files; "
            "\xFF{binary} names one that you have");
}

}  // namespace
}  // namespace pgo::archived_binaries_test
