// push(), pull(), list_versions(), pin() and copy_version() on layouts in a directory.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>

#include <chrono>
#include <future>
#include <thread>

#include "pgo/archive/registry_archive.h"
#include "pgo/base/sha256.h"
#include "pgo/base/time_text.h"
#include "pgo/base/unique_fd.h"
#include "pgo/registry/oci_layout.h"
#include "pgo/report/versions_report.h"
#include "pgo/versions/copy.h"
#include "pgo/versions/locked_reference.h"
#include "pgo/versions/pin.h"
#include "pgo/versions/pull.h"
#include "pgo/versions/push.h"
#include "pgo/versions/version_list.h"
#include "tests/data/layout_opener.h"
#include "tests/data/temporary_files.h"
#include "tests/unit/versions/versions_fixture.h"

namespace pgo::versions_test {
namespace {

namespace fs = std::filesystem;
using test::digest_of;
using test::kFdata;
using test::kLlvm;
using test::open_layout;
using test::text_in;
using test::VersionsTest;

TEST_F(VersionsTest, PushTakesFiguresFromTheReport) {
  const std::string report = R"({"evidence": "branch-records", "quality": "good", "density": 70.5,
"split_half_overlap": 0.99, "samples": {"seen": 9, "used": 8, "dropped": {"kernel": 1}},
"branches": {"seen": 9, "used": 9, "dropped": {}}, "binaries": [{"path": "/bin/a", "build_id":
"0102030405060708", "density": 60.5}, {"path": "/bin/b", "build_id": "0909090909090909"}],
"outputs": [{"path": "x", "digest": ")" +
                             digest_of(kLlvm) + R"(", "quality": "good"},
{"path": "y", "digest": ")" + digest_of(kFdata) +
                             R"(", "quality": "fair", "binary": "/bin/a"}],
"provenance": [{"query": {"service": "queryd"}, "sources": ["s3://b/p"], "members": {"window":
{"from": "2026-11-19T00:00:00Z", "to": "2026-11-26T00:00:00Z"}}}]})";
  const PushResult result = pushed({write("s.fdata", kFdata), write("report.json", report),
                                    write("s.proftext", kLlvm), write("notes.md", "# Week 48\n")},
                                   "v1");
  EXPECT_TRUE(result.is_new);
  EXPECT_EQ(result.pushed_files, 4u);
  const ProfileVersion& version = result.version;
  EXPECT_EQ(version.service, "queryd");
  EXPECT_EQ(version.sources, std::vector<std::string>{"s3://b/p"});
  EXPECT_EQ(version.window, (TimeWindow{*parse_time("2026-11-19"), *parse_time("2026-11-26")}));
  ASSERT_EQ(version.files.size(), 4u);
  const ProfileFile& llvm = version.files[0];
  EXPECT_EQ(llvm.media_type, "application/vnd.prodpgo.llvm-proftext.v1");
  EXPECT_EQ(llvm.evidence, Evidence::kBranchRecords);
  EXPECT_EQ(llvm.quality, Quality::kGood);
  EXPECT_EQ(llvm.samples, 8u);
  EXPECT_EQ(llvm.density, 70.5);
  EXPECT_EQ(llvm.of_builds, (std::vector<std::string>{"0102030405060708", "0909090909090909"}));
  const ProfileFile& bolt = version.files[1];
  EXPECT_EQ(bolt.kind, FileKind::kBolt);
  EXPECT_EQ(bolt.quality, Quality::kFair);
  EXPECT_EQ(bolt.bolt_of, "0102030405060708");
  EXPECT_EQ(bolt.of_builds, std::vector<std::string>{"0102030405060708"});
  EXPECT_EQ(bolt.density, 60.5);
  EXPECT_EQ(version.files[2].kind, FileKind::kReport);
  EXPECT_EQ(version.files[3].kind, FileKind::kSummary);
}

