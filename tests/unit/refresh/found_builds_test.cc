#include "pgo/refresh/found_builds.h"

#include <gtest/gtest.h>

#include "pgo/archive/debuginfod_archive.h"
#include "pgo/archive/directory_archive.h"
#include "pgo/base/bytes.h"
#include "pgo/refresh/input_digest.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::found_builds_test {
namespace {

using test::elf_of;
using test::kPreboltId;
using test::kReleasedId;

const std::string kProgram = "0102030405060708", kInput = "0102030405060709",
                  kOther = "1112131415161718", kLibrary = "2122232425262728",
                  kSystem = "3132333435363738";
const std::string kOtherId("\x11\x12\x13\x14\x15\x16\x17\x18", 8),
    kLibraryId("\x21\x22\x23\x24\x25\x26\x27\x28", 8);

ProgramBuild program(const std::string& id, double share) {
  ProgramBuild build;
  build.id = id;
  build.share = share;
  return build;
}

// Profiles of two programs, one of them with a library of ours and one of the system. 10 % of the
// samples of that one are in the kernel.
FetchResult fetched() {
  FetchResult result;
  result.builds = {program(kProgram, .9), program(kOther, .1)};
  FetchedProfile large, small;
  large.digest = "sha256:aa";
  large.inspected.total = 100;
  large.inspected.outside_files = .1;
  large.inspected.builds = {{kProgram, 50, 50, "/opt/q/queryd"},
                            {kLibrary, 20, 20, "/opt/q/libquery.so"},
                            {kSystem, 20, 20, "/usr/lib/x86_64-linux-gnu/libc.so.6"},
                            {"4142434445464748", 10, 10, "[kernel.kallsyms]"}};
  small.inspected.total = 10;
  small.inspected.builds = {{kOther, 10, 10, "/opt/q/queryd"}};
  result.profiles = {large, small};
  return result;
}

class FoundBuildsTest : public test::TemporaryFiles {
 protected:
  void keep(const test::ReleasedElf& elf, const test::ReleasedElf* prebolt = nullptr) {
    ReleasePaths paths{.executable = write("file", Bytes(elf_of(elf)))};
    if (prebolt != nullptr) paths.prebolt = write("file.prebolt", Bytes(elf_of(*prebolt)));
    Diagnostics ignored;
    ASSERT_TRUE(keep_in_directory(path("builds"), open_release(paths, ignored).value()));
  }
  Result<FoundBuilds> find(const FetchResult& result) const {
    const std::unique_ptr<BuildArchive> archive = open_directory_archive(path("builds"), "builds");
    return find_builds(result, {archive.get()});
  }
  std::string place(const std::string& id) const {
    return path("builds") + "/.build-id/" + id.substr(0, 2) + "/" + id.substr(2);
  }
};

TEST_F(FoundBuildsTest, AreProgramsAndLibrariesOfTheArchive) {
  const test::ReleasedElf input{.id = kPreboltId};
  keep({.id = kReleasedId, .code = "\x90\x90\xc3", .bolted = true}, &input);
  keep({.id = kOtherId});
  keep({.id = kLibraryId});
  const FoundBuilds found = find(fetched()).value();
  ASSERT_EQ(found.builds.size(), 3u);
  EXPECT_TRUE(found.builds[0].is_program);
  EXPECT_EQ(found.builds[0].share, .5);
  EXPECT_EQ(found.builds[0].program_share, .9);
  EXPECT_EQ(found.builds[0].files.id.hex(), kProgram);
  EXPECT_TRUE(found.builds[1].is_program);
  EXPECT_FALSE(found.builds[2].is_program);
  EXPECT_EQ(found.builds[2].share, .2);
  EXPECT_EQ(found.builds[2].path, "/opt/q/libquery.so");
  EXPECT_EQ(found.binaries(), (std::vector<std::string>{place(kProgram), place(kInput),
                                                        place(kOther), place(kLibrary)}));
  EXPECT_TRUE(found.debug().files.empty());
  // Nobody archives the libraries of the system.
  ASSERT_EQ(found.missing.size(), 1u);
  EXPECT_TRUE(found.missing[0].is_of_system);
  EXPECT_EQ(found.missing[0].share, .2);
  EXPECT_EQ(found.missing_share(), 0);
}

// llvm-bolt's input was recorded, too: its file is one of two builds.
TEST_F(FoundBuildsTest, NameEachFileOnce) {
  const test::ReleasedElf input{.id = kPreboltId};
  keep({.id = kReleasedId, .code = "\x90\x90\xc3", .bolted = true}, &input);
  FetchResult result = fetched();
  result.builds = {program(kProgram, .5), program(kInput, .5)};
  EXPECT_EQ(find(result).value().binaries(),
            (std::vector<std::string>{place(kProgram), place(kInput)}));
}

TEST_F(FoundBuildsTest, MissingProgramsAreSaid) {
  keep({.id = kReleasedId});
  const FoundBuilds found = find(fetched()).value();
  ASSERT_EQ(found.missing.size(), 3u);
  EXPECT_EQ(found.missing[0].id, kOther);
  EXPECT_TRUE(found.missing[0].is_program);
  FetchResult result = fetched();
  result.builds = {program(kOther, .9), program(kSystem, .1)};
  result.profiles[1].inspected.total = 900;
  result.profiles[1].inspected.builds[0].total = 891;
  const Result<FoundBuilds> none = find(result);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, ErrorKind::kMismatch);
  EXPECT_EQ(none.error().message,
            "no build that was recorded is archived; the build 1112131415161718 has 90.0 % of the "
            "samples; looked in: builds");
  EXPECT_EQ(none.error().advice, "'pgo archive' keeps the files of a release");
}

