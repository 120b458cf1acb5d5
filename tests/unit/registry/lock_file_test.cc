#include "pgo/registry/lock_file.h"

#include <gtest/gtest.h>

#include "pgo/base/time_text.h"
#include "tests/data/temporary_files.h"

namespace pgo::lock_file_test {
namespace {

const std::string kA(64, 'a'), kB(64, 'b'), kC(64, 'c'), kD(64, 'd');

const std::string kText = R"({
  "profiles": {
    "server": {
      "files": [
        {
          "density": 70.1,
          "digest": "sha256:)" +
                          kA + R"(",
          "evidence": "branch-records",
          "kind": "llvm",
          "of_builds": [
            "01",
            "02"
          ],
          "of_libraries": [
            "02"
          ],
          "path": "server.prof",
          "quality": "good",
          "samples": 12345,
          "size": 1000,
          "split_half_overlap": 0.988
        },
        {
          "bolt_of": "0102",
          "configuration": "clang-lto",
          "digest": "sha256:)" +
                          kB + R"(",
          "kind": "bolt",
          "path": "server.fdata",
          "size": 2000
        }
      ],
      "inputs": "sha256:)" +
                          kA + R"(",
      "manifest": "sha256:)" +
                          kC + R"(",
      "previous": "sha256:)" +
                          kD + R"(",
      "previous_inputs": "sha256:)" +
                          kB + R"(",
      "previous_reference": "oci-dir:/srv/old:week-47",
      "previous_signed_by": "RWQ",
      "reference": "oci-dir:/srv/profiles:week-48",
      "source": "s3://profiles/queryd",
      "tool": "pgo 0.1.0",
      "window": "2026-11-19T00:00:00Z/2026-11-26T00:00:00Z"
    }
  },
  "version": 1
}
)";

std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  if (at != text.npos) text.replace(at, from.size(), to);
  return text;
}

std::string error_of(const std::string& text) {
  Diagnostics diagnostics;
  Result<LockFile> lock = parse_lock_file(text, "L", diagnostics);
  EXPECT_FALSE(lock);
  if (lock) return "";
  return lock.error().message + (lock.error().advice.empty() ? "" : "; " + lock.error().advice);
}

TEST(LockFile, ComesBackAsItWasWritten) {
  Diagnostics diagnostics;
  Result<LockFile> lock = parse_lock_file(kText, "L", diagnostics);
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_TRUE(diagnostics.entries().empty());
  EXPECT_EQ(lock_file_text(*lock), kText);
  const LockEntry& entry = lock->profiles.at("server");
  EXPECT_EQ(entry.reference, "oci-dir:/srv/profiles:week-48");
  EXPECT_EQ(entry.manifest, "sha256:" + kC);
  EXPECT_EQ(entry.previous, "sha256:" + kD);
  EXPECT_EQ(entry.previous_reference, "oci-dir:/srv/old:week-47");
  EXPECT_EQ(entry.previous_signed_by, "RWQ");
  EXPECT_EQ(entry.previous_inputs, "sha256:" + kB);
  EXPECT_EQ(entry.files[0].of_libraries, std::vector<std::string>{"02"});
  EXPECT_EQ(entry.window, (TimeWindow{*parse_time("2026-11-19"), *parse_time("2026-11-26")}));
  EXPECT_EQ(entry.files[0].kind, FileKind::kLlvm);
  EXPECT_EQ(entry.files[0].density, 70.1);
  EXPECT_EQ(entry.files[1].configuration, "clang-lto");
  EXPECT_EQ(entry.files[1].library, "");
}

TEST(LockFile, SaysWhichLibraryABoltProfileIsOf) {
  const std::string text = with(kText, R"("kind": "bolt",)", R"("kind": "bolt",
          "library": "libq.so",)");
  Diagnostics diagnostics;
  const Result<LockFile> lock = parse_lock_file(text, "L", diagnostics);
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_TRUE(diagnostics.entries().empty());
  EXPECT_EQ(lock->profiles.at("server").files[1].library, "libq.so");
  EXPECT_EQ(lock_file_text(*lock), text);
  // No build looks for a name with the numbers of one release.
  for (const char* name : {"../libq.so", "libq.so.1"})
    EXPECT_EQ(error_of(with(text, "libq.so", name)),
              "L: is not a lock file: 'library' of file 2 of the profile 'server' is not the name "
              "of a library");
}

