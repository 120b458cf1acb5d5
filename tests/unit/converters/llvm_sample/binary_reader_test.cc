#include "converters/llvm_sample/binary_reader.h"

#include <gtest/gtest.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/IR/DiagnosticHandler.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/ProfileData/SampleProfReader.h>
#include <llvm/Support/Compression.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>

#include <algorithm>
#include <array>

#include "converters/llvm_sample/profile_kind.h"
#include "tests/data/byte_writer.h"
#include "tests/data/llvm_profiles.h"

namespace pgo::binary_reader_test {
namespace {

using llvm::sampleprof::SampleProfileReader;

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string error_of(std::string_view bytes) {
  Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(bytes), "app.prof");
  return file ? "no error" : file.error().message;
}

std::string uleb(uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

// A profile of the binary form with one function name, "f", and these functions.
std::string binary_form(const std::string& functions, uint64_t count = 1) {
  std::string summary = uleb(1) + uleb(1) + uleb(1) + uleb(1) + uleb(count) + uleb(0);
  return uleb(0x5350524f463432ff) + uleb(103) + summary + uleb(1) + std::string("f\0", 2) +
         functions;
}

// Calls of f that are inlined into each other, as many deep.
std::string nested(unsigned depth) {
  std::string body = uleb(1) + uleb(0);  // total, no line
  std::string all = uleb(0) + uleb(0);   // head, f
  for (unsigned i = 0; i < depth; i++) all += body + uleb(1) + uleb(1) + uleb(0) + uleb(0);
  return all + body + uleb(0);
}

std::string u64(uint64_t value) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}

// The same profile in the extensible binary form: a table of {type, flags, offset, size}, and the
// sections, in this order: 0 is the summary, 1 the names, 2 the functions.
std::string ext_binary_form(const std::string& functions, std::array<size_t, 3> order = {0, 1, 2}) {
  const std::pair<uint64_t, std::string> all[] = {
      {1, uleb(1) + uleb(1) + uleb(1) + uleb(1) + uleb(1) + uleb(0)},
      {2, uleb(1) + std::string("f\0", 2)},
      {32, functions}};
  const std::pair<uint64_t, std::string> sections[] = {all[order[0]], all[order[1]], all[order[2]]};
  std::string head = uleb(0x5350524f46343204) + uleb(103) + u64(std::size(sections)), contents;
  size_t contents_at = head.size() + 32 * std::size(sections);
  for (const auto& [type, bytes] : sections) {
    head += u64(type) + u64(0) + u64(contents_at + contents.size()) + u64(bytes.size());
    contents += bytes;
  }
  return head + contents;
}

// Whatever LLVM writes, we read as LLVM does.
TEST(LlvmSampleBinaryReader, ReadsWhatLlvmReads) {
  size_t compared = 0;
  for (const test::LlvmProfile& profile : test::llvm_profiles()) {
    SCOPED_TRACE(profile.name);
    Result<LlvmSampleFile> ours = read_llvm_sample(bytes_of(profile.bytes), profile.name);
    ProfileKind kind;
    llvm::LLVMContext context;
    context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>());
    auto buffer = llvm::MemoryBuffer::getMemBufferCopy(profile.bytes);
    auto reader = SampleProfileReader::create(buffer, context, *llvm::vfs::getRealFileSystem());
    ASSERT_TRUE(reader);
    bool read = !(*reader)->read();
    ASSERT_EQ(ours.has_value(), read) << (ours ? "" : ours.error().message);
    if (!read) continue;  // contexts in the split layout have no table
    SampleProfileReader& theirs = **reader;
    ASSERT_EQ(ours->profile.functions().size(), theirs.getProfiles().size());
    for (const auto& [key, function] : ours->profile.functions()) {
      auto found = theirs.getProfiles().find(function.getContext());
      ASSERT_NE(found, theirs.getProfiles().end()) << sample_function_name(function);
      EXPECT_TRUE(function == found->second) << sample_function_name(function);
      EXPECT_EQ(function.getContext().toString(), found->second.getContext().toString());
    }
    EXPECT_EQ(ours->is_context_sensitive, theirs.profileIsCS());
    EXPECT_EQ(ours->is_pre_inlined, theirs.profileIsPreInlined());
    EXPECT_EQ(ours->profile.is_probe_based, theirs.profileIsProbeBased());
    EXPECT_EQ(ours->names_are_hashes, theirs.useMD5());
    EXPECT_EQ(ours->profile.is_flow_sensitive, theirs.profileIsFS());
    ASSERT_EQ(ours->cutoffs.size(), theirs.getSummary().getDetailedSummary().size());
    for (size_t i = 0; i < ours->cutoffs.size(); i++)
      EXPECT_EQ(ours->cutoffs[i].counts, theirs.getSummary().getDetailedSummary()[i].NumCounts);
    compared++;
  }
  EXPECT_GE(compared, 20u);
}

