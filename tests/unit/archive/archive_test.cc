// archive() into a directory and into a layout of a registry: what is kept, and what is refused.
#include "pgo/archive/archive.h"

#include <gtest/gtest.h>

#include <functional>
#include <utility>

#include "pgo/archive/directory_archive.h"
#include "pgo/archive/registry_archive.h"
#include "pgo/base/sha256.h"
#include "pgo/registry/oci_layout.h"
#include "tests/data/forwarding_registry.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::archive_test {
namespace {

using test::elf_of;
using test::kPreboltId;
using Elf = test::ReleasedElf;

constexpr const char* kPath = ".build-id/01/02030405060708";

// A layout in which another job archives something while this one sends its files.
class SharedLayout final : public test::ForwardingRegistry {
 public:
  SharedLayout(std::unique_ptr<Registry> to, std::function<void()> meanwhile)
      : ForwardingRegistry(std::move(to)), meanwhile_(std::move(meanwhile)) {}

  Result<bool> push_blob(const std::string& digest, Bytes bytes) override {
    if (meanwhile_) std::exchange(meanwhile_, {})();
    return ForwardingRegistry::push_blob(digest, bytes);
  }

 private:
  std::function<void()> meanwhile_;
};

class ArchiveTest : public test::TemporaryFiles {
 protected:
  std::string write_elf(const std::string& name, const Elf& elf) {
    return write(name, Bytes(elf_of(elf)));
  }

  // The places of the files, a '+' before those that are new; or the error.
  std::string archived(const ReleasePaths& files, const std::string& tag = "") {
    ArchiveRequest request;
    request.files = files;
    request.keep = [&](const Release& release) -> Result<KeptRelease> {
      if (!in_registry) return keep_in_directory(path("archive"), release);
      const RegistryReference to{RegistryReference::Kind::kLayout, "", path("layout"), tag, ""};
      const auto open = [this](const RegistryReference& reference,
                               RegistryUse) -> Result<std::unique_ptr<Registry>> {
        PGO_TRY(std::unique_ptr<OciLayout> opened, OciLayout::open_to_push(reference.path));
        return std::unique_ptr<Registry>(
            std::make_unique<SharedLayout>(std::move(opened), std::exchange(meanwhile, {})));
      };
      return keep_in_registry(to, open, release);
    };
    Result<ArchiveResult> result = archive(request);
    if (!result) return text_of(result.error());
    std::string text;
    for (const KeptFile& file : result->kept.files)
      text += (file.is_new ? "+" : "=") + relative(file.place) + "\n";
    manifest = result->kept.manifest;
    warnings.clear();
    for (const auto& [kind, entry] : result->diagnostics.entries())
      for (const std::string& message : entry.messages)
        warnings += kind + ": " + relative(message) + "\n";
    return text;
  }

  OciManifest manifest_of(const std::string& tag) {
    Result<std::unique_ptr<OciLayout>> opened = OciLayout::open(path("layout"));
    OciLayout* layout = opened->get();
    const StoredManifest stored = get_manifest(*layout, tag).value();
    EXPECT_EQ(stored.digest, manifest);
    return parse_oci_manifest(stored.bytes, tag).value();
  }

  Release release_of(const std::string& executable) {
    Diagnostics ignored;
    return open_release({executable}, ignored).value();
  }
  std::string mismatch(const std::string& place, const Elf& archived, const Elf& other,
                       const std::string& name = "server") {
    return place + " (" + Sha256::digest_of(elf_of(archived)) + "): has the build ID of " + name +
           " (" + Sha256::digest_of(elf_of(other)) +
           "), but other contents; it was not replaced; archive the released file before anything "
           "strips or changes it; if the archived file is wrong, remove it";
  }

