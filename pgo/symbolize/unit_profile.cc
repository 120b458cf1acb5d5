#include "pgo/symbolize/unit_profile.h"

#include <llvm/IR/DebugInfoMetadata.h>

#include <algorithm>
#include <tuple>

namespace pgo {

using llvm::DILocation;
using llvm::sampleprof::FunctionSamples;
using llvm::sampleprof::LineLocation;
using llvm::sampleprof::SampleContext;

bool has_flow_sensitive_discriminators(const ElfImage& symbols) {
  return std::any_of(symbols.symbols().begin(), symbols.symbols().end(),
                     [](const auto& symbol) { return symbol.name == "__llvm_fs_discriminator__"; });
}

UnitProfile::UnitProfile(const FrameTable& frames, const CodeMap& code,
                         Discriminators discriminators, LineZero line_zero)
    : frames_(frames),
      code_(code),
      discriminators_(discriminators),
      line_zero_(line_zero),
      totals_(frames.frames().size()),
      touched_(frames.frames().size()),
      samples_(frames.frames().size()) {}

uint32_t UnitProfile::base_discriminator(uint32_t discriminator) const {
  if (discriminators_ == Discriminators::kWhole) return discriminator;
  return DILocation::getBaseDiscriminatorFromDiscriminator(discriminator);
}

// Offsets from the line of the declaration are 16 bits wide in LLVM's profiles and wrap round.
LineLocation UnitProfile::location(uint32_t frame, SourceLine line) const {
  return {(line.line - frames_.frames()[frame].decl_line) & 0xffff,
          base_discriminator(line.discriminator)};
}

void UnitProfile::add_segment(const Segment& segment) {
  ElfAddr at = segment.first, end = segment.last + 1;
  while (at < end) {
    // All code up to `run_end` has the same place.
    FrameTable::Place place = frames_.find(at);
    ElfAddr run_end = std::min(end, place.end);
    uint64_t bytes = 0;
    bool any = false;
    for (; at < run_end; at = at + 1) {
      CodeByte instruction = code_.at(at);
      if (!instruction.is_code()) continue;
      bytes += instruction.size();
      any = true;
    }
    if (!any) continue;
    uint64_t weight = saturating_multiply(segment.count, bytes);
    coverage_.all = saturating_add(coverage_.all, weight);
    if (place.frame == FrameTable::kNoFrame) {
      coverage_.no_function = saturating_add(coverage_.no_function, weight);
      coverage_.lines_only = saturating_add(coverage_.lines_only, weight);
      continue;
    }
    totals_[place.frame] = saturating_add(totals_[place.frame], weight);
    touched_[place.frame] = true;
    if (place.line.line == 0) {
      coverage_.no_line = saturating_add(coverage_.no_line, weight);
      if (line_zero_ == LineZero::kSkip) continue;
    }
    LineLocation where = location(place.frame, place.line);
    uint32_t copies =
        discriminators_ == Discriminators::kWhole
            ? 1
            : DILocation::getDuplicationFactorFromDiscriminator(place.line.discriminator);
    lines_.push_back({place.frame, where.LineOffset, where.Discriminator,
                      saturating_multiply(segment.count, copies)});
  }
}

void UnitProfile::add_call(ElfAddr from, llvm::StringRef callee, uint64_t count) {
  FrameTable::Place place = frames_.find(from);
  coverage_.calls = saturating_add(coverage_.calls, count);
  if (place.frame == FrameTable::kNoFrame) return;
  touched_[place.frame] = true;
  if (place.line.line == 0) {
    coverage_.calls_no_line = saturating_add(coverage_.calls_no_line, count);
    if (line_zero_ == LineZero::kSkip) return;
  }
  LineLocation where = location(place.frame, place.line);
  calls_.push_back({place.frame, where.LineOffset, where.Discriminator, callee, count});
}

// Gives each frame that counts its samples: those of a function, or nested in its caller's at the
// place of the call.
void UnitProfile::make_samples(Functions& functions) {
  const std::vector<FrameTable::Frame>& frames = frames_.frames();
  // Outermost functions first: their map must not grow once frames point into it.
  for (size_t i = 0; i < frames.size(); i++)
    if (touched_[i] && frames[i].parent == FrameTable::kNoFrame && !is_ambiguous(frames[i].name))
      functions.try_emplace(frames[i].name);
  for (size_t i = 0; i < frames.size(); i++) {
    const FrameTable::Frame& frame = frames[i];
    if (!touched_[i] || is_ambiguous(frame.name)) continue;
    FunctionSamples* samples = nullptr;
    if (frame.parent == FrameTable::kNoFrame)
      samples = &functions[frame.name];
    else if (FunctionSamples* caller = samples_[frame.parent])
      samples = &caller->functionSamplesAt(
          location(frame.parent, frame.call))[llvm::sampleprof::FunctionId(frame.name)];
    else
      continue;
    samples->setContext(SampleContext(frame.name));
    samples->addTotalSamples(totals_[i]);
    samples_[i] = samples;
  }
}

UnitProfile::Functions UnitProfile::take_functions() {
  // A frame's total includes what was inlined into it; children stand behind their parents.
  for (size_t i = frames_.frames().size(); i-- > 0;) {
    uint32_t parent = frames_.frames()[i].parent;
    if (!touched_[i] || parent == FrameTable::kNoFrame) continue;
    totals_[parent] = saturating_add(totals_[parent], totals_[i]);
    touched_[parent] = true;
  }
  Functions functions;
  make_samples(functions);

  std::sort(lines_.begin(), lines_.end(), [](const LineCount& a, const LineCount& b) {
    return std::tie(a.frame, a.offset, a.discriminator, b.count) <
           std::tie(b.frame, b.offset, b.discriminator, a.count);
  });
  const LineCount* previous = nullptr;
  for (const LineCount& line : lines_) {
    bool same = previous != nullptr && previous->frame == line.frame &&
                previous->offset == line.offset && previous->discriminator == line.discriminator;
    previous = &line;
    FunctionSamples* samples = samples_[line.frame];
    if (same || samples == nullptr) continue;  // the first has the largest count
    // Another frame may have the same place in the source.
    auto counted = samples->findSamplesAt(line.offset, line.discriminator);
    uint64_t before = counted ? *counted : 0;
    if (line.count >= before)
      samples->addBodySamples(line.offset, line.discriminator, line.count - before);
  }
  for (const Call& call : calls_)
    if (FunctionSamples* samples = samples_[call.frame])
      samples->addCalledTargetSamples(call.offset, call.discriminator,
                                      llvm::sampleprof::FunctionId(call.callee), call.count);
  for (auto& [name, samples] : functions) samples.updateCallsiteSamples();
  return functions;
}

}  // namespace pgo
