#include "pgo/archive/debuginfod_archive.h"

#include <gtest/gtest.h>

#include <map>

#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::debuginfod_archive_test {
namespace {

using test::elf_of;
using test::kPreboltId;
using Elf = test::ReleasedElf;

constexpr const char *kBolted = "0102030405060708", *kPrebolt = "0102030405060709";

// What one server has: "BUILD executable".
struct Server {
  std::map<std::string, std::string> files = {};
  std::string error = {};  // of each request
  std::vector<std::string> asked = {};

  void add(const std::string& build, ReleaseRole role, const Elf& elf) {
    const std::vector<uint8_t> bytes = elf_of(elf);
    files[build + " " + std::string(role_name(role))] = as_text(Bytes(bytes));
  }
  Result<bool> fetch(const std::string& file, BlobWriter& writer) {
    asked.push_back(file);
    if (!error.empty()) return fail(ErrorKind::kIo, error, "try again later");
    const auto found = files.find(file);
    if (found == files.end()) return false;
    PGO_CHECK(writer.append(as_bytes(found->second)));
    return true;
  }
};

class DebuginfodArchiveTest : public test::TemporaryFiles {
 protected:
  // "executable 0102030405060708 of a" and so on; or the error.
  std::string found(const std::string& id, ArchivedUse use = ArchivedUse::kSymbolize) {
    std::vector<DebuginfodAccess> accesses;
    for (auto& [name, server] : servers) {
      const auto file = [](const BuildId& build, ReleaseRole role) {
        return build.hex() + " " + std::string(role_name(role));
      };
      accesses.push_back(
          {[file, &name](const BuildId& build, ReleaseRole role) {
             return name + ": " + file(build, role);
           },
           [file, &server](const BuildId& build, ReleaseRole role, BlobWriter& writer) {
             return server.fetch(file(build, role), writer);
           }});
    }
    const std::unique_ptr<BuildArchive> archive =
        open_debuginfod_archive("debuginfod:", std::move(accesses), cache);
    const Result<std::vector<ArchivedFile>> files = archive->find(*BuildId::from_hex(id), use);
    if (!files) return text_of(files.error());
    std::string text;
    for (const ArchivedFile& one : *files) {
      text += std::string(role_name(one.role)) + " at " + one.place + "\n";
      EXPECT_EQ(ElfImage::open(one.path)->build_id(), one.build_id);
    }
    return text;
  }

  std::map<std::string, Server> servers = {{"a", {}}};
  BlobCache cache = BlobCache::open(path("cache")).value();
};

TEST_F(DebuginfodArchiveTest, FindsAStrippedProgramWithItsDebugFile) {
  Server& server = servers["a"];
  server.add(kBolted, ReleaseRole::kExecutable, {.debug_info = false});
  server.add(kBolted, ReleaseRole::kDebug, {});
  const std::string executable = std::string("executable at a: ") + kBolted + " executable\n",
                    both = executable + "debug at a: " + kBolted + " debug\n";
  EXPECT_EQ(found(kBolted, ArchivedUse::kExecutable), executable);
  EXPECT_EQ(server.asked.size(), 1u);
  EXPECT_EQ(found(kBolted), both);
  EXPECT_EQ(server.asked.size(), 2u);
  EXPECT_EQ(found(kBolted), both);  // from the cache
  EXPECT_EQ(server.asked.size(), 2u);
  EXPECT_EQ(found("1112131415161718"), "");
}

TEST_F(DebuginfodArchiveTest, AsksForNoDebugFileWhereTheProgramHasItself) {
  servers["a"].add(kBolted, ReleaseRole::kExecutable, {});
  EXPECT_EQ(found(kBolted), std::string("executable at a: ") + kBolted + " executable\n");
  EXPECT_EQ(servers["a"].asked.size(), 1u);
}

// By the build ID that llvm-bolt gives what it writes.
TEST_F(DebuginfodArchiveTest, FindsTheInputOfABoltedProgram) {
  Server& server = servers["a"];
  server.add(kBolted, ReleaseRole::kExecutable, {.debug_info = false, .bolted = true});
  server.add(kPrebolt, ReleaseRole::kExecutable, {.id = kPreboltId, .debug_info = false});
  server.add(kPrebolt, ReleaseRole::kDebug, {.id = kPreboltId});
  EXPECT_EQ(found(kBolted), std::string("executable at a: ") + kBolted +
                                " executable\ndebug at a: " + kPrebolt +
                                " debug\nprebolt at a: " + kPrebolt + " executable\n");
  EXPECT_EQ(found(kPrebolt), std::string("executable at a: ") + kPrebolt +
                                 " executable\ndebug at a: " + kPrebolt + " debug\n");
}

TEST_F(DebuginfodArchiveTest, AsksServersInTheirOrder) {
  servers["a"].add(kBolted, ReleaseRole::kExecutable, {.debug_info = false});
  servers["b"].add(kBolted, ReleaseRole::kExecutable, {.debug_info = false});
  servers["b"].add(kBolted, ReleaseRole::kDebug, {});
  EXPECT_EQ(found(kBolted), std::string("executable at a: ") + kBolted +
                                " executable\ndebug at b: " + kBolted + " debug\n");
  EXPECT_EQ(servers["b"].asked, std::vector<std::string>{std::string(kBolted) + " debug"});
}

TEST_F(DebuginfodArchiveTest, NeedsOnlyOneServerThatAnswers) {
  servers["a"].error = "a: is down";
  servers["b"].add(kBolted, ReleaseRole::kExecutable, {});
  EXPECT_EQ(found(kBolted), std::string("executable at b: ") + kBolted + " executable\n");
  EXPECT_EQ(found(kPrebolt), "a: is down; try again later");
}

TEST_F(DebuginfodArchiveTest, RefusesFilesOfOtherBuilds) {
  Server& server = servers["a"];
  server.add(kBolted, ReleaseRole::kExecutable, {.id = kPreboltId});
  const std::string place = std::string("a: ") + kBolted + " executable: ";
  EXPECT_EQ(found(kBolted), place + "the server sent a file of the build " + kPrebolt +
                                "; check what the server has of this build");
  server.files[std::string(kBolted) + " executable"] = "no ELF";
  EXPECT_TRUE(found(kBolted).starts_with(place + "cannot be read: ")) << found(kBolted);
  // It is not kept for the right one.
  server.add(kBolted, ReleaseRole::kExecutable, {});
  EXPECT_EQ(found(kBolted), std::string("executable at a: ") + kBolted + " executable\n");
}

}  // namespace
}  // namespace pgo::debuginfod_archive_test