TEST_F(VersionsTest, PushSaysWhatNoReportTells) {
  auto report_of = [](std::string_view contents) {
    return R"({"evidence": "branch-records", "quality": "good", "samples": {}, "branches": {},
"outputs": [{"path": "x", "digest": ")" +
           digest_of(contents) + R"("}]})";
  };
  auto warnings_of = [](const PushResult& result) {
    std::vector<std::string> texts;
    for (const auto& [kind, entry] : result.diagnostics.entries())
      texts.insert(texts.end(), entry.messages.begin(), entry.messages.end());
    return texts;
  };
  const std::string llvm = write("s.proftext", kLlvm), bolt = write("t.fdata", kFdata),
                    own = write("own.json", report_of(kLlvm)),
                    other = write("other.json", report_of("other"));
  EXPECT_EQ(warnings_of(pushed({llvm}, "v1")), std::vector<std::string>{});
  EXPECT_EQ(warnings_of(pushed({llvm, own}, "v2")), std::vector<std::string>{});
  EXPECT_EQ(warnings_of(pushed({llvm, bolt, own}, "v3")),
            (std::vector<std::string>{
                bolt + ": no report says its quality and evidence; push the report of its "
                       "conversion, too, under a name of its own",
                bolt + ": does not say which binary it fits: \xFF{bolt-of}, or the report of its "
                       "conversion, would"}));
  EXPECT_EQ(
      warnings_of(pushed({llvm, own, other}, "v4")),
      std::vector<std::string>{other + ": says nothing of the other files: none of them is an "
                                       "output that it names; push the report of their own "
                                       "conversion"});
  EXPECT_EQ(warnings_of(pushed({llvm, other}, "v5")).size(), 2u);
}

TEST_F(VersionsTest, PushGivesTheSameDigestAgain) {
  const PushResult first = pushed({write("a/s.fdata", kFdata), write("a/s.proftext", kLlvm)}, "v1");
  const PushResult again = pushed({write("b/s.proftext", kLlvm), write("b/s.fdata", kFdata)}, "v1");
  EXPECT_EQ(first.digest, again.digest);
  EXPECT_FALSE(again.is_new);
  EXPECT_EQ(again.pushed_files, 0u);
  EXPECT_EQ(again.moved_from, "");
  const PushResult other = pushed({write("b/s.fdata", kFdata)}, "v1");
  EXPECT_EQ(other.moved_from, first.digest);
}

// What `pgo refresh` made it from goes into the manifest, and from there into the lock file.
TEST_F(VersionsTest, InputsAreADigest) {
  const std::string inputs = "sha256:" + std::string(64, 'a');
  PushRequest request;
  request.to = at("v1");
  request.open = open_layout;
  request.files.files = {write("s.proftext", kLlvm)};
  const std::string without = push(request).value().digest;
  request.files.inputs = inputs;
  const PushResult with = push(request).value();
  EXPECT_NE(with.digest, without);
  EXPECT_EQ(with.version.inputs, inputs);
  EXPECT_EQ(pinned("server", at("v1")).entry.inputs, inputs);
  Diagnostics diagnostics;
  EXPECT_EQ(read_lock_file(path("pgo.lock"), diagnostics).value().profiles.at("server").inputs,
            inputs);
  EXPECT_TRUE(diagnostics.entries().empty());
}

// Builds do not get them.
TEST_F(VersionsTest, GenerationsAreKnownByTheirNames) {
  const PushResult result = pushed(
      {write("s.generation-1.proftext", kLlvm), write("s.generation-.proftext", kLlvm)}, "v1");
  ASSERT_EQ(result.version.files.size(), 2u);
  EXPECT_EQ(result.version.files[0].name, "s.generation-.proftext");
  EXPECT_EQ(result.version.files[0].kind, FileKind::kLlvm);
  EXPECT_EQ(result.version.files[1].kind, FileKind::kGeneration);
  EXPECT_EQ(result.version.files[1].media_type, "application/vnd.prodpgo.generation.v1");
  EXPECT_EQ(pinned("server", at("v1")).entry.files.size(), 1u);
  EXPECT_TRUE(is_generation_name("a.generation-12.prof"));
  EXPECT_FALSE(is_generation_name("a.generation-12.fdata"));
  EXPECT_FALSE(is_generation_name("generation-1.prof"));
}

