#include "pgo/cli/arguments/output_argument.h"

#include <gtest/gtest.h>

namespace pgo::output_argument_test {
namespace {

OutputSpec parsed(std::string_view argument) {
  Result<OutputSpec> output = parse_output(argument);
  EXPECT_TRUE(output) << argument;
  return output ? *output : OutputSpec{};
}

TEST(OutputArgument, TheExtensionOrThePrefixIsTheFormat) {
  EXPECT_EQ(parsed("a/x.prof").format, Format::kLlvm);
  EXPECT_EQ(parsed("x.proftext").format, Format::kLlvmText);
  EXPECT_EQ(parsed("x.fdata").format, Format::kFdata);
  EXPECT_EQ(parsed("x.preagg").format, Format::kPreaggregated);
  EXPECT_EQ(parsed("x.addr").format, Format::kAddressProfile);
  EXPECT_TRUE(parsed("addr:-").format == Format::kAddressProfile);
  EXPECT_EQ(parsed("x.afdo").format, Format::kGcc);
  EXPECT_EQ(parsed("gcc:x").format, Format::kGcc);
  EXPECT_EQ(parsed("gcc-13:x.afdo").format, Format::kGcc13);
  EXPECT_EQ(parsed("gcc-13:x.afdo").path, "x.afdo");
  EXPECT_EQ(parsed("llvm-binary:x.prof").format, Format::kLlvmBinary);
  EXPECT_EQ(parsed("llvm-binary:x.prof").path, "x.prof");
  EXPECT_EQ(parsed("preagg:-").path, "-");
  EXPECT_TRUE(merges_binaries(parsed("x.prof").format));
  EXPECT_TRUE(merges_binaries(parsed("x.afdo").format));
  EXPECT_TRUE(is_llvm_profile(parsed("x.prof").format));
  EXPECT_FALSE(is_llvm_profile(parsed("x.afdo").format));
  EXPECT_FALSE(merges_binaries(parsed("x.fdata").format));
}

TEST(OutputArgument, CommandsWriteTheirOwnFormats) {
  auto merged = [](std::string_view argument) { return parse_output(argument, FormatUse::kMerge); };
  EXPECT_EQ(merged("x.pb.gz")->format, Format::kPprof);
  EXPECT_EQ(merged("x.pb")->format, Format::kPprofPlain);
  EXPECT_EQ(merged("pprof:-")->path, "-");
  EXPECT_EQ(parse_output("x.pb.gz")->format, Format::kPprof);
  EXPECT_EQ(parse_output("pprof-plain:x")->format, Format::kPprofPlain);
  EXPECT_EQ(merged("x.folded")->format, Format::kFolded);
  EXPECT_EQ(merged("default.pgo")->format, Format::kGo);
  EXPECT_EQ(merged("x.addr")->format, Format::kAddressProfile);
  EXPECT_EQ(merged("x.prof")->format, Format::kLlvm);
  EXPECT_EQ(merged("x.preagg").error(),
            (Error{ErrorKind::kUsage,
                   "-o x.preagg: pgo convert writes this format (traces for perf2bolt -pa), pgo "
                   "merge these:\n" +
                       output_formats_help(FormatUse::kMerge)}));
  EXPECT_EQ(parse_output("go:x").error(),
            (Error{ErrorKind::kUsage,
                   "-o go:x: pgo merge writes this format (default.pgo for go build -pgo), pgo "
                   "convert these:\n" +
                       output_formats_help()}));
}

TEST(OutputArgument, SeveralAreParsedInTheirOrder) {
  Result<std::vector<OutputSpec>> outputs = parse_outputs({"b.json", "a.md"}, FormatUse::kDiff);
  ASSERT_TRUE(outputs);
  ASSERT_EQ(outputs->size(), 2u);
  EXPECT_EQ((*outputs)[0].format, Format::kJson);
  EXPECT_EQ((*outputs)[1].path, "a.md");
  EXPECT_EQ(parse_outputs({"a.md", "llvm:"}, FormatUse::kDiff).error(),
            (Error{ErrorKind::kUsage, "-o llvm:: the path is missing"}));
}

TEST(OutputArgument, EachPlannedFileNamesItsOption) {
  const OutputArguments arguments{.outputs = {"json:b"}, .report = "r", .json = true};
  std::string planned;
  for (const PlannedFile& file : planned_files(arguments, {{Format::kJson, "b"}}))
    planned += file.path + " by " + file.asked_by + "\n";
  EXPECT_EQ(planned, "b by -o json:b\nr by --report r\n- by --json\n");
  EXPECT_TRUE(planned_files({}, {}).empty());
}

TEST(OutputArgument, SaysWhatIsMissing) {
  EXPECT_EQ(parse_output("llvm:").error(),
            (Error{ErrorKind::kUsage, "-o llvm:: the path is missing"}));
  EXPECT_EQ(parse_output("profile").error(),
            (Error{ErrorKind::kUsage,
                   "-o profile: which format? Use a known extension or FORMAT:PATH:\n" +
                       output_formats_help()}));
}

}  // namespace
}  // namespace pgo::output_argument_test
