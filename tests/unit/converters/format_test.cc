// The table of formats: each contents below is of one format, and no row contradicts another.
#include "converters/format.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/data/elf_builder.h"
#include "tests/data/perf_data_builder.h"

namespace pgo::test::format_test {
namespace {

std::string name_of(std::string_view contents) {
  std::optional<Format> format =
      detect_format({reinterpret_cast<const uint8_t*>(contents.data()), contents.size()});
  return format ? std::string(info_of(*format).name) : "none";
}

TEST(FormatTable, DetectsByContents) {
  EXPECT_EQ(name_of(as_text(PerfDataBuilder().event({}).file())), "perf.data recording");
  EXPECT_EQ(name_of(as_text(ElfBuilder().finish())), "ELF file");
  EXPECT_EQ(name_of("mode lbr\n"), "none");
  EXPECT_EQ(name_of("main:30:1\n 1: 10\n 2: 20\n"), "LLVM sample profile");
  EXPECT_EQ(name_of("1 main 10 1 work 0 0 20\n"), "BOLT profile (fdata)");
  EXPECT_EQ(name_of("T 1208 1204 1208 10\n"), "pre-aggregated traces");
  EXPECT_EQ(name_of("main;work 10\nmain 3\n"), "folded stacks");
  EXPECT_EQ(name_of(std::string_view("\x0a\x04\x08\x01\x10\x02\x32\x00", 8)), "pprof profile");
  EXPECT_EQ(name_of(""), "none");
  EXPECT_EQ(name_of("ate lunch\n"), "none");
}

TEST(FormatTable, HasEachFormatOnce) {
  std::set<Format> formats;
  std::set<std::string_view> prefixes, extensions;
  for (const FormatInfo& info : all_formats()) {
    EXPECT_TRUE(formats.insert(info.format).second) << info.name;
    EXPECT_EQ(&info_of(info.format), &info);
    const bool is_prefix_taken = !info.prefix.empty() && !prefixes.insert(info.prefix).second;
    EXPECT_FALSE(is_prefix_taken) << info.prefix;
    const bool is_extension_taken =
        !info.extension.empty() && !extensions.insert(info.extension).second;
    EXPECT_FALSE(is_extension_taken) << info.extension;
    // What is written has a prefix and a description, and the other way round.
    EXPECT_EQ(info.output != FormatUse::kNone, !info.prefix.empty()) << info.name;
    EXPECT_EQ(info.output != FormatUse::kNone, !info.description.empty()) << info.name;
    // Only what is detected is read.
    EXPECT_TRUE(info.input == FormatUse::kNone || info.detect != nullptr) << info.name;
  }
  EXPECT_EQ(formats.size(), static_cast<size_t>(Format::kBenchmark) + 1);
}

TEST(FormatTable, KnowsWhichCommandReads) {
  EXPECT_TRUE(is_used_by(FormatUse::kConvertAndMerge, FormatUse::kConvert));
  EXPECT_TRUE(is_used_by(FormatUse::kMerge, FormatUse::kMerge));
  EXPECT_FALSE(is_used_by(FormatUse::kMerge, FormatUse::kConvert));
  EXPECT_FALSE(is_used_by(FormatUse::kNone, FormatUse::kNone));
}

TEST(FormatTable, SaysWhatForeignFilesAre) {
  auto describe = [](std::string_view contents) {
    return describe_foreign_format(
        {reinterpret_cast<const uint8_t*>(contents.data()), contents.size()});
  };
  EXPECT_EQ(describe("!<arch>\n"),
            "is a library archive; name one of the binaries that were linked");
  EXPECT_EQ(describe("#!/bin/sh\n"), "is a script; only binaries have profiles");
  EXPECT_TRUE(describe("ate lunch").starts_with("begins with 'ate lunc', "));
  EXPECT_TRUE(describe(std::string_view("a\0b", 3)).starts_with("begins with 61 00 62, "));
}

}  // namespace
}  // namespace pgo::test::format_test