TEST_F(VersionsTest, PushNamesConfigurations) {
  PushRequest request;
  request.to = at("v1");
  request.open = open_layout;
  request.files.files = {write("a.fdata", kFdata), write("b.fdata", std::string(kFdata) + kFdata),
                         write("s.proftext", kLlvm)};
  request.files.configurations = {"clang-lto", path("b.fdata") + "=gcc"};
  request.files.bolt_of = "0102030405060708";
  const ProfileVersion version = push(request).value().version;
  EXPECT_EQ(version.files[1].configuration, "clang-lto");
  EXPECT_EQ(version.files[1].bolt_of, "0102030405060708");
  EXPECT_EQ(version.files[2].configuration, "gcc");
  EXPECT_EQ(version.files[0].configuration, "");

  request.files.configurations = {path("s.proftext") + "=gcc"};
  EXPECT_EQ(error_of(push(request)),
            "\xFF{configuration} s.proftext=gcc: 's.proftext' is for BOLT, "
            "and the others fit every configuration; ");
  request.files.configurations = {"c.fdata=gcc"};
  EXPECT_EQ(error_of(push(request)),
            "\xFF{configuration} c.fdata=gcc: 'c.fdata' is none of the files to push; name it as "
            "the argument does");
}

TEST_F(VersionsTest, PushRefusesOtherFiles) {
  EXPECT_EQ(error_of(try_push({write("a.folded", "main;work 5\n")}, "v1")),
            "a.folded: is a stack profile in another form than pprof; convert it to .pb.gz first");
  EXPECT_EQ(error_of(try_push({directory()}, "v1")),
            directory() + ": is a directory; name the files in it");
  EXPECT_EQ(error_of(try_push({write("a/s.fdata", kFdata), write("b/s.fdata", kFdata)}, "v1")),
            "a/s.fdata and b/s.fdata have the same name, and files of a version are told apart by "
            "it; ");
  EXPECT_EQ(error_of(try_push({}, "v1")), "there is no file to push to oci-dir:p:v1; ");
  EXPECT_FALSE(fs::exists(path("p")));
}

TEST_F(VersionsTest, PullsIntoCacheAndDirectory) {
  const std::string digest = push_day("2026-11-26", "v1");
  PullRequest request = pull_request();
  request.from = at("v1");
  request.output = path("out");
  const PullResult result = pull(request).value();
  EXPECT_EQ(result.digest, digest);
  ASSERT_EQ(result.files.size(), 2u);
  EXPECT_EQ(text_in(path("out/s.proftext")), kLlvm);
  EXPECT_EQ(text_in(path("cache/blobs/sha256/" + digest_of(kLlvm).substr(7))), kLlvm);
  EXPECT_GT(result.fetched_bytes, 0u);
  EXPECT_EQ(pull(request).value().fetched_bytes, 0u);

  request.from = at("");
  EXPECT_EQ(error_of(pull(request)),
            "oci-dir:p: does not say which version; add ':TAG' or '@sha256:...'; 'pgo list "
            "oci-dir:p' shows what there is");
}

TEST_F(VersionsTest, PullsWhatALockFileNames) {
  push_day("2026-11-26", "v1");
  pinned("server", at("v1"));
  const std::string blob = "cache/blobs/sha256/" + digest_of(kLlvm).substr(7);
  const PullResult result = pull(pull_request()).value();
  ASSERT_EQ(result.files.size(), 1u);  // bundle.json is not for builds
  EXPECT_EQ(result.files[0].profile, "server");
  EXPECT_EQ(relative(result.files[0].path), blob);
  EXPECT_TRUE(fs::exists(path("cache/pinned/" + digest_of(kLlvm).substr(7))));
  // From now on without the registry.
  fs::rename(path("p"), path("away"));
  EXPECT_TRUE(pull(pull_request()).value().files[0].was_cached);
  fs::permissions(path(blob), fs::perms::owner_all);
  write(blob, "main:1000:11\n 1: 100\n 2: 100\n");
  EXPECT_FALSE(pull(pull_request()));
  fs::rename(path("away"), path("p"));
  EXPECT_EQ(pull(pull_request()).value().fetched_bytes, std::string_view(kLlvm).size());

  PullRequest other = pull_request();
  other.names = {"client"};
  EXPECT_EQ(error_of(pull(other)),
            "pgo.lock: has no profile client; 'pgo pin client REFERENCE' adds one");
}

TEST_F(VersionsTest, ListsTheNewestFirst) {
  const std::string old = push_day("2026-11-19", "v1"), recent = push_day("2026-11-26", "v2");
  const std::string without = pushed({write("s.fdata", kFdata)}, "").digest;
  push_day("2026-11-26", "latest");
  const VersionList list = list_versions(*open_layout(at(""), RegistryUse::kRead).value()).value();
  ASSERT_EQ(list.versions.size(), 3u);
  EXPECT_EQ(list.versions[0].digest, recent);
  EXPECT_EQ(list.versions[0].tags, (std::vector<std::string>{"latest", "v2"}));
  EXPECT_EQ(list.versions[1].digest, old);
  EXPECT_EQ(list.versions[2].digest, without);
}

