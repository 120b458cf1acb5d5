#include "converters/llvm_sample/llvm_sample_reader.h"

#include <gtest/gtest.h>
#include <llvm/ProfileData/SampleProf.h>

#include "converters/llvm_sample/llvm_sample_writer.h"

namespace pgo::llvm_sample_reader_test {
namespace {

constexpr std::string_view kText =
    "main:1000:1\n"
    " 1: 10\n"
    " 2.3: 20 _Z3barv:15 _Z3foov:5\n"
    " 4: _Z6inlinev:300\n"
    "  1: 300\n"
    "_Z3foov:70:5\n"
    " 0: 7\n";

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string error_of(std::string_view bytes) {
  Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(bytes), "app.prof");
  return file ? "no error" : file.error().message;
}

std::string stored_as(LlvmSampleFormat format) {
  Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(kText), "app.prof");
  EXPECT_TRUE(file.has_value()) << file.error().message;
  Result<std::string> stored = write_llvm_sample(file->profile, format);
  EXPECT_TRUE(stored.has_value()) << stored.error().message;
  return *stored;
}

TEST(LlvmSampleReader, ReadsText) {
  Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(kText), "app.prof");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  EXPECT_EQ(file->format, LlvmSampleFormat::kText);
  EXPECT_FALSE(file->profile.is_probe_based || file->is_context_sensitive ||
               file->names_are_hashes);
  ASSERT_EQ(file->profile.functions().size(), 2u);
  uint64_t total = 0, head = 0;
  std::string names;
  for (const auto& [key, function] : file->profile.functions()) {
    total += function.getTotalSamples();
    head += function.getHeadSamples();
    names += (sample_function_name(function) < "a" ? 1 : 2) == 1 ? "foo " : "main ";
  }
  EXPECT_EQ(total, 1070u);
  EXPECT_EQ(head, 6u);
  EXPECT_EQ(names.size(), 9u);
}

TEST(LlvmSampleReader, EveryFormSaysTheSame) {
  for (LlvmSampleFormat format :
       {LlvmSampleFormat::kText, LlvmSampleFormat::kBinary, LlvmSampleFormat::kExtBinary}) {
    std::string stored = stored_as(format);
    EXPECT_TRUE(is_llvm_sample(bytes_of(stored)));
    Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(stored), "app.prof");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    EXPECT_EQ(file->format, format);
    EXPECT_EQ(file->cutoffs.size(), 16u);
    Result<std::string> text = write_llvm_sample(file->profile, LlvmSampleFormat::kText);
    ASSERT_TRUE(text.has_value()) << text.error().message;
    EXPECT_EQ(*text, kText);
  }
}

TEST(LlvmSampleReader, KeepsFlowSensitivityApart) {
  Result<LlvmSampleFile> plain = read_llvm_sample(bytes_of(kText), "app.prof");
  ASSERT_TRUE(plain.has_value());
  plain->profile.is_flow_sensitive = true;
  Result<std::string> stored = write_llvm_sample(plain->profile, LlvmSampleFormat::kExtBinary);
  ASSERT_TRUE(stored.has_value());
  Result<LlvmSampleFile> flow_sensitive = read_llvm_sample(bytes_of(*stored), "fs.prof");
  ASSERT_TRUE(flow_sensitive.has_value()) << flow_sensitive.error().message;
  EXPECT_TRUE(flow_sensitive->profile.is_flow_sensitive);
  EXPECT_FALSE(read_llvm_sample(bytes_of(kText), "app.prof")->profile.is_flow_sensitive);
}

