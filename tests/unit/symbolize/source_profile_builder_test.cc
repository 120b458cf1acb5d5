// Random traces over real programs, against the rules of llvm-profgen applied one instruction at a
// time, each symbolized by LLVM. Slow and simple where ours is fast: they must give the same text.
#include "pgo/symbolize/source_profile_builder.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/ProfileData/SampleProf.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "converters/llvm_sample/llvm_sample_writer.h"
#include "pgo/dwarf/function_table.h"
#include "tests/data/debug_program.h"

namespace pgo::test::source_profile_builder_test {
namespace {

using llvm::DILocation;
using llvm::sampleprof::FunctionId;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;
using llvm::sampleprof::SampleContext;

BinaryCounts random_counts(const DebugProgram& program, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<uint64_t> code = program.instructions(), starts;
  for (const ElfImage::Symbol& symbol : program.binary.image->symbols())
    if (symbol.function && program.binary.code->is_code(symbol.addr))
      starts.push_back(symbol.addr.value);
  auto any = [&](const std::vector<uint64_t>& from) { return from[random() % from.size()]; };
  BinaryCounts counts;
  for (int i = 0; i < 120; i++) {
    uint64_t to = random() % 3 == 0 ? any(starts) : any(code);
    size_t at = static_cast<size_t>(std::lower_bound(code.begin(), code.end(), to) - code.begin());
    size_t last = std::min(at + random() % 8, code.size() - 1);
    Trace trace{ElfAddr{any(code)}, ElfAddr{to}, ElfAddr{code[last]}, TraceReading::kBoth,
                1 + random() % 1000};
    if (random() % 8 == 0) trace.from = OptElfAddr();
    if (random() % 8 == 0) trace.last = OptElfAddr();
    counts.traces.push_back(trace);
  }
  counts.normalize();
  return counts;
}

class Oracle {
 public:
  Oracle(DebugProgram& program, bool is_made_by_gcc, const BinaryCounts& counts,
         const BuildOptions& options)
      : program_(program),
        is_made_by_gcc_(is_made_by_gcc),
        options_(options),
        functions_(*program.debug_info, *program.binary.image, *program.binary.image,
                   FunctionTable::Sources::kDebugInfo,
                   understands_gcc() ? SymbolNames(*program.binary.image) : SymbolNames()) {
    std::map<uint64_t, uint64_t> runs;
    for (const Trace& trace : counts.traces) add_range(trace, runs);
    for (const auto& [addr, count] : runs)
      if (program_.binary.code->is_code(ElfAddr{addr})) add_instruction(addr, count);
    for (const Trace& trace : counts.traces) add_branch(trace);
    for (auto& [context, function] : profile_.functions()) function.updateCallsiteSamples();
  }
  const SourceProfile& profile() const { return profile_; }

 private:
  // How often each address ran; of functions that ran, those that did not have a zero.
  void add_range(const Trace& trace, std::map<uint64_t, uint64_t>& runs) {
    if (!trace.last || *trace.last < *trace.to) return;
    for (uint64_t a = (*trace.to).value; a < (*trace.last).value; a++)
      if (program_.binary.code->at(ElfAddr{a}).is_barrier()) return;
    if (auto function = functions_.find(*trace.to))
      for (const FunctionTable::Range& range : functions_.functions()[*function].ranges)
        for (uint64_t a = range.begin.value; a < range.end.value; a++) runs[a];
    for (uint64_t a = (*trace.to).value; a <= (*trace.last).value; a++) runs[a] += trace.count;
  }

  std::vector<LlvmFrame> frames_at(uint64_t addr) {
    std::vector<LlvmFrame> frames = llvm_frames(program_.debug_info->context(0), addr);
    if (understands_gcc() && !frames.empty() && !frames[0].name.starts_with("_Z"))
      frames[0].name = symbol_name(addr, frames[0].name);
    if (options_.quirks.line_zero == LineZero::kSkip)
      for (size_t i = 0; i + 1 < frames.size(); i++)
        if (frames[i].line == 0) frames.resize(i + 1);
    return frames;
  }
  bool understands_gcc() const {
    return is_made_by_gcc_ && options_.quirks.gcc_code == GccCode::kUnderstood;
  }
  // The mangled name of the symbol around `addr`, or else `name`.
  std::string symbol_name(uint64_t addr, const std::string& name) const {
    std::string best;
    for (const ElfImage::Symbol& symbol : program_.binary.image->symbols()) {
      if (!symbol.function || !symbol.name.starts_with("_Z")) continue;
      if (addr < symbol.addr.value || addr >= symbol.addr.value + symbol.size) continue;
      std::string mangled(symbol.name.substr(0, symbol.name.find('.')));
      if (best.empty() || mangled < best) best = mangled;
    }
    return best.empty() ? name : best;
  }
  LineLocation place(const LlvmFrame& frame) const {
    return {(frame.line - frame.decl_line) & 0xffff,
            understands_gcc()
                ? frame.discriminator
                : DILocation::getBaseDiscriminatorFromDiscriminator(frame.discriminator)};
  }
  bool leaves_out(const LlvmFrame& leaf) const {
    return leaf.line == 0 && options_.quirks.line_zero == LineZero::kSkip;
  }