// The program alone is archived, and its own library has samples, too.
TEST_F(FoundBuildsTest, MissingLibrariesAreSaid) {
  keep({.id = kReleasedId});
  keep({.id = kOtherId});
  const FoundBuilds found = find(fetched()).value();
  ASSERT_EQ(found.missing.size(), 2u);
  EXPECT_EQ(found.missing[0].id, kLibrary);
  EXPECT_FALSE(found.missing[0].is_of_system);
  EXPECT_EQ(found.missing[0].share, .2);
  EXPECT_TRUE(found.missing[1].is_of_system);
  EXPECT_DOUBLE_EQ(found.missing_share(), .25);  // of .8, without those of the system
  const std::unique_ptr<BuildArchive> archive = open_directory_archive("builds", "dir:builds");
  EXPECT_EQ(describe_missing_build(found.missing[0], {archive.get()}),
            "no archive has the build 2122232425262728 (/opt/q/libquery.so), which has 20.0 % of "
            "the samples; these are not used; archive it: 'pgo archive /opt/q/libquery.so "
            "\xFF{to} dir:builds'");
  EXPECT_EQ(describe_missing_build({.id = "", .share = .5}, {archive.get()}),
            "profiles without a build ID have 50.0 % of the samples; these are not used");
  EXPECT_EQ(describe_missing_build({.id = "aabb", .share = .5}, {}),
            "no archive has the build aabb, which has 50.0 % of the samples; these are not used; "
            "archive it: 'pgo archive FILE \xFF{to} ARCHIVE'");
}

TEST(MissingBuild, IsShownFromOnePercentOn) {
  EXPECT_FALSE((MissingBuild{.id = "aa", .share = .009}).is_shown());
  EXPECT_TRUE((MissingBuild{.id = "aa", .share = .01}).is_shown());
  EXPECT_TRUE((MissingBuild{.id = "aa", .share = 0, .is_program = true}).is_shown());
}

// A server may have those of the system, today or tomorrow.
TEST_F(FoundBuildsTest, HaveNoLibrariesOfServers) {
  std::vector<std::string> asked;
  const BlobCache cache = BlobCache::open(path("cache")).value();
  const DebuginfodAccess server{
      .place = [](const BuildId& id, ReleaseRole) { return id.hex(); },
      .fetch = [&](const BuildId& id, ReleaseRole, BlobWriter& writer) -> Result<bool> {
        asked.push_back(id.hex());
        const auto bytes = elf_of({.id = std::string(as_text(id.bytes()))});
        PGO_CHECK(writer.append(bytes));
        return true;
      }};
  const std::unique_ptr<BuildArchive> servers = open_debuginfod_archive("servers", {server}, cache),
                                      own = open_directory_archive(path("builds"), "builds");
  FoundBuilds found = find_builds(fetched(), {servers.get()}).value();
  EXPECT_EQ(found.builds.size(), 2u);
  EXPECT_EQ(asked, (std::vector<std::string>{kProgram, kOther}));
  keep({.id = kLibraryId});
  found = find_builds(fetched(), {servers.get(), own.get()}).value();
  ASSERT_EQ(found.builds.size(), 3u);
  EXPECT_EQ(found.builds[2].files.id.hex(), kLibrary);
}

