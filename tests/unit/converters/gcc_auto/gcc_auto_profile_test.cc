#include "converters/gcc_auto/gcc_auto_profile.h"

#include <gtest/gtest.h>

#include <limits>

#include "tests/data/byte_writer.h"

namespace pgo::gcc_auto_profile_test {
namespace {

using test::ByteVector;
using test::put32;
using test::put64;
using test::put_bytes;

Bytes as_bytes(const std::string& text) {
  return Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size());
}

std::string as_text(const ByteVector& bytes) { return {bytes.begin(), bytes.end()}; }

GccAutoProfile small_profile() {
  GccAutoProfile profile;
  GccAutoProfile::Function& main = profile.functions["main"];
  main.head = 3;
  main.body.positions[1 << 16].count = 10;
  main.body.positions[2 << 16] = {0x500000000, {{"g", 7}}};
  main.body.inlined[{4 << 16, "f"}].positions[0xffff0000].count = 9;
  return profile;
}

void put_string(ByteVector& out, std::string_view text) {
  put32(out, static_cast<uint32_t>(text.size() + 1));
  put_bytes(out, text);
  out.push_back(0);
}

// Field by field, as gcc 12 reads it. `version` and `target` may be wrong.
ByteVector small_file(uint32_t version = 2, uint64_t target = 2) {
  ByteVector out;
  put_bytes(out, "adcg");
  put32(out, version);
  put32(out, 0);

  put32(out, 0xaa000000);
  put32(out, 8);  // 30 bytes
  put32(out, 4);
  put_string(out, "");
  put_string(out, "f");
  put_string(out, "g");
  put_string(out, "main");

  put32(out, 0xac000000);
  put32(out, 27);  // 108 bytes
  put32(out, 1);
  put64(out, 3);  // entered
  put32(out, 3);  // main
  put32(out, 2);
  put32(out, 1);
  put32(out, 1 << 16);  // one line below the declaration
  put32(out, 0);
  put64(out, 10);
  put32(out, 2 << 16);
  put32(out, 1);
  put64(out, 0x500000000);
  put32(out, 7);
  put64(out, target);
  put64(out, 7);
  put32(out, 4 << 16);  // inlined here
  put32(out, 1);        // f
  put32(out, 1);
  put32(out, 0);
  put32(out, 0xffff0000);  // one line above the declaration
  put32(out, 0);
  put64(out, 9);

  put32(out, 0xae000000);
  put32(out, 0);
  put32(out, 0);
  put32(out, 0xaf000000);
  put32(out, 3 * 128);
  for (int i = 0; i < 128; i++) {
    put32(out, 0);
    put64(out, 0);
  }
  return out;
}

std::string error_of(const ByteVector& file) {
  Result<GccAutoProfile> profile = parse_gcc_auto_profile(file, "x.afdo");
  return profile ? "no error" : profile.error().message;
}

TEST(GccAutoProfile, WritesBytesToCheckByHand) {
  EXPECT_EQ(write_gcc_auto_profile(small_profile()), as_text(small_file()));
}

TEST(GccAutoProfile, ReadsWhatItWrites) {
  for (const GccAutoProfile& profile : {small_profile(), GccAutoProfile{}}) {
    std::string bytes = write_gcc_auto_profile(profile);
    EXPECT_TRUE(is_gcc_auto_profile(as_bytes(bytes)));
    Result<GccAutoProfile> read = parse_gcc_auto_profile(as_bytes(bytes), "x.afdo");
    ASSERT_TRUE(read) << read.error().message;
    EXPECT_TRUE(*read == profile);
  }
}

TEST(GccAutoProfile, TotalsCountWhatIsInlinedAndStopAtTheLargestNumber) {
  GccAutoProfile profile = small_profile();
  GccAutoProfile::Body& body = profile.functions["main"].body;
  EXPECT_EQ(body.total(), 0x500000000u + 19);
  body.positions[0].count = std::numeric_limits<uint64_t>::max();
  EXPECT_EQ(body.total(), std::numeric_limits<uint64_t>::max());
}

TEST(GccAutoProfile, RefusesWhatIsNotOne) {
  EXPECT_FALSE(is_gcc_auto_profile(small_file(1)));
  EXPECT_FALSE(is_gcc_auto_profile(Bytes{}));
  EXPECT_EQ(error_of(small_file(1)),
            "x.afdo: is not a profile for GCC's -fauto-profile, version 2");
  EXPECT_EQ(error_of(small_file(2, 4)), "x.afdo: offset 0x7e: a name that is not in the table");
  EXPECT_EQ(error_of(small_file(2, 0)), "x.afdo: offset 0x7e: a name that is not in the table");
  ByteVector many = small_file();
  many[20] = many[21] = many[22] = 0xff;
  EXPECT_EQ(error_of(many), "x.afdo: offset 0x18: more entries than fit into the file");
}

TEST(GccAutoProfile, AFileThatEndsEarlyIsAnError) {
  const ByteVector whole = small_file();
  // GCC asks for nothing of the working set but that it begins.
  const size_t needed = whole.size() - 128 * 12 - 4;
  for (size_t size = 0; size < needed; size++) {
    ByteVector cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(error_of(cut), "no error") << size;
  }
  ByteVector cut(whole.begin(), whole.begin() + 100);
  EXPECT_EQ(error_of(cut), "x.afdo: offset 0x62: ends early; was it cut short?");
}

TEST(GccAutoProfile, NestingHasAnEnd) {
  GccAutoProfile profile;
  GccAutoProfile::Body* body = &profile.functions["f"].body;
  for (int i = 0; i < 300; i++) body = &body->inlined[{0, "f"}];
  std::string bytes = write_gcc_auto_profile(profile);
  Result<GccAutoProfile> read = parse_gcc_auto_profile(as_bytes(bytes), "x.afdo");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().message.substr(read.error().message.rfind(": ") + 2),
            "functions inlined into one another without end");
}

TEST(GccAutoProfile, NamesThatAreReferredToOftenHaveALimit) {
  ByteVector out;
  put_bytes(out, "adcg");
  for (uint32_t word : {2u, 0u, 0xaa000000u, 0u, 2u}) put32(out, word);
  put_string(out, "");
  put_string(out, std::string((1 << 17) - 1, 'f'));
  for (uint32_t word : {0xac000000u, 0u, 100u}) put32(out, word);
  for (int i = 0; i < 100; i++)  // entered never, the long name, nothing in it
    for (uint32_t word : {0u, 0u, 1u, 0u, 0u}) put32(out, word);
  std::string error = error_of(out);
  EXPECT_EQ(error.substr(error.rfind(": ") + 2),
            "names that are referred to so often that they would take more than 64 times the size "
            "of the file");
}

}  // namespace
}  // namespace pgo::gcc_auto_profile_test
