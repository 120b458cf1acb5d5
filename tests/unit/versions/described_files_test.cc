// describe_files() with reports of conversions: whichever comes first, the version is the same.
#include "pgo/versions/described_files.h"

#include <gtest/gtest.h>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "tests/data/released_elf.h"
#include "tests/data/temporary_files.h"

namespace pgo::described_files_test {
namespace {

constexpr const char* kLlvm = "main:1000:10\n 1: 100\n 2: 100\n";

class DescribedFilesTest : public test::TemporaryFiles {
 protected:
  // A report of a conversion that used so many samples of these binaries and made kLlvm.
  std::string report(const std::string& name, const std::string& used,
                     const std::string& binaries) const {
    return write(name, R"({"evidence": "branch-records", "quality": "good", "samples": {"seen": 9,
"used": )" + used + R"(, "dropped": {}}, "branches": {"seen": 9, "used": 9, "dropped": {}},
"binaries": [)" + binaries +
                           R"(], "outputs": [{"path": "x", "digest": ")" +
                           Sha256::digest_of(as_bytes(std::string_view(kLlvm))) +
                           R"(", "quality": "good"}]})");
  }
  static Result<DescribedFiles> describe(const std::vector<std::string>& files) {
    DescriptionRequest request;
    request.files = files;
    return describe_files(request);
  }
  std::string error_of(const std::vector<std::string>& files) const {
    const Result<DescribedFiles> described = describe(files);
    return described ? "described" : text_of(described.error());
  }
};

constexpr const char* kA = R"({"path": "/bin/a", "build_id": "0102030405060708"})";
constexpr const char* kB = R"({"path": "/bin/b", "build_id": "0909090909090909"})";

TEST_F(DescribedFilesTest, RefusesReportsThatDisagree) {
  const std::string profile = write("s.proftext", kLlvm), one = report("one.json", "8", kA),
                    other = report("other.json", "9", kA);
  EXPECT_EQ(describe({profile, one}).value().version.files[0].samples, 8u);
  const std::string advice =
      ": contradict each other about s.proftext; push only the report of its conversion";
  EXPECT_EQ(error_of({profile, one, other}), "one.json and other.json" + advice);
  EXPECT_EQ(error_of({other, one, profile}), "other.json and one.json" + advice);
  const std::string of_more = report("more.json", "8", std::string(kA) + ", " + kB);
  EXPECT_EQ(error_of({profile, one, of_more}), "one.json and more.json" + advice);
}

TEST_F(DescribedFilesTest, TakesReportsThatAgreeInAnyOrder) {
  const std::string profile = write("s.proftext", kLlvm),
                    one = report("one.json", "8", std::string(kA) + ", " + kB),
                    other = report("other.json", "8", std::string(kB) + ", " + kA);
  const ProfileVersion version = describe({profile, one, other}).value().version;
  EXPECT_EQ(version.files[0].of_builds,
            (std::vector<std::string>{"0102030405060708", "0909090909090909"}));
  EXPECT_EQ(describe({other, one, profile}).value().version, version);
}

TEST_F(DescribedFilesTest, KnowsLibrariesOfTheRequestThatWereRecorded) {
  DescriptionRequest request;
  request.files = {write("s.proftext", kLlvm),
                   report("one.json", "8", std::string(kA) + ", " + kB)};
  request.libraries = {"0909090909090909", "0808080808080808"};
  const ProfileVersion version = describe_files(request).value().version;
  EXPECT_EQ(version.files[0].of_libraries, std::vector<std::string>{"0909090909090909"});
  EXPECT_TRUE(version.files[1].of_libraries.empty());  // the report
}

// Of inferred counts, a report has the samples of each binary.
TEST_F(DescribedFilesTest, CountsTheSamplesOfTheBinaryThatABoltProfileIsFor) {
  const std::string fdata = "1 main 0 1 main 4 0 7\n";
  const std::string profile = write("a.fdata", fdata);
  auto samples_by = [&](const std::string& binaries) {
    const std::string text =
        R"({"evidence": "pc-samples", "quality": "good", "samples": {"seen": 9, "used": 8, )"
        R"("dropped": {}}, "branches": {"seen": 0, "used": 0, "dropped": {}}, "binaries": [)" +
        binaries + R"(], "outputs": [{"path": "x", "digest": ")" +
        Sha256::digest_of(as_bytes(fdata)) + R"(", "quality": "good", "binary": "a"}]})";
    return describe({profile, write("a.json", text)}).value().version.files[0].samples;
  };
  const std::string own = R"({"path": "a", "build_id": "0102030405060708", "traces": 2)",
                    other = R"(, {"path": "b", "build_id": "0909090909090909", "traces": 2)";
  EXPECT_EQ(samples_by(own + R"(, "samples": 3})" + other + R"(, "samples": 5})"), 3u);
  EXPECT_EQ(samples_by(own + "}" + other + "}"), std::nullopt) << "branch records of both";
  EXPECT_EQ(samples_by(own + "}"), 8u);
}

