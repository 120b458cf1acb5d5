// Versions as inputs: which file of which version an argument means.
#include "pgo/versions/version_input.h"

#include <gtest/gtest.h>

#include "pgo/base/sha256.h"
#include "pgo/registry/oci_layout.h"
#include "pgo/source/bundle.h"
#include "pgo/versions/pin.h"
#include "pgo/versions/push.h"
#include "tests/data/layout_opener.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::version_input_test {
namespace {

namespace fs = std::filesystem;
using test::open_layout;

constexpr const char* kLlvm = "main:1000:10\n 1: 100\n 2: 100\n";
constexpr const char* kFdata = "1 main 0 1 work 4 0 7\n";
const std::vector<FileKind> kOfCompilers = {FileKind::kLlvm, FileKind::kGcc};

ProfileFile file(FileKind kind, const std::string& name, const std::string& configuration = "") {
  ProfileFile one;
  one.kind = kind;
  one.name = name;
  one.configuration = configuration;
  return one;
}

VersionInput parsed(const std::string& argument) {
  Result<std::optional<VersionInput>> input = parse_version_input(argument);
  EXPECT_TRUE(input && *input) << argument;
  return input && *input ? **input : VersionInput();
}

std::string error_of(const Error& error) {
  return error.message + (error.advice.empty() ? "" : "; " + error.advice);
}

// The name of the file that is chosen, or the error.
std::string chosen(const std::string& argument, const std::vector<FileKind>& kinds,
                   const std::vector<ProfileFile>& files) {
  Result<ProfileFile> result = choose_file(parsed(argument), kinds, files);
  return result ? result->name : error_of(result.error());
}

TEST(VersionInput, TakesConditionsApart) {
  VersionInput input = parsed("oci-dir:p:week-48#kind=llvm,host=web-*,file=a.prof,zone=a");
  EXPECT_EQ(input.text, "oci-dir:p:week-48");
  EXPECT_EQ(input.reference->tag, "week-48");
  EXPECT_EQ(input.kind, "llvm");
  EXPECT_EQ(input.file, "a.prof");
  EXPECT_EQ(input.others, "host=web-*,zone=a");

  input = parsed("missing/pgo.lock#server,configuration=clang-lto");
  EXPECT_EQ(input.text, "missing/pgo.lock#server");
  EXPECT_EQ(input.lock, "missing/pgo.lock");
  EXPECT_EQ(input.name, "server");
  EXPECT_EQ(input.configuration, "clang-lto");
}

TEST(VersionInput, RefusesWrongReferencesAndKinds) {
  EXPECT_FALSE(parse_version_input("oci://host"));
  const auto input = parse_version_input("oci-dir:p:t#kind=clang");
  ASSERT_FALSE(input);
  EXPECT_EQ(
      input.error().message,
      "oci-dir:p:t: 'clang' is not a kind of file; the kinds are llvm, gcc, bolt, go, prebolt, "
      "report, address, pprof, bundle, summary, generation, other");
}

TEST(VersionInput, ChoosesOneFile) {
  const std::vector<ProfileFile> files = {
      file(FileKind::kLlvm, "server.prof"), file(FileKind::kBolt, "a.fdata", "clang"),
      file(FileKind::kBolt, "b.fdata", "gcc"), file(FileKind::kReport, "report.json")};
  EXPECT_EQ(chosen("oci-dir:p:t", kOfCompilers, files), "server.prof");
  EXPECT_EQ(chosen("oci-dir:p:t#configuration=gcc", {FileKind::kBolt}, files), "b.fdata");
  EXPECT_EQ(chosen("oci-dir:p:t#kind=report", kOfCompilers, files), "report.json");
  EXPECT_EQ(chosen("oci-dir:p:t#file=a.fdata", kOfCompilers, files), "a.fdata");
  EXPECT_EQ(chosen("oci-dir:p:t", {FileKind::kAddress, FileKind::kPprof}, files),
            "oci-dir:p:t: has no file of a kind that is read here (address, pprof): "
            "server.prof (llvm), a.fdata (bolt, clang), b.fdata (bolt, gcc), report.json (report); "
            "push address or pprof profiles, too; 'pgo lock diff' compares what is for compilers");
  EXPECT_EQ(chosen("oci-dir:p:t#kind=bolt", kOfCompilers, files),
            "oci-dir:p:t: has several files with kind=bolt: a.fdata (bolt, clang), b.fdata (bolt, "
            "gcc); choose one: 'oci-dir:p:t#file=a.fdata', say");
  EXPECT_EQ(chosen("x.lock#server", {FileKind::kBolt}, files),
            "x.lock#server: has several files of a kind that is read here (bolt): a.fdata (bolt, "
            "clang), b.fdata (bolt, gcc); choose one: 'x.lock#server,file=a.fdata', say");
}

TEST(VersionInput, BoltProfilesAreForOneBinary) {
  std::vector<ProfileFile> files = {
      file(FileKind::kLlvm, "q.prof"), file(FileKind::kBolt, "q.fdata"),
      file(FileKind::kBolt, "q.liba.so.fdata"), file(FileKind::kBolt, "q.plugin.fdata")};
  files[2].library = "liba.so";
  files[3].library = "plugin";
  auto names = [&](const std::string& binary) {
    std::string text;
    for (const ProfileFile& one : files_for_binary(binary, files)) text += one.name + " ";
    return text;
  };
  EXPECT_EQ(names("q"), "q.prof q.fdata ");
  EXPECT_EQ(names("liba.so.1.2"), "q.prof q.liba.so.fdata ");
  EXPECT_EQ(names("plugin"), "q.prof q.plugin.fdata ");
  EXPECT_EQ(names("libb.so"), "q.prof ");
}

class VersionInputTest : public test::TemporaryFiles {
 protected:
  void SetUp() override {
    test::TemporaryFiles::SetUp();
    PushRequest request;
    request.files.files = {write("s.proftext", kLlvm), write("s.fdata", kFdata)};
    request.to = {RegistryReference::Kind::kLayout, "", path("p"), "t", ""};
    request.open = open_layout;
    const Result<PushResult> pushed = push(request);
    ASSERT_TRUE(pushed) << error_of(pushed.error());
    reference_ = "oci-dir:" + path("p") + ":t";
    version_ = reference_ + "@" + pushed->digest;
  }

