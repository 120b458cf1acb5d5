#include "pgo/cli/output_file.h"

#include <gtest/gtest.h>

namespace pgo {
namespace {

OutputFile parsed(std::string_view argument) {
  Result<OutputFile> output = parse_output(argument);
  EXPECT_TRUE(output) << argument;
  return output ? *output : OutputFile{};
}

TEST(OutputFile, TheExtensionOrThePrefixIsTheFormat) {
  EXPECT_EQ(parsed("a/x.prof").format, OutputFormat::kLlvm);
  EXPECT_EQ(parsed("x.proftext").format, OutputFormat::kLlvmText);
  EXPECT_EQ(parsed("x.fdata").format, OutputFormat::kFdata);
  EXPECT_EQ(parsed("x.preagg").format, OutputFormat::kPreaggregated);
  EXPECT_EQ(parsed("x.addr").format, OutputFormat::kAddress);
  EXPECT_TRUE(parsed("addr:-").is_address());
  EXPECT_EQ(parsed("x.afdo").format, OutputFormat::kGcc);
  EXPECT_EQ(parsed("gcc:x").format, OutputFormat::kGcc);
  EXPECT_EQ(parsed("gcc-13:x.afdo").format, OutputFormat::kGcc13);
  EXPECT_EQ(parsed("gcc-13:x.afdo").path, "x.afdo");
  EXPECT_EQ(parsed("llvm-binary:x.prof").format, OutputFormat::kLlvmBinary);
  EXPECT_EQ(parsed("llvm-binary:x.prof").path, "x.prof");
  EXPECT_EQ(parsed("preagg:-").path, "-");
  EXPECT_TRUE(parsed("x.prof").merges_binaries());
  EXPECT_TRUE(parsed("x.afdo").merges_binaries());
  EXPECT_TRUE(parsed("x.prof").is_llvm());
  EXPECT_FALSE(parsed("x.afdo").is_llvm());
  EXPECT_FALSE(parsed("x.fdata").merges_binaries());
}

TEST(OutputFile, CommandsWriteTheirOwnFormats) {
  auto merged = [](std::string_view argument) {
    return parse_output(argument, OutputMaker::kMerge);
  };
  EXPECT_EQ(merged("x.pb.gz")->format, OutputFormat::kPprof);
  EXPECT_EQ(merged("x.pb")->format, OutputFormat::kPprofPlain);
  EXPECT_EQ(merged("pprof:-")->path, "-");
  EXPECT_EQ(merged("x.folded")->format, OutputFormat::kFolded);
  EXPECT_EQ(merged("default.pgo")->format, OutputFormat::kGo);
  EXPECT_EQ(merged("x.addr")->format, OutputFormat::kAddress);
  EXPECT_EQ(merged("x.prof")->format, OutputFormat::kLlvm);
  EXPECT_EQ(merged("x.preagg").error(),
            (Error{ErrorKind::kUsage,
                   "-o x.preagg: pgo convert writes this format (traces for perf2bolt -pa), pgo "
                   "merge these:\n" +
                       output_formats_help(OutputMaker::kMerge)}));
  EXPECT_EQ(parse_output("go:x").error(),
            (Error{ErrorKind::kUsage,
                   "-o go:x: pgo merge writes this format (default.pgo for go build -pgo), pgo "
                   "convert these:\n" +
                       output_formats_help()}));
}

TEST(OutputFile, SaysWhatIsMissing) {
  EXPECT_EQ(parse_output("llvm:").error(),
            (Error{ErrorKind::kUsage, "-o llvm:: the path is missing"}));
  EXPECT_EQ(parse_output("profile").error(),
            (Error{ErrorKind::kUsage,
                   "-o profile: which format? Use a known extension or FORMAT:PATH:\n" +
                       output_formats_help()}));
}

TEST(OutputFile, APathMayNameTheBinary) {
  EXPECT_EQ(path_for_binary("out/%b-%i.fdata", "/srv/bin/server", "0011aabb"),
            "out/server-0011aabb.fdata");
  EXPECT_EQ(path_for_binary("100%.fdata%", "server", ""), "100%.fdata%");
  EXPECT_TRUE(names_binary("x-%i"));
  EXPECT_TRUE(names_binary("%b/x"));
  EXPECT_FALSE(names_binary("100%"));
}

}  // namespace
}  // namespace pgo
