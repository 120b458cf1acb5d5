#include "converters/llvm_sample/llvm_sample_writer.h"

#include <gtest/gtest.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/ProfileData/SampleProfReader.h>
#include <llvm/Support/VirtualFileSystem.h>

#include "converters/llvm_sample/llvm_sample_reader.h"

namespace pgo::llvm_sample_writer_test {
namespace {

using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::SampleContext;
using llvm::sampleprof::SampleProfileReader;

constexpr LlvmSampleFormat kFormats[] = {LlvmSampleFormat::kText, LlvmSampleFormat::kBinary,
                                         LlvmSampleFormat::kExtBinary};

// Functions in the order in which `names` says; the file must not show it.
SourceProfile small_profile(const std::vector<const char*>& names = {"a", "b", "c", "main"}) {
  SourceProfile profile;
  for (llvm::StringRef name : names) {
    FunctionSamples& samples = profile.functions().create(SampleContext(name));
    samples.setContext(SampleContext(name));
    samples.addTotalSamples(name == "main" ? 500 : 20);
    samples.addHeadSamples(3);
    samples.addBodySamples(1, 0, 10);
    samples.addBodySamples(65535, 3, 0);
    samples.addCalledTargetSamples(1, 0, FunctionId("z"), 4);
    samples.addCalledTargetSamples(1, 0, FunctionId("y"), 4);
    FunctionSamples& inlined = samples.functionSamplesAt({2, 1})[FunctionId("inlined")];
    inlined.setContext(SampleContext("inlined"));
    inlined.addTotalSamples(8);
    inlined.addBodySamples(0, 0, ~0ull);
  }
  return profile;
}

std::string dump(llvm::sampleprof::SampleProfileMap& functions) {
  SourceProfile profile;
  profile.functions() = functions;
  return write_llvm_sample(profile, LlvmSampleFormat::kText).value();
}

TEST(LlvmSampleWriter, WritesTextToCheckByHand) {
  EXPECT_EQ(write_llvm_sample(small_profile({"b", "main"}), LlvmSampleFormat::kText).value(),
            "main:500:3\n"
            " 1: 10 y:4 z:4\n"
            " 65535.3: 0\n"
            " 2.1: inlined:8\n"
            "  0: 18446744073709551615\n"
            "b:20:3\n"
            " 1: 10 y:4 z:4\n"
            " 65535.3: 0\n"
            " 2.1: inlined:8\n"
            "  0: 18446744073709551615\n");
  EXPECT_EQ(write_llvm_sample({}, LlvmSampleFormat::kText).value(), "");
}

TEST(LlvmSampleWriter, WritesWhatLlvmReads) {
  SourceProfile profile = small_profile();
  std::string expected = write_llvm_sample(profile, LlvmSampleFormat::kText).value();
  for (LlvmSampleFormat format : kFormats) {
    std::string bytes = write_llvm_sample(profile, format).value();
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes);
    llvm::LLVMContext context;
    auto files = llvm::vfs::getRealFileSystem();
    auto reader = SampleProfileReader::create(buffer, context, *files);
    ASSERT_TRUE(reader) << reader.getError().message();
    ASSERT_FALSE((*reader)->read());
    EXPECT_EQ(dump((*reader)->getProfiles()), expected);
  }
}

TEST(LlvmSampleWriter, WritesVtables) {
  SourceProfile profile = small_profile();
  EXPECT_FALSE(leaves_out_vtables(profile, LlvmSampleFormat::kBinary));
  FunctionSamples& main = profile.functions().create(SampleContext("main"));
  main.addTypeSamplesAt({1, 0}, FunctionId("_ZTV1B"), 3);
  main.addTypeSamplesAt({1, 0}, FunctionId("_ZTV1A"), 1);
  main.functionSamplesAt({2, 1})[FunctionId("inlined")].addTypeSamplesAt(
      {0, 0}, FunctionId("_ZTV1C"), ~0ull);
  std::string expected = write_llvm_sample(profile, LlvmSampleFormat::kText).value();
  EXPECT_NE(expected.find(" 1: vtables _ZTV1A:1 _ZTV1B:3 \n"), std::string::npos) << expected;
  EXPECT_NE(expected.find("  0: vtables _ZTV1C:18446744073709551615 \n"), std::string::npos)
      << expected;

  std::string bytes = write_llvm_sample(profile, LlvmSampleFormat::kExtBinary).value();
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(bytes);
  llvm::LLVMContext context;
  auto reader = SampleProfileReader::create(buffer, context, *llvm::vfs::getRealFileSystem());
  ASSERT_TRUE(reader) << reader.getError().message();
  ASSERT_FALSE((*reader)->read());
  EXPECT_EQ(dump((*reader)->getProfiles()), expected);

  EXPECT_TRUE(leaves_out_vtables(profile, LlvmSampleFormat::kBinary));
  EXPECT_FALSE(leaves_out_vtables(profile, LlvmSampleFormat::kExtBinary));
  EXPECT_FALSE(leaves_out_vtables(profile, LlvmSampleFormat::kText));
}

// In the text form they would end a line, be a comment, or be read as counts.
TEST(LlvmSampleWriter, RefusesNamesThatTextCannotHold) {
  for (const char* name : {"a\nb:1:1", " a", "#a", "[a]", "12", "a:12 b", "vtables a"}) {
    SourceProfile head = small_profile({"main", name}), inlined = small_profile({"main"}),
                  called = small_profile({"main"});
    FunctionSamples& main = inlined.functions().create(SampleContext("main"));
    main.functionSamplesAt({2, 1})[FunctionId(name)].setContext(SampleContext(name));
    called.functions()
        .create(SampleContext("main"))
        .addCalledTargetSamples(1, 0, FunctionId(name), 4);
    for (const SourceProfile& profile : {head, inlined, called}) {
      Result<std::string> text = write_llvm_sample(profile, LlvmSampleFormat::kText);
      ASSERT_FALSE(text) << name;
      EXPECT_EQ(text.error().message,
                "LLVM's text form cannot hold the function name '" + std::string(name) + "'");
      EXPECT_TRUE(write_llvm_sample(profile, LlvmSampleFormat::kExtBinary)) << name;
    }
  }
}

TEST(LlvmSampleWriter, WritesOddNamesThatTextCanHold) {
  for (const char* name : {"a b", "-[a b:c:]", "f<1, 2>::g", "a:12", "a::12b", "ns::f(int):1"}) {
    SourceProfile profile = small_profile({"main", name});
    profile.functions()
        .create(SampleContext("main"))
        .addCalledTargetSamples(1, 0, FunctionId(name), 4);
    std::string text = write_llvm_sample(profile, LlvmSampleFormat::kText).value();
    Result<LlvmSampleFile> again =
        read_llvm_sample({reinterpret_cast<const uint8_t*>(text.data()), text.size()}, "again");
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(dump(again->profile.functions()), text);
  }
}

TEST(LlvmSampleWriter, GivesTheSameBytesForTheSameProfile) {
  for (LlvmSampleFormat format : kFormats) {
    std::string expected = write_llvm_sample(small_profile(), format, 1).value();
    EXPECT_EQ(write_llvm_sample(small_profile({"main", "c", "b", "a"}), format, 4).value(),
              expected);
    EXPECT_EQ(write_llvm_sample(small_profile({"b", "main", "a", "c"}), format, 2).value(),
              expected);
  }
}

TEST(LlvmSampleWriter, WritesChecksumsOfProbes) {
  SourceProfile profile = small_profile({"a", "main"});
  profile.is_probe_based = true;
  for (auto& [key, function] : profile.functions()) {
    function.setFunctionHash(0x1234567890);
    function.functionSamplesAt({2, 1})[FunctionId("inlined")].setFunctionHash(7);
  }
  std::string expected =
      "main:500:3\n"
      " 1: 10 y:4 z:4\n"
      " 65535.3: 0\n"
      " 2.1: inlined:8\n"
      "  0: 18446744073709551615\n"
      "  !CFGChecksum: 7\n"
      " !CFGChecksum: 78187493520\n"
      "a:20:3\n"
      " 1: 10 y:4 z:4\n"
      " 65535.3: 0\n"
      " 2.1: inlined:8\n"
      "  0: 18446744073709551615\n"
      "  !CFGChecksum: 7\n"
      " !CFGChecksum: 78187493520\n";
  EXPECT_EQ(write_llvm_sample(profile, LlvmSampleFormat::kText).value(), expected);
  EXPECT_FALSE(FunctionSamples::ProfileIsProbeBased);
  std::string bytes = write_llvm_sample(profile, LlvmSampleFormat::kExtBinary).value();
  Bytes view(reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  LlvmSampleFile file = read_llvm_sample(view, "ours").value();
  EXPECT_TRUE(file.profile.is_probe_based);
  EXPECT_EQ(write_llvm_sample(file.profile, LlvmSampleFormat::kText).value(), expected);
  EXPECT_EQ(
      write_llvm_sample(profile, LlvmSampleFormat::kBinary).error().message,
      "LLVM's binary form cannot hold pseudo probes; use the extensible binary form (\xFF{output} "
      "llvm:PATH) or text (\xFF{output} llvm-text:PATH)");
}

// LLVM keeps the kind of profile in static variables, which must be as before afterwards.
TEST(LlvmSampleWriter, LeavesLlvmsStaticsAlone) {
  SourceProfile flow_sensitive = small_profile();
  flow_sensitive.is_flow_sensitive = true;
  std::string before = write_llvm_sample(small_profile(), LlvmSampleFormat::kExtBinary).value();
  std::string other = write_llvm_sample(flow_sensitive, LlvmSampleFormat::kExtBinary).value();
  EXPECT_NE(before, other);
  EXPECT_FALSE(FunctionSamples::ProfileIsFS);
  EXPECT_EQ(write_llvm_sample(small_profile(), LlvmSampleFormat::kExtBinary).value(), before);
}

}  // namespace
}  // namespace pgo::llvm_sample_writer_test