  Result<PulledInput> pull_of(const std::string& argument) {
    return pull_input({parsed(argument), kOfCompilers, open_layout, path("cache")});
  }

  std::string reference_, version_;
};

TEST_F(VersionInputTest, PullsOnlyTheChosenFile) {
  const Result<PulledInput> input = pull_of(reference_);
  ASSERT_TRUE(input) << error_of(input.error());
  EXPECT_EQ(input->version, version_);
  EXPECT_EQ(input->file.file.name, "s.proftext");
  size_t blobs = 0;
  for (const auto& blob : fs::directory_iterator(path("cache/blobs/sha256")))
    blobs += blob.is_regular_file();
  EXPECT_EQ(blobs, 1u);
}

TEST_F(VersionInputTest, SaysThatNoBoltProfileIsOfTheLibrary) {
  auto pulled = [&](const std::string& conditions) {
    const Result<PulledInput> input = pull_input({parsed(reference_ + conditions),
                                                  {FileKind::kBolt},
                                                  open_layout,
                                                  path("cache"),
                                                  "libq.so.1"});
    return input ? input->file.file.name : error_of(input.error());
  };
  EXPECT_EQ(pulled(""),
            reference_ +
                ": has no BOLT profile of libq.so.1: s.proftext (llvm), s.fdata (bolt); "
                "push it with \xFF{library} FILE=NAME, or choose one of another binary "
                "with file=");
  EXPECT_EQ(pulled("#file=s.fdata"), "s.fdata");
}

// Of the program and of libq.so, whose recorded build has the configuration `of_library`; pinned in
// pgo.lock as "bolted".
class RecordedBuildOfVersionTest : public test::TemporaryFiles {
 protected:
  void push_and_pin(const std::string& of_library) {
    PushRequest request;
    request.files.files = {write("s.fdata", kFdata), write("q.fdata", "1 step 0 1 step 4 0 7\n"),
                           write("s.prebolt", Bytes(test::elf_of({}))),
                           write("q.prebolt", Bytes(test::elf_of({.id = test::kPreboltId})))};
    request.files.library_files = {path("q.fdata") + "=libq.so", path("q.prebolt") + "=libq.so"};
    request.files.configurations = {path("s.fdata") + "=clang", path("s.prebolt") + "=clang",
                                    path("q.fdata") + "=clang",
                                    path("q.prebolt") + "=" + of_library};
    request.to = {RegistryReference::Kind::kLayout, "", path("bolted"), "t", ""};
    request.open = open_layout;
    const Result<PushResult> pushed = push(request);
    ASSERT_TRUE(pushed) << error_of(pushed.error());
    ASSERT_TRUE(pin({"bolted", request.to, path("pgo.lock"), {}, open_layout}));
  }

