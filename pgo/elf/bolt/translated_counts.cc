#include "pgo/elf/bolt/translated_counts.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using Kind = MovedCode::Kind;
using Place = MovedCode::Place;

class Translator {
 public:
  Translator(MovedCode moved, const CodeMap& bolted) : moved_(std::move(moved)), bolted_(bolted) {}

  void translate(const Trace& trace) {
    report_.seen = saturating_add(report_.seen, trace.count);
    OptElfAddr from = translate_source(trace.from), to = translate_target(trace.to);
    bool complete =
        from.has_value() == trace.from.has_value() && to.has_value() == trace.to.has_value();
    if (!from && !to) {
      report_.dropped = saturating_add(report_.dropped, trace.count);
      return;
    }
    Trace piece{from, to, {}, trace.reading, trace.count};
    if (!to || !trace.last) {
      counts_.traces.push_back(piece);
    } else {
      complete = translate_code(trace, piece) && complete;
    }
    complete = complete && (to || !trace.last);
    uint64_t& total = complete ? report_.whole : report_.cut;
    total = saturating_add(total, trace.count);
  }

  // `report_` counts traces only: each misprediction is of a branch that traces have.
  void translate(const Mispredict& branch) {
    OptElfAddr from = translate_source(branch.from), to = translate_target(branch.to);
    if (from || to) counts_.mispredicts.push_back({from, to, branch.count});
  }

  TranslatedCounts finish(const ElfImage& input) {
    counts_.id = input.build_id();
    counts_.path_hint = input.path();
    counts_.normalize();
    return {std::move(counts_), report_};
  }

 private:
  using ToInput = ElfAddr (MovedCode::*)(const Place&, ElfAddr);

  OptElfAddr translate(OptElfAddr addr, ToInput moved_to_input) {
    if (!addr) return {};
    Place place = moved_.find(*addr);
    if (place.kind == Kind::kUnmoved) return addr;
    if (place.kind == Kind::kUnknown) return {};
    return (moved_.*moved_to_input)(place, *addr);
  }
  OptElfAddr translate_source(OptElfAddr addr) {
    return translate(addr, &MovedCode::source_to_input);
  }
  OptElfAddr translate_target(OptElfAddr addr) {
    return translate(addr, &MovedCode::target_to_input);
  }

  // Adds what `piece`, a branch so far, ran through afterwards: that of `trace`, in the BOLTed
  // file. False when that code is not one stretch of one function, or cannot have run straight.
  bool translate_code(const Trace& trace, Trace piece) {
    Place place = moved_.find(*trace.to), end = moved_.find(*trace.last);
    bool one_stretch = place.kind == end.kind && *trace.to <= *trace.last &&
                       (place.kind == Kind::kUnmoved ||
                        (place.kind == Kind::kMoved && place.fragment == end.fragment));
    if (one_stretch && bolted_.find_barrier(*trace.to, *trace.last)) {
      if (trace.reading != TraceReading::kBolt)
        report_.broken_ranges = saturating_add(report_.broken_ranges, trace.count);
      one_stretch = false;
    }
    if (one_stretch && place.kind == Kind::kMoved)
      return translate_blocks(trace, place, end, piece);
    if (one_stretch) piece.last = trace.last;
    counts_.traces.push_back(piece);
    return one_stretch;
  }

  bool translate_blocks(const Trace& trace, Place place, Place end, Trace piece) {
    pass_bypassed_jumps(piece);
    std::optional<ElfAddr> rest;
    if (moved_.starts_block(place, *trace.to) && moved_.may_return(trace.from))
      rest = moved_.rest_after_call(place);
    if (rest) {
      piece.to = *rest;
      place.block--;
    } else if (moved_.is_added(place, *trace.to)) {
      // A jump that llvm-bolt added after a call: nothing of the input ran here.
      counts_.traces.push_back(piece);
      if (place.block == end.block) return true;
      piece.from = moved_.block(place).last;
      place.block++;
      piece.to = moved_.block(place).first;
    }
    for (; place.block < end.block; place.block++) {
      Place next = place;
      next.block++;
      piece = cross(piece, moved_.block(place).last, moved_.block(next).first);
    }
    ElfAddr last = moved_.source_to_input(end, *trace.last);
    bool forward = *piece.to <= last;
    if (forward) piece.last = last;
    counts_.traces.push_back(piece);
    return forward;
  }