// What another tool keeps in the same layout, by digests that are not supported here.
TEST_F(VersionsTest, ListsWhatIsMissingUntilItIsPushedAgain) {
  auto damage_of_list = [&] {
    const VersionList list =
        list_versions(*open_layout(at(""), RegistryUse::kRead).value()).value();
    std::vector<std::string> reasons;
    for (const DamagedArtifact& one : list.damaged) reasons.push_back(relative(one.reason));
    return reasons;
  };
  const std::string digest = push_day("2026-11-26", "v1");
  const std::string blobs = path("p/blobs/sha256/");
  EXPECT_EQ(damage_of_list(), std::vector<std::string>{});
  fs::remove(blobs + digest_of(kLlvm).substr(7));
  EXPECT_EQ(damage_of_list(),
            std::vector<std::string>{"oci-dir:p: there is no blob " + digest_of(kLlvm)});
  const PushResult repaired =
      pushed({write("s.proftext", kLlvm), write("bundle.json", bundle("2026-11-26"))}, "v1");
  EXPECT_FALSE(repaired.is_new);
  EXPECT_TRUE(repaired.is_repaired);
  EXPECT_EQ(repaired.pushed_files, 1u);
  EXPECT_EQ(
      push_messages(repaired, at("v1"))[0].text,
      "oci-dir:" + path("p") +
          ":v1: this version was damaged and is repaired; 1 file with 29 bytes was written again");
  EXPECT_EQ(damage_of_list(), std::vector<std::string>{});
  fs::remove(blobs + digest.substr(7));
  EXPECT_EQ(damage_of_list(), std::vector<std::string>{"oci-dir:p: the manifest " + digest +
                                                       " is listed, but missing"});
  push_day("2026-11-26", "v1");
  EXPECT_EQ(damage_of_list(), std::vector<std::string>{});
  EXPECT_FALSE(
      pushed({write("s.proftext", kLlvm), write("bundle.json", bundle("2026-11-26"))}, "v1")
          .is_repaired);
}