  // The samples of the innermost frame; each of them gets `total`.
  FunctionSamples& walk(const std::vector<LlvmFrame>& frames, uint64_t total) {
    FunctionSamples* samples = nullptr;
    for (size_t i = 0; i < frames.size(); i++) {
      llvm::StringRef name = *interned_.insert(frames[i].name).first;
      if (samples == nullptr)
        samples = &profile_.functions().create(SampleContext(name));
      else
        samples = &samples->functionSamplesAt(place(frames[i - 1]))[FunctionId(name)];
      samples->setContext(SampleContext(name));
      samples->addTotalSamples(total);
    }
    return *samples;
  }

  void add_instruction(uint64_t addr, uint64_t count) {
    std::vector<LlvmFrame> frames = frames_at(addr);
    if (frames.empty()) return;
    FunctionSamples& samples = walk(frames, count * program_.binary.code->at(ElfAddr{addr}).size());
    if (leaves_out(frames.back())) return;
    LineLocation where = place(frames.back());
    if (!understands_gcc())
      count *= DILocation::getDuplicationFactorFromDiscriminator(frames.back().discriminator);
    auto before = samples.findSamplesAt(where.LineOffset, where.Discriminator);
    if (!before || *before <= count)
      samples.addBodySamples(where.LineOffset, where.Discriminator, count - (before ? *before : 0));
  }

  void add_branch(const Trace& trace) {
    auto callee = functions_.find_entry(*trace.to);
    if (!callee) return;
    llvm::StringRef name = functions_.functions()[*callee].canonical_name();
    FunctionSamples& head = profile_.functions().create(SampleContext(name));
    head.addHeadSamples(trace.count);
    if (!trace.from && options_.quirks.outside_callers == OutsideCallers::kLeaveOut) return;
    std::vector<LlvmFrame> frames = frames_at(trace.from ? (*trace.from).value : 1);
    if (frames.empty()) return;
    FunctionSamples& samples = walk(frames, 0);
    if (leaves_out(frames.back())) return;
    LineLocation where = place(frames.back());
    samples.addCalledTargetSamples(where.LineOffset, where.Discriminator, FunctionId(name),
                                   trace.count);
  }

  DebugProgram& program_;
  bool is_made_by_gcc_;
  BuildOptions options_;
  FunctionTable functions_;
  SourceProfile profile_;
  std::set<std::string> interned_;  // what the names in profile_ point into
};

class SourceProfileBuilderTest : public DebugProgramTest {};

TEST_P(SourceProfileBuilderTest, CountsAsInstructionByInstruction) {
  for (unsigned seed = 1; seed <= 4; seed++) {
    BinaryCounts counts = random_counts(*program, seed);
    BuildOptions options;
    options.quirks.line_zero = seed % 2 == 0 ? LineZero::kSkip : LineZero::kWrite;
    options.quirks.gcc_code =
        seed == 2 || seed == 3 ? GccCode::kUnderstood : GccCode::kAsLlvmProfgen;
    options.quirks.outside_callers =
        seed < 3 ? OutsideCallers::kAtAddressOne : OutsideCallers::kLeaveOut;
    Oracle oracle(*program, GetParam().starts_with("gcc"), counts, options);
    std::string expected = write_llvm_sample(oracle.profile(), LlvmSampleFormat::kText).value();
    EXPECT_GT(std::count(expected.begin(), expected.end(), '\n'), 30) << expected;
    for (unsigned jobs : {1u, 3u}) {
      options.jobs = jobs;
      SourceProfile profile = build_source_profile(program->binary, counts, options).value();
      ASSERT_EQ(write_llvm_sample(profile, LlvmSampleFormat::kText).value(), expected)
          << "seed " << seed << ", " << jobs << " threads";
      EXPECT_TRUE(profile.diagnostics.entries().empty())
          << profile.diagnostics.entries().begin()->second.messages[0];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Programs, SourceProfileBuilderTest,
                         testing::ValuesIn(debug_program_names()), program_name);
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SourceProfileBuilderTest);

}  // namespace
}  // namespace pgo::test::source_profile_builder_test
