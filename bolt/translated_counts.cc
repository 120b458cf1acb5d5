#include "bolt/translated_counts.h"

#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

using Kind = MovedCode::Kind;
using Place = MovedCode::Place;

class Translator {
 public:
  explicit Translator(MovedCode moved) : moved_(std::move(moved)) {}

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
      complete = translate_code(*trace.to, *trace.last, piece) && complete;
    }
    complete = complete && (to || !trace.last);
    uint64_t& total = complete ? report_.whole : report_.cut;
    total = saturating_add(total, trace.count);
    if (complete && is_unmoved(trace))
      report_.unmoved = saturating_add(report_.unmoved, trace.count);
  }

  void translate(const Mispredict& branch) {
    OptElfAddr from = translate_source(branch.from), to = translate_target(branch.to);
    if (from || to) counts_.mispredicts.push_back({from, to, branch.count});
  }

  void translate(const IpCount& sample) {
    report_.ips_seen = saturating_add(report_.ips_seen, sample.count);
    if (OptElfAddr ip = translate_target(sample.ip))
      counts_.ips.push_back({*ip, sample.count});
    else
      report_.ips_dropped = saturating_add(report_.ips_dropped, sample.count);
  }

  TranslatedCounts finish(const ElfImage& input) {
    counts_.id = input.build_id();
    counts_.path_hint = input.path();
    counts_.normalize();
    return {std::move(counts_), report_};
  }

 private:
  OptElfAddr translate_target(OptElfAddr addr) {
    if (!addr) return {};
    Place place = moved_.find(*addr);
    if (place.kind == Kind::kUnmoved) return addr;
    if (place.kind == Kind::kUnknown) return {};
    return moved_.to_input(place, *addr);
  }

  OptElfAddr translate_source(OptElfAddr addr) {
    if (!addr) return {};
    Place place = moved_.find(*addr);
    if (place.kind == Kind::kUnmoved) return addr;
    if (place.kind == Kind::kUnknown) return {};
    return moved_.source_to_input(place, *addr);
  }

  bool is_unmoved(const Trace& trace) const {
    for (OptElfAddr addr : {trace.from, trace.to, trace.last})
      if (addr && moved_.find(*addr).kind != Kind::kUnmoved) return false;
    return true;
  }

  // Adds what `piece`, a branch so far, ran through afterwards: [to, last] of the BOLTed file.
  // False when that code is not one stretch of one function.
  bool translate_code(ElfAddr to, ElfAddr last, Trace piece) {
    Place place = moved_.find(to), last_place = moved_.find(last);
    bool one_stretch = place.kind == last_place.kind && to <= last &&
                       (place.kind == Kind::kUnmoved ||
                        (place.kind == Kind::kMoved && place.fragment == last_place.fragment));
    if (!one_stretch) {
      counts_.traces.push_back(piece);
      return false;
    }
    if (place.kind == Kind::kMoved) {
      pass_bypassed_jumps(piece);
      for (; place.block < last_place.block; place.block++) {
        Place next = place;
        next.block++;
        piece = cross(piece, moved_.block(place).last, moved_.block(next).first);
      }
    }
    piece.last = translate_source(last);
    bool forward = piece.last && *piece.to <= *piece.last;
    if (!forward) piece.last = {};
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
  // traces of their own, and it the branch from the last of them.
  void pass_bypassed_jumps(Trace& piece) {
    if (!piece.from) return;
    for (ElfAddr jump : moved_.bypassed_jumps(*piece.from, *piece.to)) {
      counts_.traces.push_back({piece.from, jump, jump, piece.reading, piece.count});
      piece.from = jump;
    }
  }

  MovedCode moved_;
  BinaryCounts counts_;
  TranslationReport report_;
};

}  // namespace

std::optional<std::string> TranslationReport::check() const {
  if (seen == saturating_add(whole, saturating_add(cut, dropped)) && unmoved <= whole &&
      ips_dropped <= ips_seen)
    return std::nullopt;
  return "translated traces do not add up: seen " + std::to_string(seen) + ", whole " +
         std::to_string(whole) + ", cut " + std::to_string(cut) + ", dropped " +
         std::to_string(dropped);
}

Result<TranslatedCounts> translate_counts(const BinaryCounts& counts, const CodeOfFile& bolted,
                                          const CodeOfFile& input) {
  PGO_TRY(MovedCode moved, MovedCode::build(bolted, input));
  Translator translator(std::move(moved));
  for (const Trace& trace : counts.traces) translator.translate(trace);
  for (const Mispredict& branch : counts.mispredicts) translator.translate(branch);
  for (const IpCount& sample : counts.ips) translator.translate(sample);
  TranslatedCounts translated = translator.finish(*input.image);
  if (translated.counts.empty() && !counts.empty())
    return fail(ErrorKind::kEmpty, bolted.image->path() +
                                       ": no recorded address could be translated to " +
                                       input.image->path() +
                                       ": are these the files that ran and that it was made from?");
  return translated;
}

}  // namespace pgo