  bool in_registry = false;
  std::function<void()> meanwhile;  // what another job does once, before this one sends a file
  std::string manifest, warnings;
};

TEST_F(ArchiveTest, KeepsFilesWhereDebuggersLook) {
  const ReleasePaths files{write_elf("server", {.debug_info = false, .bolted = true}),
                           write_elf("server.prebolt", {.id = kPreboltId, .debug_info = false}),
                           write_elf("server.debug", {})};
  const std::string expected =
      "archive/.build-id/01/02030405060708\n"
      "archive/.build-id/01/02030405060708.debug\n"
      "archive/.build-id/01/02030405060709\n";
  const auto marked = [&](char mark) {
    std::string text;
    for (size_t begin = 0; begin < expected.size(); begin = expected.find('\n', begin) + 1)
      text += mark + expected.substr(begin, expected.find('\n', begin) + 1 - begin);
    return text;
  };
  EXPECT_EQ(archived(files), marked('+'));
  EXPECT_EQ(warnings, "");
  EXPECT_EQ(archived(files), marked('='));
  std::ifstream file(path(std::string("archive/") + kPath), std::ios::binary);
  const std::string contents{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(contents, as_text(elf_of({.debug_info = false, .bolted = true})));
}

TEST_F(ArchiveTest, NeverReplacesAFile) {
  const std::string place = std::string("archive/") + kPath;
  ASSERT_EQ(archived({write_elf("server", {})}), "+" + place + "\n");
  // Nor is anything else of that release written.
  EXPECT_EQ(archived({write_elf("server", {.code = "\xc3"}), "", write_elf("server.debug", {})}),
            mismatch(place, {}, {.code = "\xc3"}));
  EXPECT_FALSE(std::filesystem::exists(path(place + ".debug")));
}

// As when another job wrote it after this one had looked.
TEST_F(ArchiveTest, PutsAFileOnlyWhereThereIsNone) {
  const Release release = release_of(write_elf("server", {}));
  EXPECT_TRUE(put_in_directory(path("archive"), release.files[0]).value());
  EXPECT_FALSE(put_in_directory(path("archive"), release.files[0]).value());
  const Release other = release_of(write_elf("other/server", {.code = "\xc3"}));
  const std::string place = std::string("archive/") + kPath;
  EXPECT_EQ(text_of(put_in_directory(path("archive"), other.files[0]).error()),
            mismatch(place, {}, {.code = "\xc3"}, "other/server"));
  // Nor are unfinished files left.
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(path("archive")))
    files += entry.is_regular_file() ? 1 : 0;
  EXPECT_EQ(files, 2u);  // with the digest
  // A link to nothing is no file, and leads to where the file goes.
  std::filesystem::remove(path(place));
  std::filesystem::create_symlink("elsewhere", path(place));
  EXPECT_TRUE(put_in_directory(path("archive"), other.files[0]).value());
  EXPECT_TRUE(std::filesystem::is_symlink(path(place)));
}

TEST_F(ArchiveTest, TellsDamageFromAnotherFile) {
  const std::string place = std::string("archive/") + kPath, server = write_elf("server", {});
  ASSERT_EQ(archived({server}), "+" + place + "\n");
  std::fstream(path(place), std::ios::in | std::ios::out | std::ios::binary) << "damage";
  const std::string error = archived({server});
  EXPECT_TRUE(error.starts_with(place + ": is damaged: its digest is sha256:")) << error;
  EXPECT_TRUE(error.ends_with(", and " + place + ".sha256 has " + Sha256::digest_of(elf_of({})) +
                              "; remove it, and archive the release again"))
      << error;
  // An archive of an earlier pgo has no digests. The next run adds them.
  std::filesystem::remove(path(place));
  ASSERT_EQ(archived({server}), "+" + place + "\n");
  std::filesystem::remove(path(place + ".sha256"));
  EXPECT_EQ(archived({server}), "=" + place + "\n");
  EXPECT_TRUE(std::filesystem::exists(path(place + ".sha256")));
}

TEST_F(ArchiveTest, RefusesInARegistryWhatAnotherJobArchivesMeanwhile) {
  in_registry = true;
  write_elf("first/server", {});
  write_elf("second/server", {.code = "\xc3"});
  for (const char* tag : {"", "1.42"}) {
    std::filesystem::remove_all(path("layout"));
    std::string first;
    meanwhile = [&] { first = archived({path("first/server")}, tag); };
    EXPECT_EQ(archived({path("second/server")}, tag),
              mismatch("oci-dir:layout:0102030405060708: executable", {}, {.code = "\xc3"},
                       "second/server"));
    EXPECT_EQ(first[0], '+');
    EXPECT_EQ(manifest_of("0102030405060708").layers[0].digest, Sha256::digest_of(elf_of({})));
  }
}

TEST_F(ArchiveTest, KeepsInARegistryWhatAnotherJobAddsMeanwhile) {
  in_registry = true;
  const std::string server = write_elf("server", {}), debug = write_elf("server.debug", {});
  meanwhile = [&] { archived({server, "", debug}); };
  EXPECT_EQ(archived({server})[0], '=');
  EXPECT_EQ(manifest_of("0102030405060708").layers.size(), 2u);
  // The second tag of another build.
  const std::string other = write_elf("other", {.id = "\x11\x12\x13\x14\x15\x16\x17\x18"});
  meanwhile = [&] { archived({other}, "1.42"); };
  EXPECT_EQ(archived({server}, "1.42"),
            "oci-dir:layout:1.42: the tag names the build 1112131415161718 already, and this is "
            "the build 0102030405060708; choose another tag");
}

TEST_F(ArchiveTest, RegistriesHaveOneArtifactForEachBuild) {
  in_registry = true;
  const ReleasePaths all{write_elf("server", {.bolted = true}),
                         write_elf("server.prebolt", {.id = kPreboltId}),
                         write_elf("server.debug", {})};
  const std::string place = "oci-dir:layout@" + Sha256::digest_of(elf_of({.bolted = true})) + "\n";
  EXPECT_EQ(archived({all.executable}), "+" + place);
  EXPECT_EQ(archived({all.executable}), "=" + place);
  EXPECT_EQ(manifest_of("0102030405060708").layers.size(), 1u);
  // More files of the build are added, whatever a later run names.
  archived(all, "1.42");
  const std::string whole = manifest;
  archived({all.executable});
  EXPECT_EQ(manifest, whole);
  const OciManifest build = manifest_of("0102030405060708");
  EXPECT_EQ(build, manifest_of("1.42"));
  EXPECT_EQ(build.artifact_type, "application/vnd.prodpgo.build.v1");
  EXPECT_EQ(build.annotations, (Labels{{"dev.prodpgo.build-id", "0102030405060708"}}));
  ASSERT_EQ(build.layers.size(), 3u);
  EXPECT_EQ(build.layers[0].media_type, "application/vnd.prodpgo.debug.v1");
  EXPECT_EQ(build.layers[1].media_type, "application/vnd.prodpgo.executable.v1");
  EXPECT_EQ(build.layers[2].media_type, "application/vnd.prodpgo.prebolt.v1");
  EXPECT_EQ(build.layers[2].annotations,
            (Labels{{"dev.prodpgo.build-id", "0102030405060709"}, {kOciTitle, "prebolt"}}));
  EXPECT_EQ(build.layers[1].digest, Sha256::digest_of(elf_of({.bolted = true})));
  EXPECT_EQ(
      archived({write_elf("server", {.code = "\xc3"})}),
      mismatch("oci-dir:layout:0102030405060708: executable", {.bolted = true}, {.code = "\xc3"}));
}

TEST_F(ArchiveTest, MovesNoTagFromOneBuildToAnother) {
  in_registry = true;
  archived({write_elf("server", {})}, "1.42");
  const ReleasePaths other{write_elf("other", {.id = "\x11\x12\x13\x14\x15\x16\x17\x18"})};
  for (const char* tag : {"1.42", "0102030405060708"})
    EXPECT_EQ(archived(other, tag),
              "oci-dir:layout:" + std::string(tag) +
                  ": the tag names the build 0102030405060708 already, and this is the build "
                  "1112131415161718; choose another tag");
  manifest_of("1.42");  // still the first one
  EXPECT_FALSE(OciLayout::open(path("layout")).value()->find_manifest("1112131415161718").value());
  EXPECT_EQ(archived({path("server")}, "1.42")[0], '=');
}

TEST_F(ArchiveTest, RefusesFilesThatNobodyWouldFind) {
  EXPECT_EQ(
      archived({write_elf("server", {.id = ""})}),
      "server: has no build ID, and archives name files by build ID; link with -Wl,--build-id");
  EXPECT_EQ(archived({write_elf("server", {.id = "\x01"})}),
            "server: has the build ID 01, which is too short to tell builds apart, and archives "
            "name files by build ID; link with -Wl,--build-id");
  EXPECT_FALSE(std::filesystem::exists(path("archive")));
}

TEST_F(ArchiveTest, RefusesFilesOfOtherBuilds) {
  const std::string server = write_elf("server", {}), other_id = "\x09\x02\x03\x04\x05\x06\x07\x08";
  EXPECT_EQ(archived({server, write_elf("other", {.id = other_id})}),
            "other (0902030405060708): is not llvm-bolt's input for server (0102030405060708): "
            "their build IDs may differ only in the last quarter; give the two files of one build");
  EXPECT_EQ(archived({server, "", write_elf("other", {.id = other_id})}),
            "other (0902030405060708): is not the debug file of server (0102030405060708); give "
            "the one of the same build");
  EXPECT_EQ(archived({server, "", write_elf("empty", {.debug_info = false})}),
            "empty: has no debug information; give the file that objcopy --only-keep-debug made, "
            "or leave it out");
  EXPECT_EQ(archived({server, write_elf("swapped", {.id = kPreboltId, .bolted = true})}),
            "swapped: was written by llvm-bolt, so it is not its input; give the released file "
            "first, and llvm-bolt's input second");
  EXPECT_FALSE(std::filesystem::exists(path("archive")));
}

TEST_F(ArchiveTest, WarnsOfWhatWillBeMissed) {
  archived({write_elf("server", {.debug_info = false, .bolted = true, .translation = false})});
  EXPECT_EQ(warnings,
            "no-address-translation: server: was made by llvm-bolt, but has no address translation "
            "table, so its recordings cannot be translated to llvm-bolt's input; archive the file "
            "that 'pgo bolt' wrote, before it is stripped\n"
            "no-debug-information: server: is stripped, and no debug file is archived with it, so "
            "its samples cannot be assigned to source lines; name the debug file with "
            "\xFF{debug-file}\n"
            "no-prebolt: server: was made by llvm-bolt, and llvm-bolt's input is not archived with "
            "it, so its recordings cannot become BOLT profiles; name the input \xFF{prebolt}, "
            "too\n");
}

// As pgo bolt delivers it when llvm-bolt fails.
TEST_F(ArchiveTest, LeavesOutAPreboltOfTheSameBuild) {
  const std::string server = write_elf("server", {});
  EXPECT_EQ(archived({server, server}), std::string("+archive/") + kPath + "\n");
  EXPECT_EQ(warnings,
            "same-build: server (0102030405060708): is the same build as server, which llvm-bolt "
            "did not change; only server is archived\n");
}

}  // namespace
}  // namespace pgo::archive_test
