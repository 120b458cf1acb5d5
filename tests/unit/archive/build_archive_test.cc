// BuildArchive over a directory, a layout of a registry and a source: which files are found by
// build ID.
#include "pgo/archive/build_archive.h"

#include <gtest/gtest.h>

#include <map>

#include "pgo/archive/directory_archive.h"
#include "pgo/archive/registry_archive.h"
#include "pgo/archive/source_archive.h"
#include "pgo/base/text_bytes.h"
#include "pgo/registry/oci_layout.h"
#include "tests/data/layout_opener.h"
#include "tests/data/memory_source.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::build_archive_test {
namespace {

using test::elf_of;
using test::kPreboltId;
using test::open_layout;
using Elf = test::ReleasedElf;

constexpr const char *kBolted = "0102030405060708", *kPrebolt = "0102030405060709",
                     *kOther = "1112131415161718";

enum class Kind { kDirectory, kRegistry, kSource };

class BuildArchiveTest : public test::TemporaryFiles, public testing::WithParamInterface<Kind> {
 protected:
  RegistryReference reference() const {
    return {RegistryReference::Kind::kLayout, "", path("archive"), "", ""};
  }

  std::string write_elf(const std::string& name, const Elf& elf) {
    return write(name, Bytes(elf_of(elf)));
  }

  void keep(const ReleasePaths& files) {
    Diagnostics ignored;
    const Release release = open_release(files, ignored).value();
    if (GetParam() == Kind::kDirectory) {
      ASSERT_TRUE(keep_in_directory(path("archive"), release));
    } else if (GetParam() == Kind::kRegistry) {
      ASSERT_TRUE(keep_in_registry(reference(), open_layout, release));
    } else {
      for (const ReleaseFile& file : release.files)
        objects[archive_key(release.build_id()).hex()][std::string(role_name(file.role))] =
            as_text(file.image.bytes());
    }
  }

  std::unique_ptr<BuildArchive> open() {
    if (GetParam() == Kind::kDirectory) return open_directory_archive(path("archive"), "archive");
    if (GetParam() == Kind::kRegistry)
      return open_registry_archive(reference(), open_layout, cache).value();
    return open_source_archive(
        "s3://builds",
        [this](const std::string& folder) -> Result<std::unique_ptr<Source>> {
          auto source = std::make_unique<test::MemorySource>("s3://builds/" + folder);
          if (!folder.empty())
            for (const auto& [name, contents] : objects[folder]) source->add(name, {}, contents);
          else
            for (const auto& [build, files] : objects)
              for (const auto& [name, contents] : files)
                source->add(build + "/" + name, {}, contents);
          return std::unique_ptr<Source>(std::move(source));
        },
        cache);
  }

  // "executable 0102030405060708" and so on; or the error.
  std::string found(const std::string& id, ArchivedUse use = ArchivedUse::kSymbolize) {
    const Result<std::vector<ArchivedFile>> files = open()->find(*BuildId::from_hex(id), use);
    if (!files) return text_of(files.error());
    std::string text;
    for (const ArchivedFile& file : *files) {
      text += std::string(role_name(file.role)) + " " + file.build_id.hex() + "\n";
      EXPECT_EQ(ElfImage::open(file.path)->build_id(), file.build_id);
    }
    return text;
  }