TEST(LlvmSampleBinaryReader, ReadsSectionsInAnyOrder) {
  std::array<size_t, 3> order = {0, 1, 2};
  do {
    std::string stored = ext_binary_form(nested(3), order);
    Result<LlvmSampleFile> file = read_llvm_sample(bytes_of(stored), "app.prof");
    ASSERT_TRUE(file.has_value()) << file.error().message;
    ASSERT_EQ(file->profile.functions().size(), 1u);
    EXPECT_EQ(sample_function_name(file->profile.functions().begin()->second), "f");
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(LlvmSampleBinaryReader, AddsUpWhatOccursTwice) {
  std::string line = uleb(7) + uleb(0) + uleb(5) + uleb(0);  // line 7: 5, no callee
  std::string function = uleb(2) + uleb(0) + uleb(10) + uleb(2) + line + line + uleb(0);
  Result<LlvmSampleFile> file =
      read_llvm_sample(bytes_of(binary_form(function + function)), "app.prof");
  ASSERT_TRUE(file.has_value()) << file.error().message;
  ASSERT_EQ(file->profile.functions().size(), 1u);
  const auto& f = file->profile.functions().begin()->second;
  EXPECT_EQ(f.getHeadSamples(), 4u);
  EXPECT_EQ(f.getTotalSamples(), 20u);
  EXPECT_EQ(f.getBodySamples().begin()->second.getSamples(), 20u);
}

TEST(LlvmSampleBinaryReader, BoundsHowDeepCallsAreInlined) {
  EXPECT_EQ(error_of(binary_form(nested(kMaxInlined))), "no error");
  EXPECT_EQ(error_of(binary_form(nested(kMaxInlined + 1))),
            "app.prof: LLVM sample profile, the functions: up to byte 6033: calls are inlined more "
            "than 1001 deep, which no compiler does: is the file damaged?");
  EXPECT_EQ(error_of(ext_binary_form(nested(kMaxInlined))), "no error");
  EXPECT_EQ(error_of(ext_binary_form(nested(kMaxInlined + 1))),
            "app.prof: LLVM sample profile, the functions: up to byte 6014: calls are inlined more "
            "than 1001 deep, which no compiler does: is the file damaged?");
  for (const std::string& profile :
       {binary_form(nested(1'000'000)), ext_binary_form(nested(1'000'000))})
    EXPECT_TRUE(error_of(profile).ends_with(
        "calls are inlined more than 1001 deep, which no compiler does: is the file damaged?"));
}

TEST(LlvmSampleBinaryReader, SaysWhatIsWrong) {
  const std::string in = "app.prof: LLVM sample profile, the functions: ";
  EXPECT_EQ(error_of(binary_form(uleb(0) + uleb(0))), in + "too short: is the file cut short?");
  EXPECT_EQ(error_of(binary_form(uleb(0) + uleb(3))), in + "up to byte 21: name 3 of 1");
  EXPECT_EQ(error_of(binary_form(uleb(0) + uleb(0) + uleb(1) + uleb(9))),
            in + "up to byte 23: 9 lines in 0 bytes");
  EXPECT_EQ(error_of(binary_form(uleb(0) + uleb(0) + uleb(1) + uleb(1) + uleb(0x10000))),
            in + "up to byte 26: line offset 65536, at most 65535 expected");
  EXPECT_EQ(error_of(binary_form(nested(0), 2)),
            "app.prof: the summary promises 2 functions, found 1: is this LLVM sample profile cut "
            "short?");
}

// Sections may be the same bytes of the file.
TEST(LlvmSampleBinaryReader, HasALimitForAllCompressedSectionsTogether) {
  if (!llvm::compression::zlib::isAvailable()) GTEST_SKIP() << "LLVM was built without zlib";
  constexpr size_t kSize = 4 << 20;
  std::string names = uleb(1) + std::string(kSize - 2, 'f') + std::string(1, '\0');
  llvm::SmallVector<uint8_t> packed;
  llvm::compression::zlib::compress(llvm::arrayRefFromStringRef(names), packed);
  std::string stored =
      uleb(kSize) + uleb(packed.size()) + std::string(packed.begin(), packed.end());
  auto with_sections = [&](uint64_t count) {
    std::string head = uleb(0x5350524f46343204) + uleb(103) + u64(count);
    size_t contents_at = head.size() + 32 * count;
    for (uint64_t i = 0; i < count; i++)
      head += u64(2) + u64(1) + u64(contents_at) + u64(stored.size());
    return head + stored;
  };
  EXPECT_EQ(error_of(with_sections(4)),
            "app.prof: there is no summary section: is this LLVM sample profile cut short?");
  EXPECT_EQ(error_of(with_sections(5)),
            "app.prof: a compressed section of " + std::to_string(stored.size()) +
                " bytes of this LLVM sample profile claims to be 4194304: is the file damaged?");
}

// LLVM writes an inlined call of nothing, if text has one.
TEST(LlvmSampleBinaryReader, ReadsEmptyNames) {
  std::string unnamed = binary_form(nested(0));
  unnamed.erase(unnamed.find('f'), 1);
  EXPECT_EQ(error_of(unnamed), "no error");
}

// Whatever one byte becomes, and wherever the file ends: an answer, never a crash.
TEST(LlvmSampleBinaryReader, SurvivesDamage) {
  for (const test::LlvmProfile& profile : test::llvm_profiles())
    for (size_t i = 0; i < profile.bytes.size(); i++) {
      (void)error_of(std::string_view(profile.bytes).substr(0, i));
      for (int value : {0x00, 0x01, 0x7f, 0x80, 0xff}) {
        std::string damaged = profile.bytes;
        damaged[i] = static_cast<char>(value);
        (void)error_of(damaged);
      }
    }
}

}  // namespace
}  // namespace pgo::binary_reader_test