  // `piece` runs to the end of a block and into the next, which begins at `first` in the input.
  Trace cross(Trace piece, OptElfAddr end, ElfAddr first) {
    bool forward = end && *piece.to <= *end;
    if (forward && moved_.falls_through(*end, first)) return piece;
    if (forward) piece.last = end;
    counts_.traces.push_back(piece);
    Trace next{forward ? end : OptElfAddr(), first, {}, piece.reading, piece.count};
    pass_bypassed_jumps(next);
    return next;
  }

  // `piece` is a branch so far. Where the input came to its target by lone jumps, they become
  // traces of their own, and it the branch from the last of them. For BOLT a conditional jump and
  // the jump after it end one block: it would take a trace from the one to the other for a branch
  // into the middle of that block.
  void pass_bypassed_jumps(Trace& piece) {
    if (!piece.from) return;
    for (ElfAddr jump : moved_.bypassed_jumps(*piece.from, *piece.to)) {
      const bool in_one_block = moved_.falls_through(*piece.from, jump);
      if (!in_one_block)
        counts_.traces.push_back({piece.from, jump, jump, piece.reading, piece.count});
      else if (piece.reading != TraceReading::kBolt)
        counts_.traces.push_back({piece.from, jump, jump, TraceReading::kLlvm, piece.count});
      piece.from = jump;
    }
  }

  MovedCode moved_;
  const CodeMap& bolted_;  // its instructions
  BinaryCounts counts_;
  TranslationReport report_;
};

}  // namespace

std::optional<std::string> TranslationReport::check() const {
  if (seen == saturating_add(whole, saturating_add(cut, dropped)) && broken_ranges <= cut)
    return std::nullopt;
  return "translated traces do not add up: seen " + std::to_string(seen) + ", whole " +
         std::to_string(whole) + ", cut " + std::to_string(cut) + ", dropped " +
         std::to_string(dropped);
}

BinaryCounts without_newest_branches(const BinaryCounts& counts) {
  auto is_newest = [](const Trace& trace) { return trace.to && !trace.last; };
  // Traces that were inferred from PC samples come from no stacks.
  if (!counts.pc_samples.empty() || std::ranges::all_of(counts.traces, is_newest)) return counts;
  BinaryCounts kept = counts;
  std::erase_if(kept.traces, is_newest);
  // No branch can have been predicted wrongly more often than it was taken.
  std::map<std::pair<OptElfAddr, OptElfAddr>, uint64_t> taken;
  for (const Trace& trace : kept.traces) {
    uint64_t& count = taken[{trace.from, trace.to}];
    count = saturating_add(count, trace.count);
  }
  for (Mispredict& branch : kept.mispredicts)
    branch.count = std::min(branch.count, taken[{branch.from, branch.to}]);
  std::erase_if(kept.mispredicts, [](const Mispredict& branch) { return branch.count == 0; });
  return kept;
}

Result<TranslatedCounts> translate_counts(const BinaryCounts& counts, const TargetBinary& bolted,
                                          const TargetBinary& input) {
  PGO_TRY(MovedCode moved, MovedCode::build(bolted, input));
  Translator translator(std::move(moved), *bolted.code);
  for (const Trace& trace : counts.traces) translator.translate(trace);
  for (const Mispredict& branch : counts.mispredicts) translator.translate(branch);
  TranslatedCounts translated = translator.finish(*input.image);
  if (translated.counts.traces.empty() && !counts.traces.empty())
    return fail(ErrorKind::kEmpty, bolted.image->path() +
                                       ": no recorded address could be translated to " +
                                       input.image->path() +
                                       ": are these the files that ran and that it was made from?");
  return translated;
}

}  // namespace pgo
