// diff_locks() on lock files and small profiles in a cache.
#include "pgo/lock_diff/lock_diff.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "converters/gcc_auto/gcc_auto_profile.h"
#include "pgo/registry/oci_layout.h"
#include "pgo/report/lock_diff_report.h"
#include "pgo/source/blob_cache.h"
#include "pgo/versions/push.h"
#include "tests/data/temporary_files.h"

namespace pgo::lock_diff_test {
namespace {

// 100 counts: main has 60 at two lines, work 40, of which 30 are inlined into main.
constexpr const char* kOld = "main:90:1\n 1: 40\n 2: 20\n 3: work:30\n  1: 30\nwork:10:1\n 1: 10\n";
// 100 counts: of main 30 and 20, of work 20 inlined and 10 not, of added 20.
constexpr const char* kNew =
    "main:70:1\n 1: 30\n 2: 20\n 3: work:20\n  1: 20\nadded:20:1\n 1: 20\nwork:10:1\n 1: 10\n";

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

CountedProfile counted(std::string_view text, InlineStacks stacks = InlineStacks::kCompared) {
  return read_counted_llvm(bytes_of(text), "a", stacks).value();
}

class LockDiffTest : public test::TemporaryFiles {
 protected:
  // A profile that the cache has.
  ProfileFile cached(std::string_view contents, FileKind kind = FileKind::kLlvm) const {
    const BlobCache cache = BlobCache::open(path("cache")).value();
    BlobWriter writer = cache.write().value();
    EXPECT_TRUE(writer.append(bytes_of(contents)));
    const Blob blob = writer.commit("").value();
    return {.kind = kind, .name = "server.prof", .digest = blob.digest, .size = blob.size};
  }

  static LockEntry entry(char version, std::vector<ProfileFile> files) {
    LockEntry entry;
    entry.reference = "oci-dir:profiles:week";
    entry.manifest = "sha256:" + std::string(64, version);
    entry.files = std::move(files);
    return entry;
  }

  LockDiffResult diff(std::map<std::string, LockEntry> before,
                      std::map<std::string, LockEntry> after) const {
    LockDiffRequest request;
    request.before = {"old", path("pgo.lock"), {std::move(before)}, false};
    request.after = {"new", path("pgo.lock"), {std::move(after)}, false};
    request.cache = path("cache");
    return diff_locks(request);
  }