  std::map<std::string, std::map<std::string, std::string>> objects;  // by folder and name
  BlobCache cache = BlobCache::open(path("cache")).value();
};

INSTANTIATE_TEST_SUITE_P(Kinds, BuildArchiveTest,
                         testing::Values(Kind::kDirectory, Kind::kRegistry, Kind::kSource));

TEST_P(BuildArchiveTest, FindsAProgramWithItsDebugFile) {
  keep({write_elf("server", {.debug_info = false}), "", write_elf("server.debug", {})});
  const std::string both = std::string("executable ") + kBolted + "\ndebug " + kBolted + "\n";
  EXPECT_EQ(found(kBolted), both);
  EXPECT_EQ(found(kBolted), both);  // from the cache
  EXPECT_EQ(found(kBolted, ArchivedUse::kExecutable), std::string("executable ") + kBolted + "\n");
  EXPECT_EQ(found(kOther), "");
  EXPECT_EQ(found(kPrebolt), "");  // nor is it llvm-bolt's input
}

TEST_P(BuildArchiveTest, FindsTheInputOfABoltedProgram) {
  keep({write_elf("server", {.bolted = true}),
        write_elf("server.prebolt", {.id = kPreboltId, .debug_info = false}),
        write_elf("server.debug", {.id = kPreboltId})});
  const std::string prebolt = std::string(" ") + kPrebolt + "\n";
  EXPECT_EQ(found(kBolted),
            std::string("executable ") + kBolted + "\ndebug" + prebolt + "prebolt" + prebolt);
  EXPECT_EQ(found(kPrebolt), "executable" + prebolt + "debug" + prebolt);
}

// Two layouts of one input, as `pgo bolt` writes them, differ from it in the last quarter of the
// ID.
TEST_P(BuildArchiveTest, FindsTheInputOfEachLayout) {
  const std::string first = "\x01\x02\x03\x04\x05\x06\x77\x10",
                    second = "\x01\x02\x03\x04\x05\x06\x55\x32",
                    other = "\x01\x02\x03\x04\x05\x06\x44\x76";
  const std::string input = write_elf("prebolt", {.id = kPreboltId});
  for (const std::string& id : {first, second})
    keep({write_elf("server", {.id = id, .bolted = true}), input});
  const std::string prebolt = std::string("prebolt ") + kPrebolt + "\n";
  for (const std::string& id : {first, second}) {
    const std::string hex = BuildId(as_bytes(id)).hex();
    EXPECT_EQ(found(hex), "executable " + hex + "\n" + prebolt);
  }
  EXPECT_EQ(found(kPrebolt), std::string("executable ") + kPrebolt + "\n");
  EXPECT_EQ(found(BuildId(as_bytes(other)).hex()), "");  // a layout that is not archived
}

// perf records 20 bytes of a build ID.
TEST_P(BuildArchiveTest, FindsBuildsWhoseIdsAreLonger) {
  const std::string id = std::string(31, '\x21') + "\x20", whole = BuildId(as_bytes(id)).hex(),
                    recorded = whole.substr(0, 40);
  keep({write_elf("server", {.id = id, .debug_info = false}), "",
        write_elf("server.debug", {.id = id})});
  const std::string both = "executable " + whole + "\ndebug " + whole + "\n";
  EXPECT_EQ(found(whole), both);
  EXPECT_EQ(found(recorded), both);
  EXPECT_EQ(found(recorded.substr(0, 38) + "22"), "");
}

TEST_P(BuildArchiveTest, FindsTheInputOfABoltedProgramWhoseIdIsLonger) {
  const std::string input = std::string(32, '\x21'), id = input.substr(1) + "\x20",
                    whole = BuildId(as_bytes(id)).hex(), prebolt = BuildId(as_bytes(input)).hex();
  keep({write_elf("server", {.id = id, .bolted = true}),
        write_elf("server.prebolt", {.id = input, .debug_info = false}),
        write_elf("server.debug", {.id = input})});
  const std::string all =
      "executable " + whole + "\ndebug " + prebolt + "\nprebolt " + prebolt + "\n";
  EXPECT_EQ(found(whole), all);
  EXPECT_EQ(found(whole.substr(0, 40)), all);
  EXPECT_EQ(found(prebolt), "executable " + prebolt + "\ndebug " + prebolt + "\n");
}

TEST_P(BuildArchiveTest, RefusesFilesOfOtherBuilds) {
  keep({write_elf("server", {})});
  const std::vector<uint8_t> file = elf_of({.id = "\x11\x12\x13\x14\x15\x16\x17\x18"});
  const std::string other(as_text(Bytes(file)));
  if (GetParam() == Kind::kDirectory) {
    write("archive/.build-id/01/02030405060708", other);
    const std::string damaged = found(kBolted);
    EXPECT_TRUE(
        damaged.starts_with("archive/.build-id/01/02030405060708: is damaged: its digest is "))
        << damaged;
    // Another tool put it there.
    std::filesystem::remove(path("archive/.build-id/01/02030405060708.sha256"));
    EXPECT_EQ(found(kBolted),
              "archive/.build-id/01/02030405060708: is archived as build 0102030405060708, but has "
              "the build ID 1112131415161718; remove it, and archive the file of that build");
  } else if (GetParam() == Kind::kSource) {
    objects[kBolted]["executable"] = other;
    EXPECT_EQ(found(kBolted),
              "s3://builds/0102030405060708/executable: is archived as build 0102030405060708, but "
              "has the build ID 1112131415161718; remove it, and archive the file of that build");
  }
}

class RegistryBuildsTest : public test::TemporaryFiles {};

TEST_F(RegistryBuildsTest, TakesNoTag) {
  const BlobCache cache = BlobCache::open(path("cache")).value();
  EXPECT_EQ(text_of(open_registry_archive(
                        {RegistryReference::Kind::kLayout, "", path("archive"), "1.42", ""},
                        open_layout, cache)
                        .error()),
            "oci-dir:archive:1.42: builds are looked for by build ID; leave the tag or digest out");
}

}  // namespace
}  // namespace pgo::build_archive_test