TEST(LockFile, WritesOneOrder) {
  Diagnostics diagnostics;
  LockFile lock = parse_lock_file(kText, "L", diagnostics).value();
  std::vector<ProfileFile>& files = lock.profiles.at("server").files;
  std::swap(files[0], files[1]);
  files.push_back({FileKind::kAddress, "", "server.addr", "sha256:" + kD, 5});  // is not listed
  const LockFile again = parse_lock_file(lock_file_text(lock), "L", diagnostics).value();
  EXPECT_EQ(lock_file_text(again), kText);
}

TEST(LockFile, WarnsOfWhatIsNotKnown) {
  Diagnostics diagnostics;
  std::string text = with(kText, "\"tool\":", "\"future\": [],\n\"tool\":");
  text = with(text, "\"kind\": \"bolt\"", "\"kind\": \"rust\"");
  Result<LockFile> lock = parse_lock_file(text, "L", diagnostics);
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_EQ(lock->profiles.at("server").files.size(), 1u);
  EXPECT_EQ(diagnostics.entries().at("unknown-lock-field").messages,
            (std::vector<std::string>{
                "L: the kind 'rust' of file 2 of the profile 'server' is not known, and the file "
                "is ignored",
                "L: 'future' of the profile 'server' is not known, and is ignored"}));
}

// A later pgo may have written them, and its users pin with this one, too.
TEST(LockFile, KeepsWhatIsNotKnown) {
  Diagnostics diagnostics;
  std::string text = with(kText, "{\n  \"profiles\"", "{\n  \"owner\": \"db\",\n  \"profiles\"");
  text = with(
      text, "      \"inputs\"",
      "      \"hints\": {\n        \"a\": [\n          1,\n          2.5\n        ]\n      },\n"
      "      \"inputs\"");
  text = with(text, "          \"kind\": \"llvm\"",
              "          \"gain\": null,\n          \"kind\": \"llvm\"");
  text = with(text, "branch-records", "hardware-traces");
  text = with(text, "\"good\"", "\"superb\"");
  text = with(text, "\"kind\": \"bolt\"", "\"kind\": \"rust\"");
  const LockFile lock = parse_lock_file(text, "L", diagnostics).value();
  EXPECT_EQ(lock_file_text(lock), text);

  // Files of kinds that are not known come last, in one order.
  std::string two = with(kText, "\"kind\": \"llvm\"", "\"kind\": \"zig\"");
  two = with(two, "\"kind\": \"bolt\"", "\"kind\": \"rust\"");
  const std::string sorted = lock_file_text(parse_lock_file(two, "L", diagnostics).value());
  EXPECT_LT(sorted.find("rust"), sorted.find("zig"));
  EXPECT_EQ(lock_file_text(parse_lock_file(sorted, "L", diagnostics).value()), sorted);
}

TEST(LockFile, KeepsOfAnOldEntryWhatIsStillTrue) {
  LockEntry before, after;
  before.manifest = after.manifest = "sha256:" + kA;
  before.unknown = {{"note", "1"}};
  before.unknown_files = {"{}"};
  before.files = {{FileKind::kLlvm, "", "a.prof", "sha256:" + kB, 1},
                  {FileKind::kGcc, "", "a.afdo", "sha256:" + kB, 1}};
  for (ProfileFile& file : before.files) file.unknown = {{"gain", "3"}};
  after.files = {{FileKind::kLlvm, "", "a.prof", "sha256:" + kB, 1},
                 {FileKind::kGcc, "", "a.afdo", "sha256:" + kC, 1}};
  keep_unknown(before, after);
  EXPECT_EQ(after.unknown, before.unknown);
  EXPECT_EQ(after.unknown_files, before.unknown_files);
  EXPECT_EQ(after.files[0].unknown, before.files[0].unknown);
  EXPECT_EQ(after.files[1].unknown, UnknownFields());  // another file
  LockEntry other;
  other.manifest = "sha256:" + kD;
  keep_unknown(before, other);
  EXPECT_EQ(other.unknown, before.unknown);
  EXPECT_TRUE(other.unknown_files.empty());
}