TEST_F(VersionsTest, ListsSecondsAndBuilds) {
  VersionList list;
  list.versions.push_back({"sha256:1", {"v1"}, {}, 1, {}});
  list.versions[0].version.window = TimeWindow{0, 1'500'000'001};
  list.others.push_back({"sha256:2", kBuildArtifactType, {"0102"}, ""});
  const std::string text = list_text(list);
  EXPECT_NE(text.find("  1970-01-01T00:00:01Z  "), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with("\nand 1 build that pgo archive keeps\n")) << text;
}

ProfileFile profile_file(FileKind kind, const std::string& digest, uint64_t samples,
                         Quality quality) {
  ProfileFile file{.kind = kind, .name = "q", .digest = digest};
  file.samples = samples;
  file.quality = quality;
  return file;
}

// A compile profile is kept, and each week has a BOLT profile of its own.
TEST_F(VersionsTest, ListsFiguresOfWhatIsNew) {
  VersionList list;
  const ProfileFile kept = profile_file(FileKind::kLlvm, "sha256:c", 41'249, Quality::kFair);
  for (uint64_t week = 3; week > 0; week--) {
    ListedVersion& one = list.versions.emplace_back();
    one.digest = "sha256:" + std::to_string(week);
    one.version.service = "kvd";
    one.version.files = {kept, profile_file(FileKind::kBolt, "sha256:b" + std::to_string(week),
                                            1000 * week, Quality::kGood)};
  }
  list.versions[0].version.files[1].digest = "sha256:b2";  // nothing is new
  EXPECT_EQ(list_text(list),
            "  TAG  RECORDED UNTIL  SERVICE  NEW         SAMPLES  QUALITY     SIZE  DIGEST\n"
            "  -    -               kvd      -            41 249  fair     0 bytes  sha256:3\n"
            "  -    -               kvd      bolt          2 000  good     0 bytes  sha256:2\n"
            "  -    -               kvd      llvm, bolt   41 249  fair     0 bytes  sha256:1\n");
}

TEST_F(VersionsTest, ListsAndKeepsOtherDigests) {
  push_day("2026-11-26", "v1");
  std::string index = text_in(path("p/index.json"));
  const std::string entry = R"({"mediaType":"application/vnd.oci.image.manifest.v1+json",)"
                            R"("digest":"sha512:ab","size":1},)";
  write("p/index.json", index.insert(index.find('[') + 1, entry));
  std::unique_ptr<OciLayout> layout = OciLayout::open_to_push(path("p")).value();
  EXPECT_EQ(list_versions(*layout).value().others.size(), 1u);
  GarbageRequest request;
  request.layout = layout.get();
  request.newest = 0;
  EXPECT_EQ(collect_garbage(request).value().removed.size(), 1u);
  EXPECT_EQ(layout->list_manifests().value(), (std::vector<ManifestName>{{"", "sha512:ab"}}));
}

TEST_F(VersionsTest, PinsAndGoesBack) {
  const std::string one = push_day("2026-11-19", "v1"), two = push_day("2026-11-26", "v2");
  const PinResult first = pinned("server", at("v1"));
  EXPECT_TRUE(first.is_changed);
  EXPECT_EQ(first.entry.manifest, one);
  EXPECT_EQ(first.entry.previous, "");
  EXPECT_EQ(first.entry.source, "s3://b/p");
  EXPECT_EQ(error_of(try_pin("server", std::nullopt)),
            "pgo.lock: no other version of server was pinned before; ");

  EXPECT_EQ(pinned("server", at("v2")).entry.previous, one);
  const std::string text = text_in(path("pgo.lock"));
  EXPECT_FALSE(pinned("server", at("v2")).is_changed);
  EXPECT_EQ(text_in(path("pgo.lock")), text);

  const PinResult back = pinned("server", std::nullopt);
  EXPECT_EQ(back.before, two);
  EXPECT_EQ(back.entry.manifest, one);
  EXPECT_EQ(back.entry.previous, two);
  EXPECT_EQ(pinned("server", std::nullopt).entry.manifest, two);

  EXPECT_EQ(error_of(try_pin("client", std::nullopt)),
            "pgo.lock: has no profile client; 'pgo pin client REFERENCE' adds one");
  EXPECT_EQ(error_of(try_pin("sever", std::nullopt)),
            "pgo.lock: has no profile sever; did you mean server? 'pgo pin sever REFERENCE' adds "
            "one");
  for (const char* name : {".", ".."})
    EXPECT_EQ(try_pin(name, at("v1"))
                  .error()
                  .message.find(std::string("'") + name + "' is not a valid profile name: "),
              0u);
  EXPECT_EQ(
      error_of(try_pin("a b", at("v1"))),
      "'a b' is not a valid profile name: at most 128 letters, digits, '_', '.', '-' and '+'; ");
}

// Of the lock file, of other profiles, and of this one as far as it is the same.
TEST_F(VersionsTest, PinKeepsWhatAnotherPgoWrote) {
  push_day("2026-11-19", "v1");
  push_day("2026-11-26", "v2");
  pinned("client", at("v1"));
  pinned("server", at("v1"));
  Diagnostics ignored;
  LockFile lock = read_lock_file(path("pgo.lock"), ignored).value();
  lock.unknown = {{"owner", "\"db\""}};
  for (auto& [name, entry] : lock.profiles) {
    entry.unknown = {{"note", "1"}};
    entry.files[0].unknown = {{"gain", "3"}};
  }
  write("pgo.lock", lock_file_text(lock));
  EXPECT_FALSE(pinned("server", at("v1")).is_changed);
  EXPECT_TRUE(pinned("server", at("v2")).is_changed);
  const LockFile after = read_lock_file(path("pgo.lock"), ignored).value();
  EXPECT_EQ(after.unknown, lock.unknown);
  EXPECT_EQ(after.profiles.at("client"), lock.profiles.at("client"));
  EXPECT_EQ(after.profiles.at("server").unknown, lock.profiles.at("server").unknown);
  EXPECT_EQ(after.profiles.at("server").files[0].unknown,
            lock.profiles.at("server").files[0].unknown);
}

TEST_F(VersionsTest, PinsAtTheSameTimeWaitForEachOther) {
  const std::string digest = push_day("2026-11-19", "w47");
  std::optional<Result<PinResult>> second;
  std::thread other;
  PinRequest request{"first", at("w47"), path("pgo.lock"), {}, {}};
  request.open = [&](const RegistryReference& reference, RegistryUse use) {
    // The first has read the lock file, and not yet written it.
    UniqueFd directory(::open(fs::path(request.lock).parent_path().c_str(), O_RDONLY));
    EXPECT_NE(::flock(directory.fd, LOCK_EX | LOCK_NB), 0);
    other = std::thread([&] { second.emplace(try_pin("second", at("w47"))); });
    return open_layout(reference, use);
  };
  const Result<PinResult> first = pin(request);
  other.join();
  ASSERT_TRUE(first && second && *second);
  Diagnostics diagnostics;
  const Result<LockFile> lock = read_lock_file(request.lock, diagnostics);
  ASSERT_TRUE(lock);
  ASSERT_EQ(lock->profiles.size(), 2u);
  EXPECT_EQ(lock->profiles.at("first").manifest, digest);
  EXPECT_EQ(lock->profiles.at("second").manifest, digest);
}

TEST_F(VersionsTest, CopiesWithReferrers) {
  const std::string digest = push_day("2026-11-26", "v1");
  OciManifest signature;
  signature.artifact_type = "application/vnd.example.signature";
  signature.config = oci_empty_descriptor();
  signature.subject = OciDescriptor{kOciManifestType, digest, 1};
  const std::string signed_text = oci_manifest_text(signature);
  ASSERT_TRUE(open_layout(at(""), RegistryUse::kPush).value()->push_manifest(signed_text, ""));

  CopyRequest request{at("v1"), at("", "q"), open_layout};
  const CopyResult result = copy_version(request).value();
  EXPECT_EQ(result.digest, digest);
  EXPECT_EQ(result.tag, "v1");
  EXPECT_EQ(result.referrers, 1u);
  EXPECT_EQ(result.copied_blobs, 3u);
  auto copy = open_layout(at("", "q"), RegistryUse::kRead).value();
  EXPECT_EQ(get_manifest(*copy, "v1").value().digest, digest);
  EXPECT_EQ(copy->list_referrers(digest).value(), std::vector<std::string>{digest_of(signed_text)});
  EXPECT_EQ(copy_version(request).value().copied_blobs, 0u);
}

// The tag of a version whose signatures did not arrive would name an unsigned one.
TEST_F(VersionsTest, CopiesTheTagLast) {
  const std::string digest = push_day("2026-11-26", "v1");
  OciManifest signature;
  signature.artifact_type = "application/vnd.example.signature";
  signature.config = oci_empty_descriptor();
  signature.layers.push_back({"text/plain", digest_of("nowhere"), 7});
  signature.subject = OciDescriptor{kOciManifestType, digest, 1};
  ASSERT_TRUE(open_layout(at(""), RegistryUse::kPush)
                  .value()
                  ->push_manifest(oci_manifest_text(signature), ""));
  EXPECT_FALSE(copy_version({at("v1"), at("", "q"), open_layout}));
  EXPECT_FALSE(open_layout(at("", "q"), RegistryUse::kRead).value()->find_manifest("v1").value());
}

// A lock file and a layout in one repository must work from any directory.
TEST(LockedReference, CountsFromTheLockFile) {
  const RegistryReference relative{RegistryReference::Kind::kLayout, "", "profiles", "v1", ""};
  EXPECT_EQ(reference_in_lock(relative, "pgo.lock").value(), "oci-dir:profiles:v1");
  EXPECT_EQ(reference_in_lock(relative, "sub/pgo.lock").value(), "oci-dir:../profiles:v1");
  const RegistryReference absolute{RegistryReference::Kind::kLayout, "", "/srv/p", "v1",
                                   "sha256:" + std::string(64, 'a')};
  EXPECT_EQ(reference_in_lock(absolute, "sub/pgo.lock").value(), "oci-dir:/srv/p:v1");

  LockEntry entry;
  entry.manifest = "sha256:" + std::string(64, 'b');
  entry.reference = "oci-dir:../profiles:v1";
  const RegistryReference located = locked_reference(entry, "sub/pgo.lock").value();
  EXPECT_EQ(located.path, "profiles");
  EXPECT_EQ(located.digest, entry.manifest);
  entry.reference = "oci-dir:/srv/p:v1";
  EXPECT_EQ(locked_reference(entry, "sub/pgo.lock").value().path, "/srv/p");
}

}  // namespace
}  // namespace pgo::versions_test
