// The table of compiler flags, and which flags of it a build needs. No compiler is run but a script
// that claims to be one.
#include "pgo/flags/flags.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "pgo/base/temporary_directory.h"

namespace pgo::flags_test {
namespace {

constexpr const char* kTable = R"({"flags": [
  {"compiler": "clang", "for": "profilable", "steps": ["compile"], "when": "always",
   "option": "-first", "loss": "one"},
  {"compiler": "clang", "for": "profilable", "steps": ["link"], "when": "bolt",
   "option": "-Wl,relocs", "loss": "two"},
  {"compiler": "clang", "for": "profilable", "steps": ["compile", "link"], "when": "thin-lto",
   "option": "-flto=thin", "loss": "three"},
  {"compiler": "clang", "for": "profile", "steps": ["compile", "lto-link"], "when": "always",
   "option": "-use={profile}", "loss": "four"},
  {"compiler": "clang", "for": "profile", "steps": ["compile", "lto-link"], "when": "always",
   "llvm_option": "hidden", "loss": "five"},
  {"compiler": "clang", "for": "profile", "steps": ["compile"], "when": "without-lto",
   "llvm_option": "icp", "loss": "six"},
  {"compiler": "clang", "for": "profile", "steps": ["compile"], "when": "on-request",
   "llvm_option": "rare", "loss": "seven"},
  {"compiler": "gcc", "for": "profilable", "steps": ["compile"], "when": "always",
   "option": "-g1", "loss": "eight"}
]})";

std::string joined(const std::vector<ChosenFlag>& flags) {
  std::string text;
  for (const ChosenFlag& flag : flags)
    for (const std::string& word : flag.words) text += (text.empty() ? "" : " ") + word;
  return text;
}

FlagsResult select(const FlagsRequest& request, const std::vector<std::string>& unknown = {},
                   CompilerFamily family = CompilerFamily::kClang) {
  return select_flags(parse_flag_table(kTable).value(), {"cc", "22.1", family}, request, unknown);
}

TEST(Flags, OfAProfilableBuild) {
  FlagsResult flags = select({});
  EXPECT_EQ(joined(flags.compile), "-first");
  EXPECT_EQ(joined(flags.link), "");
  EXPECT_EQ(joined(select({.bolt = true}).link), "-Wl,relocs");
  EXPECT_EQ(joined(select({}, {}, CompilerFamily::kGcc).compile), "-g1");
}

TEST(Flags, OfABuildThatUsesAProfile) {
  FlagsResult flags = select({.profile = "a b.prof"});
  EXPECT_EQ(joined(flags.compile), "-first -use=a b.prof -mllvm -hidden -mllvm -icp");
  EXPECT_EQ(joined(flags.link), "");
  EXPECT_EQ(flags.compile.back().loss, "six");
}

TEST(Flags, WithThinLtoTheLinkerGetsThemAsWell) {
  FlagsResult flags = select({.profile = "p", .thin_lto = true});
  EXPECT_EQ(joined(flags.compile), "-first -flto=thin -use=p -mllvm -hidden");
  EXPECT_EQ(joined(flags.link), "-flto=thin -use=p -Wl,-plugin-opt=-hidden");
}

TEST(Flags, ThatTheCompilerDoesNotKnowAreLeftOutEverywhere) {
  FlagsResult flags = select({.profile = "p", .thin_lto = true}, {"-mllvm -hidden"});
  EXPECT_EQ(joined(flags.compile), "-first -flto=thin -use=p");
  EXPECT_EQ(joined(flags.link), "-flto=thin -use=p");
  EXPECT_EQ(joined(flags.unknown), "-mllvm -hidden");
}

TEST(Flags, EmbeddedTableIsSound) {
  Result<std::vector<CompilerFlag>> table = compiler_flags();
  ASSERT_TRUE(table) << table.error().message;
  std::vector<std::string> texts;
  for (const CompilerFlag& flag : *table)
    texts.push_back(std::string(family_name(flag.compiler)) + " " + flag.text());
  for (const char* text : {"clang -fprofile-sample-use={profile}", "clang -mllvm -icp-lto",
                           "gcc -fauto-profile={profile}"})
    EXPECT_NE(std::find(texts.begin(), texts.end(), text), texts.end()) << text;
  std::sort(texts.begin(), texts.end());
  EXPECT_EQ(std::adjacent_find(texts.begin(), texts.end()), texts.end()) << "a flag is there twice";
}