// Nothing can be counted of them.
TEST_F(FoundBuildsTest, LeaveOutStrippedLibrariesAndRefuseStrippedPrograms) {
  keep({.id = kOtherId});
  keep({.id = kLibraryId, .debug_info = false});
  const FoundBuilds found = find(fetched()).value();
  EXPECT_EQ(found.binaries(), std::vector<std::string>{place(kOther)});
  ASSERT_EQ(found.missing.size(), 3u);
  EXPECT_EQ(describe_missing_build(found.missing[1], {}),
            place(kLibrary) +
                ": is stripped, and no archive has a debug file of it, the build 2122232425262728 "
                "(/opt/q/libquery.so), which has 20.0 % of the samples; "
                "these are not used; archive its debug file, too ('pgo archive \xFF{debug-file}')");
  keep({.id = kReleasedId, .debug_info = false});
  EXPECT_EQ(
      text_of(find(fetched()).error()),
      "builds/.build-id/01/02030405060708: is stripped, and builds has no debug file of it, "
      "the build 0102030405060708; archive its debug file, too ('pgo archive \xFF{debug-file}')");
}

TEST_F(FoundBuildsTest, NeedBuildIds) {
  FetchResult result = fetched();
  result.builds = {program("", 1)};
  EXPECT_EQ(find(result).error().message,
            "the profiles name no build ID, by which archives are searched");
}

FoundBuilds found_program(const std::string& id) {
  FoundBuilds found;
  found.builds = {{{.id = *BuildId::from_hex(id), .executable = "p"}, 1, true}};
  return found;
}

TEST(InputDigest, IsOfProfilesBuildsAndOutputs) {
  const FoundBuilds builds = found_program(kProgram);
  ServiceConfig service;
  service.outputs = {ServiceOutput::kLlvm};
  const std::string digest = digest_of_inputs(service, fetched(), builds, "1.0");
  EXPECT_EQ(digest.size(), std::string("sha256:").size() + 64);
  EXPECT_EQ(digest_of_inputs(service, fetched(), builds, "1.0"), digest);

  // Where files are, and when was asked for them, does not count.
  FetchResult elsewhere = fetched();
  elsewhere.profiles[0].path = "/elsewhere";
  elsewhere.window = TimeWindow{1, 2};
  EXPECT_EQ(digest_of_inputs(service, elsewhere, builds, "1.0"), digest);
  service.gates.hosts = 3;  // what failed once may pass now, of the same inputs
  EXPECT_EQ(digest_of_inputs(service, fetched(), builds, "1.0"), digest);

  FetchResult other = fetched();
  other.profiles[0].weight = {2, 1};
  EXPECT_NE(digest_of_inputs(service, other, builds, "1.0"), digest);
  other = fetched();
  other.profiles[0].digest = "sha256:bb";
  EXPECT_NE(digest_of_inputs(service, other, builds, "1.0"), digest);
  EXPECT_NE(digest_of_inputs(service, fetched(), builds, "1.1"), digest);
  EXPECT_NE(digest_of_inputs(service, fetched(), found_program(kOther), "1.0"), digest);
  service.recorded_build = RecordedBuildPolicy::kOmit;
  EXPECT_NE(digest_of_inputs(service, fetched(), builds, "1.0"), digest);
  service.recorded_build = RecordedBuildPolicy::kPush;
  service.inferred_bolt = InferredBoltPolicy::kPush;
  EXPECT_NE(digest_of_inputs(service, fetched(), builds, "1.0"), digest);
  service.inferred_bolt = InferredBoltPolicy::kOmit;
  service.outputs.push_back(ServiceOutput::kBolt);
  EXPECT_NE(digest_of_inputs(service, fetched(), builds, "1.0"), digest);
}

}  // namespace
}  // namespace pgo::found_builds_test