// The report of its conversion names the binary that a BOLT profile is for. The recorded build is
// of the same library, without a word of its own.
TEST_F(DescribedFilesTest, KnowsTheLibraryOfABoltProfileByTheReport) {
  const std::string fdata = "1 step 0 1 step 4 0 7\n", profile = write("q.fdata", fdata),
                    build = write("q.prebolt", Bytes(test::elf_of({})));
  auto report_of = [&](const std::string& path) {
    return write(
        "q.json",
        R"({"evidence": "branch-records", "quality": "good", "samples": {"seen": 9, )"
        R"("used": 8, "dropped": {}}, "branches": {"seen": 9, "used": 9, "dropped": {}}, )"
        R"("binaries": [)" +
            std::string(kB) + R"(, {"path": ")" + path +
            R"(", "build_id": "0102030405060708"}], "outputs": [{"path": "x", "digest": ")" +
            Sha256::digest_of(as_bytes(fdata)) + R"(", "quality": "good", "binary": ")" + path +
            R"("}]})");
  };
  using Libraries = std::vector<std::string>;  // of the profile and of the build
  auto libraries_by = [&](const std::string& path, const std::vector<std::string>& named) {
    DescriptionRequest request;
    request.files = {profile, build, report_of(path)};
    request.library_files = named;
    const Result<DescribedFiles> described = describe_files(request);
    if (!described) return Libraries{text_of(described.error())};
    const ProfileVersion& version = described->version;
    Libraries libraries;
    for (const auto& [kind, entry] : described->diagnostics.entries())
      if (kind == "unknown-binary") libraries.push_back(entry.messages[0]);
    for (const FileKind kind : {FileKind::kBolt, FileKind::kPrebolt})
      for (const ProfileFile& file : version.files)
        if (file.kind == kind) libraries.push_back(file.library);
    return libraries;
  };
  EXPECT_EQ(libraries_by("/opt/queryd/libquery.so.1.2", {}),
            (Libraries{"libquery.so", "libquery.so"}));
  EXPECT_EQ(libraries_by("libquery.so.debug", {}), (Libraries{"libquery.so", "libquery.so"}));
  EXPECT_EQ(libraries_by("/opt/queryd/queryd", {}), (Libraries{"", ""}));
  EXPECT_EQ(libraries_by("/opt/queryd/libquery.so", {profile + "="}), (Libraries{"", ""}));
  EXPECT_EQ(libraries_by("libquery.so", {profile + "=libone.so"}),
            (Libraries{"libone.so", "libone.so"}));
  EXPECT_EQ(libraries_by("libquery.so", {build + "=libone.so"}),
            (Libraries{"libone.so", "libone.so"}));
  EXPECT_EQ(libraries_by("libquery.so.prebolt", {}), (Libraries{"libquery.so", "libquery.so"}));
  EXPECT_EQ(libraries_by("libquery.so", {profile + "=libone.so", build + "="}),
            Libraries{"q.fdata and q.prebolt are of the same build (0102030405060708), and "
                      "\xFF{library} names different binaries for them; "});
  // Archives name a file by its build ID.
  const std::string archived = "/srv/builds/.build-id/01/02030405060708";
  EXPECT_EQ(
      libraries_by(archived, {}),
      (Libraries{profile + ": its report names its binary only by build ID (0102030405060708), "
                           "so it is taken for the program's; if it is of a shared library, say so "
                           "with \xFF{library} FILE=NAME",
                 "", ""}));
  EXPECT_EQ(libraries_by(archived, {build + "=libone.so"}), (Libraries{"libone.so", "libone.so"}));
}

TEST_F(DescribedFilesTest, RefusesTwoProfilesForOneCompiler) {
  const std::string one = write("a.prof", kLlvm), other = write("b.proftext", kLlvm);
  EXPECT_EQ(error_of({one, other}),
            "a.prof and b.proftext are both profiles for clang; a build can use only one; push "
            "each as a version of its own, or make one profile of all recordings with pgo convert");
  const std::string generation = write("a.generation-1.prof", kLlvm);
  EXPECT_EQ(error_of({one, generation}), "described");
}