TEST(FlagTable, NamesWhatIsWrong) {
  auto error_of = [](const std::string& json) { return parse_flag_table(json).error().message; };
  const std::string flag =
      R"({"compiler": "clang", "for": "profile", "steps": ["compile"], "when": "always",)"
      R"( "option": "-x", "loss": "y"})";
  auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = flag;
    changed.replace(changed.find(from), from.size(), to);
    return R"({"flags": [)" + flag + "," + changed + "]}";
  };
  const std::string where = "the table of compiler flags: ";
  EXPECT_TRUE(parse_flag_table(with("-x", "-z")));
  EXPECT_EQ(error_of("[]"), where + "has no list \"flags\"");
  EXPECT_EQ(error_of(R"({"flags": [1]})"), where + "flag 1 is not an object");
  EXPECT_EQ(error_of(with("clang", "icc")), where + "flag 2: \"compiler\" is wrong or missing");
  EXPECT_EQ(error_of(with("\"profile\"", "1")), where + "flag 2: \"for\" is wrong or missing");
  EXPECT_EQ(error_of(with("[\"compile\"]", "[]")), where + "flag 2: \"steps\" is wrong or missing");
  EXPECT_EQ(error_of(with("always", "never")), where + "flag 2: \"when\" is wrong or missing");
  EXPECT_EQ(error_of(with("\"y\"", "\"\"")), where + "flag 2: \"loss\" is wrong or missing");
  EXPECT_EQ(error_of(with("\"option\"", "\"opiton\"")),
            where + "flag 2: \"option\" is wrong or missing");
}

// A program that says what it is and takes all options but -fpseudo-probe-for-profiling.
class FakeCompiler {
 public:
  explicit FakeCompiler(const std::string& version)
      : directory_(TemporaryDirectory::make().value()) {
    std::ofstream(directory_.file("cc"))
        << "#!/bin/sh\ncase \"$*\" in\n*fpseudo-probe*) exit 1 ;;\n"
        << "--version) echo '" << version << "' ;;\n-dumpfullversion) echo 12.2.0 ;;\nesac\n";
    std::filesystem::permissions(directory_.file("cc"), std::filesystem::perms::owner_all);
  }
  std::string program() const { return directory_.file("cc"); }
  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_.file(name)) << text;
    return directory_.file(name);
  }

 private:
  TemporaryDirectory directory_;
};

TEST(ChooseFlags, TriesTheCompiler) {
  FakeCompiler clang("clang version 22.1.8");
  FlagsResult flags = choose_flags({.compiler = clang.program(), .search_path = ""}).value();
  EXPECT_EQ(flags.compiler.version, "22.1.8");
  EXPECT_EQ(flags.compiler.family, CompilerFamily::kClang);
  EXPECT_EQ(joined(flags.unknown), "-fpseudo-probe-for-profiling");
  EXPECT_EQ(joined(flags.compile),
            "-gline-tables-only -fdebug-info-for-profiling -funique-internal-linkage-names "
            "-ffunction-sections -mllvm -pick-merged-source-locations -mllvm -trap-unreachable");
  EXPECT_EQ(joined(flags.link), "-Wl,--build-id=sha1");
}

TEST(ChooseFlags, DoesNotReadAProfileThatTheBuildMakes) {
  FakeCompiler clang("clang version 22.1.8");
  FlagsRequest request{.compiler = clang.program(), .profile = "later/p.prof"};
  EXPECT_FALSE(choose_flags(request));
  request.profile_exists = false;
  FlagsResult flags = choose_flags(request).value();
  EXPECT_NE(joined(flags.compile).find("-fprofile-sample-use=later/p.prof"), std::string::npos);
}

TEST(ChooseFlags, SaysWhatIsWrong) {
  auto error_of = [](const FlagsRequest& request) {
    Result<FlagsResult> result = choose_flags(request);
    return result ? "no error" : result.error().message + "; " + result.error().advice;
  };
  FakeCompiler gcc("gcc (Debian) 12.2.0");
  const std::string program = gcc.program();
  EXPECT_EQ(error_of({.compiler = "nowhere", .search_path = ""}),
            "\xFF{compiler} nowhere: there is no such program; ");
  EXPECT_EQ(error_of({.compiler = program, .thin_lto = true}),
            program + " is GCC, which has no ThinLTO; leave out \xFF{thin-lto}, or name a clang");
  std::string profile = gcc.write("p.proftext", "main:1:1\n 1: 1\n");
  EXPECT_EQ(error_of({.compiler = program, .profile = profile}),
            profile + ": is an LLVM sample profile, which " + program +
                " does not read; convert the recordings with \xFF{output} FILE.afdo, for GCC");
  EXPECT_EQ(error_of({.compiler = "true", .search_path = "/usr/bin:/bin"}).substr(0, 5), "/usr/");
}

}  // namespace
}  // namespace pgo::flags_test