  FileChange only_file(const ProfileFile& before, const ProfileFile& after) const {
    const LockDiffResult result = diff({{"a", entry('1', {before})}}, {{"a", entry('2', {after})}});
    EXPECT_EQ(result.changes.size(), 1u);
    EXPECT_EQ(result.changes.at(0).files.size(), 1u);
    return result.changes.at(0).files.at(0);
  }
};

TEST_F(LockDiffTest, TellsWhatHappenedToEachProfile) {
  const ProfileFile old_file = cached(kOld), new_file = cached(kNew);
  LockEntry other_tag = entry('1', {old_file});
  other_tag.reference = "oci-dir:profiles:other";
  const LockDiffResult result = diff({{"gone", entry('1', {old_file})},
                                      {"kept", entry('1', {old_file})},
                                      {"repinned", entry('1', {old_file})},
                                      {"same-files", entry('1', {old_file})},
                                      {"same-version", entry('1', {old_file})}},
                                     {{"added", entry('1', {old_file})},
                                      {"kept", entry('1', {old_file})},
                                      {"repinned", entry('2', {new_file})},
                                      {"same-files", entry('2', {old_file})},
                                      {"same-version", other_tag}});
  EXPECT_EQ(result.unchanged, 1u);
  std::vector<std::pair<std::string, LockChange>> changes;
  for (const ProfileChange& change : result.changes)
    changes.emplace_back(change.name, change.change);
  EXPECT_EQ(changes, (std::vector<std::pair<std::string, LockChange>>{
                         {"added", LockChange::kAdded},
                         {"gone", LockChange::kRemoved},
                         {"repinned", LockChange::kRepinned},
                         {"same-files", LockChange::kSameFiles},
                         {"same-version", LockChange::kSameVersion}}));
}

// Of positions, in percent: min(40, 30) + min(20, 20) + min(30, 20) + min(10, 10).
TEST_F(LockDiffTest, OverlapIsTheSumOfTheLesserShares) {
  EXPECT_DOUBLE_EQ(overlap_of(counted(kOld), counted(kNew)), 0.8);
  EXPECT_DOUBLE_EQ(overlap_of(counted(kNew), counted(kOld)), 0.8);
  EXPECT_DOUBLE_EQ(overlap_of(counted(kOld), counted(kOld)), 1);
  EXPECT_DOUBLE_EQ(overlap_of(counted("a:5:1\n 1: 5\n"), counted("a:5:1\n 2: 5\n")), 0);
  EXPECT_DOUBLE_EQ(overlap_of(counted("a:5:1\n 1: 5\n"), counted("a:5:1\n 1.1: 5\n")), 0);
  EXPECT_DOUBLE_EQ(overlap_of(counted("a:5:1\n 1: 5\n"), counted("a:9:1\n 1: 9\n")), 1);
}

TEST_F(LockDiffTest, AContextCountsLikeTheInlineStackThatItWouldBe) {
  EXPECT_DOUBLE_EQ(overlap_of(counted("[main:3 @ work]:5:1\n 1: 5\n"),
                              counted("main:5:0\n 3: work:5\n  1: 5\n")),
                   1);
}

TEST_F(LockDiffTest, WithoutInlineStacksBuildsThatInlineDifferentlyCanBeCompared) {
  const std::string_view inlined = "main:100:1\n 1: 10\n 2: work:90\n  1: 90\n",
                         called = "main:10:1\n 1: 10\nwork:90:1\n 1: 90\n",
                         of_context = "[main]:10:1\n 1: 10\n[main:2 @ work]:90:1\n 1: 90\n";
  EXPECT_DOUBLE_EQ(overlap_of(counted(inlined), counted(called)), .1);
  const CountedProfile work = counted(called, InlineStacks::kIgnored);
  EXPECT_DOUBLE_EQ(overlap_of(counted(inlined, InlineStacks::kIgnored), work), 1);
  EXPECT_DOUBLE_EQ(overlap_of(counted(of_context, InlineStacks::kIgnored), work), 1);
}

TEST_F(LockDiffTest, ListsTheFunctionsThatMovedMost) {
  const FileChange file = only_file(cached(kOld), cached(kNew));
  ASSERT_TRUE(file.comparison);
  EXPECT_DOUBLE_EQ(file.comparison->overlap, 0.8);
  EXPECT_EQ(file.effect(), ExpectedEffect::kPart);
  EXPECT_EQ(file.comparison->came, 1u);
  EXPECT_EQ(file.comparison->went, 0u);
  std::vector<std::string> names;
  for (const MovedFunction& function : file.comparison->functions) names.push_back(function.name);
  EXPECT_EQ(names, (std::vector<std::string>{"added", "main", "work"}));
  const MovedFunction& work = file.comparison->functions[2];  // inlined or not
  EXPECT_DOUBLE_EQ(work.before, 0.4);
  EXPECT_DOUBLE_EQ(work.after, 0.3);
  EXPECT_EQ(only_file(cached(kNew), cached(kOld)).comparison->functions[0].move,
            FunctionMove::kWent);
}

TEST_F(LockDiffTest, AColdFunctionNeitherComesNorGoes) {
  const FileChange file = only_file(cached("main:1000:1\n 1: 1000\n"),
                                    cached("main:1000:1\n 1: 1000\ncold:5:1\n 1: 5\n"));
  EXPECT_EQ(file.comparison->came, 0u);
  EXPECT_EQ(file.comparison->functions[0].move, FunctionMove::kMoved);
}

TEST_F(LockDiffTest, TheEffectFollowsFromTheOverlap) {
  const ProfileFile one = cached("a:100:1\n 1: 100\n");
  EXPECT_EQ(only_file(one, cached("a:100:1\n 1: 91\n 2: 9\n")).effect(), ExpectedEffect::kSmall);
  EXPECT_EQ(only_file(one, cached("a:100:1\n 1: 89\n 2: 11\n")).effect(), ExpectedEffect::kPart);
  EXPECT_EQ(only_file(one, cached("a:100:1\n 1: 49\n 2: 51\n")).effect(), ExpectedEffect::kMost);
  ProfileFile split = cached("a:100:1\n 1: 49\n 2: 51\n");
  split.split_half_overlap = 0.48;
  EXPECT_EQ(only_file(one, split).effect(), ExpectedEffect::kByChance);
}

TEST_F(LockDiffTest, ComparesGccProfiles) {
  GccAutoProfile before, after;
  before.functions["main"].body.positions[1 << 16].count = 3;
  before.functions["main"].body.inlined[{2 << 16, "work"}].positions[1 << 16].count = 1;
  after = before;
  after.functions["main"].body.positions[1 << 16].count = 1;
  const FileChange file = only_file(cached(write_gcc_auto_profile(before), FileKind::kGcc),
                                    cached(write_gcc_auto_profile(after), FileKind::kGcc));
  ASSERT_TRUE(file.comparison);
  EXPECT_DOUBLE_EQ(file.comparison->overlap, 0.75);
  EXPECT_EQ(file.comparison->functions[0].name, "main");
}

// GCC 12 looks counts up by line alone.
TEST_F(LockDiffTest, ComparesNoGccProfilesOfOtherPositions) {
  GccAutoProfile lines, discriminators;
  lines.functions["main"].body.positions[1 << 16].count = 3;
  discriminators = lines;
  discriminators.functions["main"].body.positions[(1 << 16) + 2].count = 1;
  EXPECT_EQ(only_file(cached(write_gcc_auto_profile(lines), FileKind::kGcc),
                      cached(write_gcc_auto_profile(discriminators), FileKind::kGcc))
                .not_compared,
            "one of the profiles counts by line, the other by line and discriminator");
}

TEST_F(LockDiffTest, SaysWhyProfilesAreNotCompared) {
  const ProfileFile one = cached(kOld);
  ProfileFile elsewhere = cached(kNew);
  elsewhere.digest = "sha256:" + std::string(64, 'e');
  EXPECT_TRUE(only_file(one, elsewhere).is_missing);
  EXPECT_EQ(only_file(one, elsewhere).effect(), ExpectedEffect::kUnknown);
  const FileChange damaged = only_file(one, cached("no profile"));
  EXPECT_FALSE(damaged.comparison);
  EXPECT_NE(damaged.not_compared, "");
  EXPECT_EQ(only_file(one, cached("a:5:1\n 1: 5\n !CFGChecksum: 7\n")).not_compared,
            "one of the profiles counts by line, the other by pseudo probe");
  EXPECT_FALSE(only_file(cached("x", FileKind::kBolt), cached("y", FileKind::kBolt)).is_missing);
}

TEST_F(LockDiffTest, FilesOfOneNameBelongTogetherThenThoseOfOneKind) {
  auto file = [&](const char* name, const char* digits) {
    return ProfileFile{.kind = FileKind::kBolt, .name = name, .digest = digits, .size = 1};
  };
  const LockDiffResult result =
      diff({{"a", entry('1', {file("one", "1"), file("two", "2")})}},
           {{"a", entry('2', {file("another", "3"), file("two", "4"), file("z", "5")})}});
  std::vector<std::string> pairs;
  for (const FileChange& change : result.changes[0].files)
    pairs.push_back((change.before ? change.before->name : "-") + " " +
                    (change.after ? change.after->name : "-"));
  EXPECT_EQ(pairs, (std::vector<std::string>{"one another", "two two", "- z"}));
}

TEST_F(LockDiffTest, ComparesBoltProfilesOfOneLibrary) {
  auto file = [&](const char* name, const char* library, const char* digits) {
    return ProfileFile{
        .kind = FileKind::kBolt, .name = name, .digest = digits, .size = 1, .library = library};
  };
  const LockDiffResult result =
      diff({{"a", entry('1', {file("x", "", "1"), file("y", "liba.so", "2")})}},
           {{"a", entry('2', {file("v", "liba.so", "3"), file("w", "", "4")})}});
  const std::vector<FileChange>& files = result.changes[0].files;
  ASSERT_EQ(files.size(), 2u);
  EXPECT_EQ(files[0].before->name + files[0].after->name, "xw");
  EXPECT_EQ(files[1].before->name + files[1].after->name, "yv");
  EXPECT_NE(lock_diff_text(result).find(" library "), std::string::npos);
}

TEST_F(LockDiffTest, PairsManyFilesInLittleTime) {
  std::vector<ProfileFile> before, after;
  for (int i = 0; i < 50'000; i++) {
    ProfileFile file{
        .kind = FileKind::kBolt, .name = "before" + std::to_string(i), .digest = "1", .size = 1};
    before.push_back(file);
    file.name = i % 2 == 0 ? file.name : "after" + std::to_string(i);
    file.digest = "2";
    after.push_back(file);
  }
  const LockDiffResult result = diff({{"a", entry('1', before)}}, {{"a", entry('2', after)}});
  ASSERT_EQ(result.changes[0].files.size(), 50'000u);
  for (const FileChange& file : result.changes[0].files)
    EXPECT_TRUE(file.before && file.after &&
                (file.after->name.starts_with("after") || file.after->name == file.before->name));
}

// One side has hashes for names.
TEST_F(LockDiffTest, NamesFunctionsByTheSideThatHasTheirNames) {
  const CountedProfile hashes{{}, {{7, {"7", 10}}, {8, {"8", 10}}}, 20, PositionBasis::kLine},
      names{{}, {{7, {"main", 10}}}, 10, PositionBasis::kLine};
  for (const auto& [before, after] : {std::pair(hashes, names), std::pair(names, hashes)}) {
    const ProfileComparison comparison = compare_profiles(before, after, 10);
    ASSERT_EQ(comparison.functions.size(), 2u);
    EXPECT_EQ(comparison.functions[0].name, "8");
    EXPECT_EQ(comparison.functions[1].name, "main");
  }
}

// A registry in which pushes() makes a version with a compiler's profile and a BOLT profile.
class LockPullTest : public LockDiffTest {
 protected:
  LockEntry pushed(const std::string& layout, const std::string& contents) {
    PushRequest request;
    request.files.files = {write("server.proftext", contents),
                           write("server.fdata", "1 main 0 1 work 4 0 7\n")};
    request.to = {RegistryReference::Kind::kLayout, "", path(layout), "week", ""};
    request.open = [](const RegistryReference& reference,
                      RegistryUse) -> Result<std::unique_ptr<Registry>> {
      PGO_TRY(std::unique_ptr<OciLayout> pushed_to, OciLayout::open_to_push(reference.path));
      return std::unique_ptr<Registry>(std::move(pushed_to));
    };
    const PushResult result = push(request).value();
    LockEntry entry;
    entry.reference = "oci-dir:" + path(layout) + ":week";
    entry.manifest = result.digest;
    entry.files = result.version.files;
    return entry;
  }

  LockDiffResult pull_and_diff(std::map<std::string, LockEntry> before,
                               std::map<std::string, LockEntry> after) {
    LockDiffRequest request;
    request.before = {"old", path("pgo.lock"), {std::move(before)}, false};
    request.after = {"new", path("pgo.lock"), {std::move(after)}, false};
    request.cache = path("cache");
    request.wants_pull = true;
    request.open = [this](const RegistryReference& reference,
                          RegistryUse) -> Result<std::unique_ptr<Registry>> {
      opened++;
      PGO_TRY(std::unique_ptr<OciLayout> layout, OciLayout::open(reference.path));
      return std::unique_ptr<Registry>(std::move(layout));
    };
    return diff_locks(request);
  }

  int opened = 0;
};

TEST_F(LockPullTest, PullsOnlyTheFilesThatItCompares) {
  const LockEntry before = pushed("p", kOld), after = pushed("p", kNew);
  const LockDiffResult result = pull_and_diff({{"a", before}}, {{"a", after}});
  ASSERT_EQ(before.files.size(), 2u);
  EXPECT_FALSE(result.is_missing_profiles());
  EXPECT_EQ(opened, 2);
  const BlobCache cache = BlobCache::open(path("cache")).value();
  for (const ProfileFile& file : before.files)
    EXPECT_EQ(cache.find_digest(file.digest, file.size).has_value(), file.kind == FileKind::kLlvm);
}

TEST_F(LockPullTest, SaysWhichLockFileRequiresASignature) {
  const LockEntry before = pushed("p", kOld);
  LockEntry after = pushed("p", kNew);
  after.signed_by = "RWT4GpXPJk/WHteX+sXjI8da2MCH3J7qXGI+Fg5wBvNZPn+tkC2N5nr3";
  const std::vector<Message> messages =
      lock_diff_messages(pull_and_diff({{"a", before}}, {{"a", after}}));
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(relative(messages[0].text),
            "cannot pull: oci-dir:p@" + after.manifest +
                ": is not signed, and pgo.lock requires a signature by the key 1ED64F26CF951AF8");
}

// One version in two places, of which the first cannot be reached.
TEST_F(LockPullTest, TriesEachPlaceOfAVersionOnce) {
  const LockEntry there = pushed("p", kOld), other = pushed("p", kNew);
  LockEntry away = there;
  away.reference = "oci-dir:" + path("none") + ":week";
  const LockDiffResult result =
      pull_and_diff({{"a", away}, {"b", away}}, {{"a", other}, {"b", other}});
  EXPECT_TRUE(result.is_missing_profiles());
  EXPECT_EQ(opened, 2);  // nothing is tried twice
  const std::vector<Message> messages = lock_diff_messages(result);
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(relative(messages[0].text), "cannot pull: none: there is no such directory");
  EXPECT_EQ(messages[1].text, "not all profiles could be pulled, so they are not compared");

  const LockDiffResult found =
      pull_and_diff({{"a", away}, {"b", there}}, {{"a", other}, {"b", other}});
  for (const ProfileChange& change : found.changes)
    EXPECT_FALSE(change.files[0].is_missing) << change.name;
}

TEST_F(LockDiffTest, SaysWhatIsNoLongerRequiredOrKnown) {
  ProfileFile known = cached(kOld), unknown = known;
  known.quality = Quality::kGood;
  known.evidence = Evidence::kBranchRecords;
  LockEntry is_signed = entry('1', {known}), other = is_signed, not_signed = is_signed,
            repinned = entry('2', {unknown});
  is_signed.signed_by = "RWQa";
  other.signed_by = "RWQb";
  const LockDiffResult result = diff(
      {{"a", is_signed}, {"b", is_signed}, {"c", not_signed}, {"d", is_signed}, {"e", is_signed}},
      {{"a", not_signed}, {"b", other}, {"c", is_signed}, {"d", repinned}});
  const std::string text = lock_diff_text(result);
  for (const char* line :
       {"\na: no signature is required any more\n",
        "\nb: the signature of another key is required now\n", "\nc: a signature is required now\n",
        "\nd: pinned to another version with the same files; no signature is required any more\n",
        "\n  server.prof: the quality, good before, is not known any more: push the report of the "
        "conversion\n",
        "\n  server.prof: the evidence, branch records before, is not known any more: push the "
        "report of the conversion\n",
        "\ne: removed\n"})
    EXPECT_NE(text.find(line), std::string::npos) << line << text;
  EXPECT_NE(lock_diff_markdown(result).find("### `a`: no signature is required any more\n"),
            std::string::npos);
  EXPECT_EQ(warnings_of(lock_diff_messages(result)),
            (std::vector<std::string>{"a: no signature is required any more",
                                      "b: the signature of another key is required now",
                                      "d: no signature is required any more"}));
}

TEST_F(LockDiffTest, TellsStaticFunctionsOfOneNameApart) {
  const ProfileFile before = cached(
                        "main:800:1\n 1: 800\nhelp.__uniq.1:100:1\n 1: 100\n"
                        "help.__uniq.2:100:1\n 1: 100\nother.__uniq.3:100:1\n 1: 100\n"),
                    after = cached(
                        "main:100:1\n 1: 100\nhelp.__uniq.1:200:1\n 1: 200\n"
                        "help.__uniq.2:300:1\n 1: 300\nother.__uniq.3:400:1\n 1: 400\n");
  const std::string text =
      lock_diff_text(diff({{"a", entry('1', {before})}}, {{"a", entry('2', {after})}}));
  for (const char* name : {"  help (.__uniq.1)\n", "  help (.__uniq.2)\n", "  other\n"})
    EXPECT_NE(text.find(name), std::string::npos) << name << text;
}

TEST_F(LockDiffTest, ReportsInTextMarkdownAndJson) {
  ProfileFile old_file = cached(kOld), new_file = cached(kNew);
  old_file.quality = Quality::kGood;
  new_file.quality = Quality::kThin;
  old_file.samples = 1200;
  const LockDiffResult result =
      diff({{"server", entry('1', {old_file})}, {"kept", entry('1', {})}},
           {{"server", entry('2', {new_file})}, {"kept", entry('1', {})}});
  EXPECT_EQ(lock_diff_text(result),
            "old -> new: 1 pinned to another version, 1 unchanged\n"
            "\n"
            "server: pinned to another version\n"
            "  server.prof: other code is hot in part: overlap 80.0 %; hot functions: 1 added, 0 "
            "removed\n"
            "  server.prof: the quality fell from good to thin\n"
            "\n"
            "  FILE         FIELD      BEFORE                 AFTER\n"
            "               version    sha256:111111111111    sha256:222222222222\n"
            "               reference  oci-dir:profiles:week  oci-dir:profiles:week\n"
            "  server.prof  digest     sha256:d8e47ceb4029    sha256:f55fc593417d\n"
            "               samples    1 200                  -\n"
            "               quality    good                   thin\n"
            "               size       61 bytes               79 bytes\n"
            "\n"
            "  server.prof: the functions whose shares changed most\n"
            "\n"
            "  BEFORE   AFTER  HOT   FUNCTION\n"
            "   0.0 %  20.0 %  came  added\n"
            "  60.0 %  50.0 %        main\n"
            "  40.0 %  30.0 %        work\n");
  EXPECT_EQ(lock_diff_markdown(result),
            "**Profiles: 1 pinned to another version, 1 unchanged** (`old` → `new`)\n"
            "\n"
            "### `server`: pinned to another version\n"
            "\n"
            "- server.prof: other code is hot in part: overlap 80.0 %; hot functions: 1 added, 0 "
            "removed\n"
            "- server.prof: the quality fell from good to thin\n"
            "\n"
            "| file | field | before | after |\n"
            "|---|---|---|---|\n"
            "|  | version | sha256:111111111111 | sha256:222222222222 |\n"
            "|  | reference | oci-dir:profiles:week | oci-dir:profiles:week |\n"
            "| server.prof | digest | sha256:d8e47ceb4029 | sha256:f55fc593417d |\n"
            "|  | samples | 1 200 | - |\n"
            "|  | quality | good | thin |\n"
            "|  | size | 61 bytes | 79 bytes |\n"
            "\n"
            "server.prof: the functions whose shares changed most:\n"
            "\n"
            "| before | after | hot | function |\n"
            "|--:|--:|---|---|\n"
            "| 0.0 % | 20.0 % | came | `added` |\n"
            "| 60.0 % | 50.0 % |  | `main` |\n"
            "| 40.0 % | 30.0 % |  | `work` |\n"
            "\n"
            "An overlap does not say how much faster or slower a program becomes: measure it.\n");
  const nlohmann::json json = lock_diff_json(result);
  EXPECT_EQ(json["profiles"][0]["change"], "repinned");
  EXPECT_EQ(json["profiles"][0]["files"][0]["comparison"]["overlap"], 0.8);
  EXPECT_EQ(json["profiles"][0]["files"][0]["effect"], "part");
}

}  // namespace
}  // namespace pgo::lock_diff_test