TEST(LlvmSampleReader, TellsOtherFilesApart) {
  EXPECT_TRUE(is_llvm_sample(bytes_of(kText)));
  EXPECT_TRUE(is_llvm_sample(bytes_of("# a comment\nmain:1:0\n")));
  EXPECT_TRUE(is_llvm_sample(bytes_of(std::string(300'000, 'x') + ":1:0\n")));
  EXPECT_FALSE(is_llvm_sample({}));
  EXPECT_FALSE(is_llvm_sample(bytes_of("hello\n")));
  // LLVM's reader takes these for functions.
  EXPECT_FALSE(is_llvm_sample(bytes_of("4711\n")));
  EXPECT_FALSE(is_llvm_sample(bytes_of("# process\n\n4711\n42\n")));
  EXPECT_FALSE(is_llvm_sample(bytes_of("80:443\n")));
  EXPECT_FALSE(is_llvm_sample(bytes_of("1 main 10 1 main 20 0 5\n")));
  EXPECT_FALSE(is_llvm_sample(bytes_of("T 4010 4020 4030 5\n")));
  EXPECT_FALSE(is_llvm_sample(bytes_of("PERFILE2")));
}

TEST(LlvmSampleReader, SaysWhatIsWrong) {
  EXPECT_EQ(error_of("main:1:0\n one: 5\n"),
            "app.prof:2: Expected 'NUM[.NUM]: NUM[ mangled_name:NUM]*', found  one: 5");
  std::string old = stored_as(LlvmSampleFormat::kExtBinary);
  old[9] = 102;  // the version, behind a magic number of nine bytes
  EXPECT_EQ(error_of(old),
            "app.prof: is an LLVM sample profile of version 102; LLVM 22 reads version 103");
  std::string outside = stored_as(LlvmSampleFormat::kExtBinary);
  EXPECT_EQ(error_of(outside.substr(0, outside.size() - 1)),
            "app.prof: section 3 ends at byte 416 of 415: is this LLVM sample profile cut short?");
  EXPECT_EQ(error_of(outside.substr(0, 30)),
            "app.prof: the table of sections lies outside the file: is this LLVM sample profile "
            "cut short?");
}

// Which LLVM's own reader would not survive.
TEST(LlvmSampleReader, RefusesTextThatNestsTooDeep) {
  std::string text = "f:1:0\n";
  for (unsigned depth = 1; depth <= kMaxInlined; depth++)
    text += std::string(depth, ' ') + "1: f:1\n";
  EXPECT_EQ(error_of(text), "no error");
  EXPECT_EQ(error_of(text + std::string(kMaxInlined + 1, ' ') + "1: 1\n"),
            "app.prof:1003: calls are inlined more than 1001 deep, which no compiler does: is the "
            "file damaged?");
}

TEST(LlvmSampleReader, RefusesTextWithoutNames) {
  for (const char* context : {"[:1:1\n", "[]:1:1\n", "[x:1:1\n"})
    EXPECT_EQ(error_of(std::string("f:1:0\n") + context), "app.prof:2: a context without a frame")
        << context;
  EXPECT_EQ(error_of("f:1:0\n:1:1\n"), "app.prof:2: a function without a name");
}

// All that is read can be written in the binary forms. (Without a discriminator, LLVM refuses such
// an offset itself.)
TEST(LlvmSampleReader, RefusesTextThatOtherFormsCannotKeep) {
  EXPECT_EQ(error_of("f:1:0\n 65535.1: 1\n 65536.1: 1\n"),
            "app.prof: function f: line offset 65536, at most 65535 expected");
  EXPECT_EQ(error_of("f:1:0\n 1: g:1\n  2: 1\n  70000.1: h:1\n   1: 1\n"),
            "app.prof: function g: line offset 70000, at most 65535 expected");
  EXPECT_EQ(error_of(std::string("f:1:0\ng\0h:1:1\n", 14)), "app.prof:2: a NUL byte in a text");
}

TEST(LlvmSampleReader, AttributesBelongToProbesAndContexts) {
  auto attributes = [](std::string_view text) {
    Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(text), "app.prof");
    return file->profile.functions().begin()->second.getContext().getAllAttributes();
  };
  EXPECT_EQ(attributes("f:1:0\n 1: 1\n !Attributes: 6\n"), 0u);
  EXPECT_EQ(attributes("f:1:0\n 1: 1\n !CFGChecksum: 1\n !Attributes: 6\n"), 6u);
}

// The first bytes of a text that are read without a complaint, up to the whole of it.
std::vector<std::string> silent_cuts(std::string_view text) {
  std::vector<std::string> silent;
  for (size_t size = 1; size < text.size(); size++) {
    std::string_view cut = text.substr(0, size);
    Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(cut), "app.prof");
    if (file && file->profile.diagnostics.entries().empty()) silent.emplace_back(cut);
  }
  return silent;
}

std::string warning_of(std::string_view text) {
  Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(text), "app.prof");
  if (!file) return file.error().message;
  const auto& entries = file->profile.diagnostics.entries();
  return entries.empty() ? "" : entries.at("cut-short").messages[0];
}

// Only after a line of counts nothing can tell: what is left is a whole profile.
TEST(LlvmSampleReader, SaysThatTextIsCutShort) {
  EXPECT_EQ(warning_of(kText), "");
  EXPECT_EQ(silent_cuts(kText),
            (std::vector<std::string>{"main:1000:1\n 1: 10\n",
                                      "main:1000:1\n 1: 10\n 2.3: 20 _Z3barv:15 _Z3foov:5\n",
                                      "main:1000:1\n 1: 10\n 2.3: 20 _Z3barv:15 _Z3foov:5\n"
                                      " 4: _Z6inlinev:300\n  1: 300\n"}));
  EXPECT_EQ(warning_of("main:1000:1\n 1: 1"),
            "app.prof: the last line does not end with a newline: was the file cut short? Its last "
            "number may be wrong");
  for (const char* text : {"main:1000:1\n", "main:1000:1\n 4: _Z6inlinev:300\n# a comment\n\n"})
    EXPECT_EQ(warning_of(text),
              "app.prof: the last function does not have all of its lines: was the file cut short?")
        << text;
}

// A checksum comes after all probes of a function, so that nearly all cuts are seen.
TEST(LlvmSampleReader, SaysThatTextByProbeIsCutShort) {
  std::string first = "f:15:2\n 1: 10\n 2: 5\n !CFGChecksum: 1234\n";
  std::string second = "g:7:1\n 1: 4 f:4\n 2: h:3\n  1: 3\n  !CFGChecksum: 5\n !CFGChecksum: 12\n";
  EXPECT_EQ(warning_of(first + second), "");
  // A first function that is cut is one by line.
  EXPECT_EQ(silent_cuts(first + second),
            (std::vector<std::string>{"f:15:2\n 1: 10\n", "f:15:2\n 1: 10\n 2: 5\n", first}));
}

TEST(LlvmSampleReader, TakesAFunctionWithoutSamplesForWhole) {
  EXPECT_EQ(warning_of("f:0:3\n"), "");
  EXPECT_EQ(warning_of("f:5:3\n 1: 5\n 2: g:0\n"), "");
  EXPECT_EQ(warning_of("[main:3 @ f]:7:1\n 1: 7\n"), "");
  EXPECT_EQ(warning_of("f:5:3\n 1: 5\n 1: vtables _ZTV1A:5\n"), "");
}

}  // namespace
}  // namespace pgo::llvm_sample_reader_test