TEST(LockFile, RefusesWhatAMergeLeaves) {
  EXPECT_EQ(error_of("{\n<<<<<<< HEAD\n  \"version\": 1\n"),
            "L: line 2 is a conflict marker of a merge; keep one side of each profile, or pin it "
            "again with 'pgo pin'");
  const size_t entry = kText.find("    \"server\""), end = kText.find("\n  },");
  const std::string both =
      kText.substr(0, end) + ",\n" + kText.substr(entry, end - entry) + kText.substr(end);
  EXPECT_EQ(error_of(both),
            "L: is not a lock file: it has 'server' twice; keep one of them: a merge may have "
            "left both");
  EXPECT_EQ(error_of(with(kText, "\"kind\": \"llvm\",\n", "\"kind\": \"llvm\"\n")),
            "L: is not a lock file: line 10 is not valid JSON");
}

TEST(LockFile, RefusesWhatIsNone) {
  EXPECT_EQ(error_of(with(kText, "\"version\": 1", "\"version\": 2")),
            "L: is a lock file of version 2, and this pgo reads version 1; use a newer pgo");
  EXPECT_EQ(error_of("{\"version\":1}"),
            "L: is not a lock file: 'profiles' of the file is not an object");
  EXPECT_EQ(error_of(with(kText, "sha256:" + kC, kC)),
            "L: is not a lock file: 'manifest' of the profile 'server' is not 'sha256:' and 64 "
            "hexadecimal digits");
  EXPECT_EQ(error_of(with(kText, "oci-dir:/srv/profiles:week-48", "/srv/profiles")),
            "L: is not a lock file: 'reference' of the profile 'server': /srv/profiles: a "
            "reference expected: oci-dir:PATH[:TAG] or oci://HOST/REPOSITORY[:TAG]");
  EXPECT_EQ(error_of(with(kText, "\"path\": \"server.prof\"", "\"path\": \"../x\"")),
            "L: is not a lock file: 'path' of file 1 of the profile 'server' is not the name of a "
            "file without a folder");
  EXPECT_EQ(error_of(with(kText, "server.fdata", "server.prof")),
            "L: is not a lock file: file 2 of the profile 'server' has the path of another, "
            "server.prof");
  EXPECT_EQ(error_of(with(kText, "Z/2026", "Z 2026")),
            "L: is not a lock file: 'window' of the profile 'server' is not two times, such as "
            "2026-11-19T00:00:00Z/2026-11-26T00:00:00Z");
  EXPECT_EQ(error_of(with(kText, "\"server\"", "\"a b\"")),
            "L: is not a lock file: the profile 'a b' has a name with other characters than "
            "letters, digits, '_', '.', '-' and '+'");
  EXPECT_EQ(error_of(std::string((16u << 20) + 1, ' ')),
            "L: is not a lock file: it is larger than 16.8 MB");
}

TEST(LockFile, RefusesWhatIsCut) {
  Diagnostics diagnostics;
  for (size_t size = 0; size + 1 < kText.size(); size++)
    EXPECT_FALSE(parse_lock_file(kText.substr(0, size), "L", diagnostics)) << size;
}

class LockFileOnDisk : public test::TemporaryFiles {};

TEST_F(LockFileOnDisk, MayBeMissing) {
  Diagnostics diagnostics;
  EXPECT_EQ(read_lock_file(path("none"), diagnostics, MissingLock::kEmpty).value(), LockFile());
  Result<LockFile> lock = read_lock_file(path("none"), diagnostics);
  ASSERT_FALSE(lock);
  EXPECT_EQ(text_of(lock.error()),
            "none: there is no lock file; 'pgo refresh' or 'pgo pin NAME REFERENCE' makes one; "
            "\xFF{lock} names another");
  write("pgo.lock", kText);
  EXPECT_EQ(lock_file_text(read_lock_file(path("pgo.lock"), diagnostics).value()), kText);
}

}  // namespace
}  // namespace pgo::lock_file_test