  std::string build_of(const std::string& argument, const std::string& binary) {
    const VersionInputRequest request{
        parsed(argument), {FileKind::kBolt}, open_layout, path("cache"), binary};
    const Result<PulledInput> profile = pull_input(request);
    if (!profile) return error_of(profile.error());
    const Result<std::optional<PulledInput>> build = pull_recorded_build(request, *profile);
    if (!build) return error_of(build.error());
    return *build ? (*build)->file.file.name : "none";
  }
};

TEST_F(RecordedBuildOfVersionTest, IsOfTheBinaryAndConfigurationOfTheBoltProfile) {
  push_and_pin("clang");
  const std::string reference = "oci-dir:" + path("bolted") + ":t", lock = path("pgo.lock#bolted");
  EXPECT_EQ(build_of(reference, "server"), "s.prebolt");
  EXPECT_EQ(build_of(reference, "libq.so.2"), "q.prebolt");
  EXPECT_EQ(build_of(lock, "server"), "s.prebolt");
  EXPECT_EQ(build_of(lock + ",file=q.fdata", "server"), "q.prebolt");
  fs::remove_all(path("bolted"));
  EXPECT_EQ(build_of(lock, "libq.so"), "q.prebolt") << "from the cache";

  push_and_pin("gcc");
  EXPECT_EQ(build_of(reference, "libq.so"), "none");
  EXPECT_EQ(build_of(lock, "libq.so"), "none");
  EXPECT_EQ(build_of(lock, "server"), "s.prebolt");
}

// pgo push refuses that, but a lock file may be written otherwise.
TEST_F(RecordedBuildOfVersionTest, MustBeTheOnlyOne) {
  push_and_pin("clang");
  std::ifstream file(path("pgo.lock"));
  std::string text{std::istreambuf_iterator<char>(file), {}};
  for (size_t at; (at = text.find("libq.so")) != text.npos;) text.replace(at, 7, "libs.so");
  const size_t of_program = text.find("\"s.prebolt\"");
  ASSERT_NE(of_program, text.npos) << text;
  text.insert(of_program + 11, ", \"library\": \"libs.so\"");
  write("pgo.lock", text);
  const std::string lock = path("pgo.lock#bolted");
  EXPECT_EQ(build_of(lock, "libs.so"),
            lock +
                ": has several recorded builds of q.fdata: q.prebolt (prebolt, clang, libs.so), "
                "s.prebolt (prebolt, clang, libs.so); push only one, or name it with \xFF{stale}");
}

TEST_F(VersionInputTest, BundlesNameTheVersion) {
  const Result<PulledInput> input = pull_of(reference_);
  ASSERT_TRUE(input);
  const Result<std::string> placed = place_input(*input, path("placed"), Placement::kBundle);
  ASSERT_TRUE(placed);
  EXPECT_EQ(*placed, path("placed"));
  const Result<std::optional<Bundle>> bundle = read_bundle(*placed);
  ASSERT_TRUE(bundle && *bundle);
  EXPECT_EQ((*bundle)->sources, std::vector<std::string>{version_});
  ASSERT_EQ((*bundle)->members.size(), 1u);
  EXPECT_EQ((*bundle)->members[0].path, "s.proftext");
  EXPECT_EQ((*bundle)->members[0].digest, input->file.file.digest);
  EXPECT_EQ((*bundle)->members[0].source, version_);
}

TEST_F(VersionInputTest, LockFilesNeedNoRegistryForWhatIsCached) {
  PinRequest request{"server", *parse_reference(reference_), path("pgo.lock"), {}, open_layout};
  ASSERT_TRUE(pin(request));
  ASSERT_TRUE(pull_of(path("pgo.lock#server")));
  fs::remove_all(path("p"));
  const Result<PulledInput> input = pull_of(path("pgo.lock#server"));
  ASSERT_TRUE(input) << error_of(input.error());
  EXPECT_TRUE(input->file.was_cached);
  EXPECT_NE(input->version.find(version_.substr(version_.find('@'))), std::string::npos);
  const Result<PulledInput> other = pull_of(path("pgo.lock#other"));
  ASSERT_FALSE(other);
  EXPECT_EQ(error_of(other.error()), path("pgo.lock") +
                                         ": has no profile other; 'pgo pin other REFERENCE' adds "
                                         "one");
}

TEST_F(VersionInputTest, FilesWin) {
  for (const char* name : {"a.lock#server", "b#x"}) {
    const Result<std::optional<VersionInput>> input = parse_version_input(write(name, "{"));
    ASSERT_TRUE(input);
    EXPECT_FALSE(*input) << name;
  }
  // Recordings with conditions on labels, and without.
  write("trace.data", "PERFILE2");
  for (const char* name : {"trace.data#x", "trace.data#host=a", "none#x"}) {
    const Result<std::optional<VersionInput>> input = parse_version_input(path(name));
    ASSERT_TRUE(input);
    EXPECT_FALSE(*input) << name;
  }
}

}  // namespace
}  // namespace pgo::version_input_test
