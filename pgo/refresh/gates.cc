#include "pgo/refresh/gates.h"

#include <algorithm>
#include <utility>

#include "pgo/base/number_text.h"
#include "pgo/profile/thresholds.h"

namespace pgo {
namespace {

std::string percent_text(double percent) { return format_decimal(percent, 1) + " %"; }

std::string number_text(double number) {
  const std::string text = format_decimal(number, 1);
  return text.ends_with(".0") ? format_count(static_cast<uint64_t>(number)) : text;
}

// Checks one gate after another, and keeps what came out.
class GateCheck {
 public:
  // A number that must not be below `least`; with `least` alone, that it is not known.
  void at_least(const std::string& name, const std::optional<double>& least,
                const std::optional<double>& found, std::string (*text)(double),
                const std::string& reason, const std::string& not_known = "is not known") {
    if (!least) return;
    add(name, found ? text(*found) : "-", "at least " + text(*least),
        !found            ? GateVerdict::kNotChecked
        : *found < *least ? GateVerdict::kFailed
                          : GateVerdict::kPassed,
        found ? reason : not_known);
  }

  void add(std::string name, std::string found, std::string wanted, GateVerdict verdict,
           std::string reason) {
    if (verdict == GateVerdict::kPassed) reason.clear();
    results_.push_back(
        {std::move(name), std::move(found), std::move(wanted), verdict, std::move(reason)});
  }

  std::vector<GateResult> results() && {
    std::sort(results_.begin(), results_.end(),
              [](const GateResult& a, const GateResult& b) { return a.name < b.name; });
    return std::move(results_);
  }

 private:
  std::vector<GateResult> results_;
};

void check_evidence(const std::string& name, const std::vector<Evidence>& wanted, Evidence found,
                    GateCheck& check) {
  if (wanted.empty()) return;
  std::string words;
  for (const Evidence evidence : wanted)
    words += (words.empty() ? "" : " or ") + std::string(evidence_words(evidence));
  const bool is_one = std::find(wanted.begin(), wanted.end(), found) != wanted.end();
  check.add(name, std::string(evidence_words(found)), words,
            is_one ? GateVerdict::kPassed : GateVerdict::kFailed,
            "the profiles were not recorded in the way that the gate asks for");
}

// A profile of unknown quality (of Go, which the counts are not judged of) is not checked.
void check_quality(const std::string& name, Quality wanted, Quality found, GateCheck& check) {
  check.add(name, std::string(quality_name(found)), "at least " + std::string(quality_name(wanted)),
            found == Quality::kUnknown ? GateVerdict::kNotChecked
            : found < wanted           ? GateVerdict::kFailed
                                       : GateVerdict::kPassed,
            found == Quality::kUnknown
                ? "the quality is not known"
                : "there are too few samples; record more hosts or a longer time");
}

std::optional<double> in_percent(const std::optional<double>& share) {
  return share ? std::optional(100 * *share) : std::nullopt;
}

// `of` distinguishes the gates of a file: " (bolt)", " (bolt libquery.so)".
void check_counts(const ServiceGates& gates, const CountFigures& figures, const std::string& of,
                  GateCheck& check) {
  check_evidence("evidence" + of, gates.evidence, figures.evidence, check);
  check_quality("min-quality" + of, gates.quality.value_or(thresholds::kDefaultMinQuality),
                figures.quality, check);
  check.at_least("min-density" + of, gates.density, figures.density, number_text,
                 "hot functions have too few counts; record more hosts or a longer time",
                 "no density is known: only a compile profile of branch records has one");
  check.at_least("min-halves" + of, gates.halves, in_percent(figures.halves), percent_text,
                 "two halves of the samples give different profiles; record more hosts or a longer "
                 "time");
  check.at_least("min-samples" + of, gates.samples, static_cast<double>(figures.samples),
                 number_text, "there are too few samples; record more hosts or a longer time");
}

std::string bolt_suffix(const BoltFigures& bolt) {
  return " (bolt" + (bolt.library.empty() ? "" : " " + bolt.library) + ")";
}

// Where all are archived, only if pgo.toml has a limit.
void check_missing_builds(const std::optional<double>& limit, double missing, GateCheck& check) {
  if (!limit && missing == 0) return;
  const double most = limit.value_or(thresholds::kDefaultMaxMissingBuilds);
  check.add("max-missing-builds", percent_text(100 * missing), "at most " + percent_text(most),
            100 * missing > most ? GateVerdict::kFailed : GateVerdict::kPassed,
            "samples in programs and libraries of the service are not used if no archive has these "
            "files; run 'pgo archive' for each file of a release");
}

}  // namespace

std::vector<GateResult> check_gates(const ServiceGates& gates, const GateFigures& figures) {
  GateCheck check;
  check_counts(gates, figures, "", check);
  for (const BoltFigures& bolt : figures.bolt) check_counts(gates, bolt, bolt_suffix(bolt), check);
  check_missing_builds(gates.missing_builds, figures.missing_builds, check);
  check.at_least("min-hosts", gates.hosts, static_cast<double>(figures.hosts), number_text,
                 figures.are_hosts_known
                     ? "too few hosts have profiles to represent all; do the others upload theirs?"
                     : "pgo does not know the hosts of the profiles; if the paths of the profiles "
                       "have the host's name, write {host} for it in path-template");
  if (gates.match || figures.match_rate)
    check.at_least("min-match", gates.match ? gates.match : figures.usual_match,
                   in_percent(figures.match_rate), percent_text,
                   "the profile does not fit the current build: " + figures.matched +
                       "; was an old release recorded?",
                   figures.not_matched);
  else if (figures.lacks_build)
    check.add("min-match", "-", "-", GateVerdict::kNotChecked, figures.not_matched);
  // Without inline stacks: the recorded build may be the first that was made with a profile, and
  // inlines differently than the one before.
  if (gates.overlap || figures.code_overlap)
    check.at_least("min-overlap", gates.overlap.value_or(thresholds::kDefaultMinOverlap),
                   in_percent(figures.code_overlap), percent_text,
                   "the profile differs much from the pinned one, so it may not be representative; "
                   "if it is, lower min-overlap once",
                   figures.not_overlapped);
  return std::move(check).results();
}

std::vector<GateResult> check_bolt_gates(const ServiceGates& gates, const BoltFigures& figures) {
  GateCheck check;
  check_counts(gates, figures, "", check);
  return std::move(check).results();
}

std::string describe_failed_gate(const std::vector<GateResult>& gates) {
  for (const GateResult& gate : gates)
    if (gate.verdict == GateVerdict::kFailed)
      return gate.name + " failed (found " + gate.found + ", wanted " + gate.wanted +
             "): " + gate.reason;
  return "";
}

void insert_gate(GateResult added, std::vector<GateResult>& gates) {
  const auto place = std::find_if(gates.begin(), gates.end(),
                                  [&](const GateResult& gate) { return gate.name > added.name; });
  gates.insert(place, std::move(added));
}

GateResult refuse_bolt_evidence(Evidence found, const std::string& reason) {
  return {"bolt-evidence", std::string(evidence_words(found)),
          std::string(evidence_words(Evidence::kBranchRecords)), GateVerdict::kFailed, reason};
}

uint64_t count_failed(const std::vector<GateResult>& gates) {
  return static_cast<uint64_t>(
      std::count_if(gates.begin(), gates.end(),
                    [](const GateResult& gate) { return gate.verdict == GateVerdict::kFailed; }));
}

}  // namespace pgo