TEST_F(DescribedFilesTest, WarnsOfAVersionWithoutAProfile) {
  const std::string alone = report("one.json", "8", kA);
  const DescribedFiles described = describe({alone}).value();
  ASSERT_EQ(described.diagnostics.entries().size(), 1u);
  EXPECT_EQ(described.diagnostics.entries().at("no-profile").messages,
            std::vector{"the version has no profile, only " + alone +
                        ", so builds cannot use it; push the profile, too"});
}

TEST_F(DescribedFilesTest, RefusesBoltProfilesThatABuildCannotTellApart) {
  const std::string program = write("a.fdata", "1 main 0 1 main 4 0 7\n"),
                    library = write("lib.so.fdata", "1 step 0 1 step 4 0 7\n");
  EXPECT_EQ(
      error_of({program, library}),
      "a.fdata and lib.so.fdata: are both BOLT profiles of the program, and a build could not "
      "choose between them; leave one out, or name the shared library that one is of with "
      "\xFF{library} FILE=NAME, or the configuration of each with \xFF{configuration} "
      "FILE=WORD");
  DescriptionRequest request;
  request.files = {program, library};
  request.configurations = {library + "=library"};
  EXPECT_TRUE(describe_files(request));
  request.configurations.clear();
  request.library_files = {library + "=libq.so.1"};
  const Result<DescribedFiles> described = describe_files(request);
  ASSERT_TRUE(described) << described.error().message;
  EXPECT_EQ(described->version.files[0].library, "");
  EXPECT_EQ(described->version.files[1].library, "libq.so");
  request.library_files.push_back(program + "=libq.so");
  const Result<DescribedFiles> twice = describe_files(request);
  ASSERT_FALSE(twice);
  EXPECT_EQ(text_of(twice.error()),
            "a.fdata and lib.so.fdata: are both BOLT profiles of libq.so, and a build could not "
            "choose between them; leave one out, or name the configuration of each with "
            "\xFF{configuration} FILE=WORD");
  request.library_files.clear();
  request.bolt_of = "0102030405060708";
  EXPECT_TRUE(describe_files(request)) << "two forms of one profile";
}

// The usual cause: --library names the profile of a library, and not its recorded build.
TEST_F(DescribedFilesTest, RefusesTwoRecordedBuildsOfOneBinary) {
  const std::string program = write("a.prebolt", Bytes(test::elf_of({}))),
                    library = write("b.prebolt", Bytes(test::elf_of({.id = test::kPreboltId})));
  EXPECT_EQ(error_of({program, library}),
            "a.prebolt and b.prebolt: are both recorded builds of the program, and a build could "
            "not choose between them; leave one out, or name the shared library that one is of "
            "with \xFF{library} FILE=NAME, or the configuration of each with "
            "\xFF{configuration} FILE=WORD");
  DescriptionRequest request;
  request.files = {program, library};
  request.library_files = {library + "=libq.so"};
  EXPECT_TRUE(describe_files(request));
}

TEST_F(DescribedFilesTest, RefusesLibrariesOfOtherFiles) {
  DescriptionRequest request;
  request.files = {write("a.fdata", "1 main 0 1 main 4 0 7\n"), write("s.proftext", kLlvm)};
  auto error_of_library = [&](const std::string& text) {
    request.library_files = {text};
    const Result<DescribedFiles> described = describe_files(request);
    return described ? "described" : text_of(described.error());
  };
  for (const std::string text : {"libq.so", "=libq.so", "a.fdata", "a.fdata=a b.so"})
    EXPECT_EQ(error_of_library(text),
              "\xFF{library} " + text + ": FILE=NAME expected, such as q.fdata=libquery.so; ");
  EXPECT_EQ(error_of_library(path("a.fdata") + "="), "described") << "the program";
  EXPECT_EQ(error_of_library("b.fdata=libq.so"),
            "\xFF{library} b.fdata=libq.so: 'b.fdata' is none of the files to push; name it as the "
            "argument does");
  EXPECT_EQ(error_of_library(path("s.proftext") + "=libq.so"),
            "\xFF{library} s.proftext=libq.so: 's.proftext' is not for BOLT, and so not of one "
            "binary only; ");
}

}  // namespace
}  // namespace pgo::described_files_test
