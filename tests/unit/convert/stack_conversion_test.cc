#include "pgo/convert/stack_conversion.h"

#include <gtest/gtest.h>

#include <sstream>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_reader.h"
#include "tests/data/probed_program.h"
#include "tests/data/small_profiles.h"
#include "tests/data/temporary_files.h"

namespace pgo::test::stack_conversion_test {
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

// What a converted profile says, as text.
std::string dump_of(const StackConversion& conversion) {
  const std::string& contents = conversion.outputs.at(0).contents;
  Diagnostics diagnostics;
  Result<StackProfile> written = parse_pprof(
      {reinterpret_cast<const uint8_t*>(contents.data()), contents.size()}, "out.pb", diagnostics);
  if (!written) return written.error().message;
  written->normalize();
  std::ostringstream dump;
  written->dump(dump);
  return dump.str();
}

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
  const std::string dump = dump_of(*result);
  EXPECT_NE(dump.find("sample 3 3000\n    1208 in /srv/server: work:0\n"), std::string::npos)
      << dump;
}

// The process 10 has no name.
TEST_F(StackConversionTest, LabelsSamplesWithTheMachine) {
  auto convert = [&](const std::string& host, const std::string& cpu_model) {
    PerfDataBuilder perf;
    perf.event(pc_sample_event()).machine(host, cpu_model).mmap2(map_of_probed_program());
    perf.comm({.pid = 20, .time = 1, .name = "other"});
    for (uint32_t pid : {10u, 20u})
      perf.sample({.pid = pid, .time = 2, .ip = at(0x400000, 0x1208), .period = 5});
    Result<StackConversion> result = convert_stacks(request({write("a.data", perf.file())}, {}));
    return result ? dump_of(*result) : result.error().message;
  };
  const std::string both = convert("web-17", "AMD EPYC 9B45");
  EXPECT_NE(both.find("sample 1 5 cpu_model=\"AMD EPYC 9B45\" host=\"web-17\"\n"),
            std::string::npos)
      << both;
  EXPECT_NE(both.find("sample 1 5 comm=\"other\" cpu_model=\"AMD EPYC 9B45\" host=\"web-17\"\n"),
            std::string::npos)
      << both;
  const std::string host_only = convert("web-17", "");
  EXPECT_NE(host_only.find("sample 1 5 host=\"web-17\"\n"), std::string::npos) << host_only;
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
}  // namespace pgo::test::stack_conversion_test
