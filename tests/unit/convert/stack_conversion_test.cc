#include "pgo/convert/stack_conversion.h"

#include <gtest/gtest.h>

#include <sstream>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_reader.h"
#include "tests/data/probed_program.h"
#include "tests/data/small_profiles.h"
#include "tests/data/temporary_files.h"

namespace pgo::test {
namespace {

class StackConversionTest : public TemporaryFiles {
 protected:
  ConvertRequest request(const std::vector<std::string>& inputs,
                         const std::vector<std::string>& binaries) const {
    ConvertRequest request;
    request.inputs = inputs;
    request.binaries = binaries;
    request.outputs = {{Format::kPprofPlain, path("out.pb")}};
    return request;
  }
  std::string error_of(const ConvertRequest& request) const {
    Result<StackConversion> result = convert_stacks(request);
    return result ? "no error" : text_of(result.error());
  }

  std::string server_ = write("server", probed_program());
  std::string folded_ = write("a.folded", "main;work 3\n");
};

// PC samples in work (1208 is its branch), and one outside of all functions.
std::string address_profile() {
  return write_address_profile(
             pc_sample_profile(kProbedBuildId, "/srv/server",
                               {{ElfAddr{0x1208}, 3, 3000}, {ElfAddr{0x120f}, 1, 1000}}))
      .value();
}

TEST_F(StackConversionTest, NamesAddressesInTheOutput) {
  const std::string input = write("in.addr", address_profile());
  Result<StackConversion> result = convert_stacks(request({input}, {server_}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->samples, 2u);
  EXPECT_EQ(result->weight, (SampleTotal{"weight", "count", 4000}));
  EXPECT_EQ(result->naming.weight.by_symbol, 3000u);
  EXPECT_EQ(result->naming.weight.unnamed, 1000u);
  ASSERT_EQ(result->outputs.size(), 1u);
  const std::string& contents = result->outputs[0].contents;
  Diagnostics diagnostics;
  Result<StackProfile> written = parse_pprof(
      {reinterpret_cast<const uint8_t*>(contents.data()), contents.size()}, "out.pb", diagnostics);
  ASSERT_TRUE(written);
  written->normalize();
  std::ostringstream dump;
  written->dump(dump);
  EXPECT_NE(dump.str().find("sample 3 3000\n    1208 in /srv/server: work:0\n"), std::string::npos)
      << dump.str();
}

TEST_F(StackConversionTest, GivesAddressesWithoutBinaries) {
  const std::string input = write("in.addr", address_profile());
  Result<StackConversion> result = convert_stacks(request({input}, {}));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->naming.weight.unnamed, 4000u);
  EXPECT_EQ(result->binaries, 0u);
}

TEST_F(StackConversionTest, WantsStacksWhereAnyOutputIsOne) {
  ConvertRequest mixed = request({folded_}, {server_});
  EXPECT_TRUE(wants_stacks(mixed));
  mixed.outputs.push_back({Format::kLlvm, path("x.prof")});
  EXPECT_TRUE(wants_stacks(mixed));
  mixed.outputs.erase(mixed.outputs.begin());
  EXPECT_FALSE(wants_stacks(mixed));
}

TEST_F(StackConversionTest, RefusesWhatContradictsItself) {
  ConvertRequest mixed = request({folded_}, {server_});
  mixed.outputs.push_back({Format::kLlvm, path("x.prof")});
  EXPECT_EQ(error_of(mixed),
            "out.pb is a stack profile, and x.prof is made from counts by address; write them with "
            "two commands");
}

TEST_F(StackConversionTest, RefusesOptionsOfOtherOutputs) {
  const ConvertRequest plain = request({folded_}, {server_});
  ConvertRequest changed = plain;
  changed.read.compatibility = perf_data::Compatibility::kLlvmProfgen;
  EXPECT_EQ(error_of(changed), "\xFF{compat} is for LLVM profiles; write out.pb without it");
  changed = plain;
  changed.check_against = "llvm-profgen";
  EXPECT_EQ(error_of(changed), "\xFF{check-against} is for LLVM profiles; write out.pb without it");
  changed = plain;
  changed.count_by = CountBy::kLine;
  EXPECT_EQ(error_of(changed),
            "\xFF{by-line} is for profiles for compilers; write out.pb without it");
  changed = plain;
  changed.without_line = WithoutLine::kAnywhereInFunction;
  EXPECT_EQ(error_of(changed),
            "\xFF{without-lines} is for profiles for compilers; write out.pb without it");
  changed = plain;
  changed.perf2bolt = "perf2bolt";
  EXPECT_EQ(error_of(changed), "\xFF{perf2bolt} is for fdata outputs; write out.pb without it");
}

TEST_F(StackConversionTest, RefusesSeveralInputs) {
  const std::string second = write("b.folded", "main 1\n"), third = write("c.folded", "main 1\n");
  EXPECT_EQ(error_of(request({second, folded_, third}, {server_})),
            "a stack profile is made from one input, and there are 3 (a.folded, b.folded, ...); "
            "convert them one by one, then add up the results with 'pgo merge'");
}

TEST_F(StackConversionTest, RefusesAStackProfileWithoutABinary) {
  EXPECT_EQ(error_of(request({folded_}, {})),
            "a.folded: is folded stacks, a stack profile already; the binaries that ran give names "
            "to its addresses; name them with \xFF{binary}");
}

TEST_F(StackConversionTest, NeverReplacesWhatItReads) {
  ConvertRequest same = request({folded_}, {server_});
  same.outputs[0].path = folded_;
  EXPECT_EQ(error_of(same), "\xFF{output} a.folded would replace a.folded, which is read; ");
}

}  // namespace
}  // namespace pgo::test
