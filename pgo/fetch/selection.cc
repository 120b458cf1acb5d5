#include "pgo/fetch/selection.h"

#include <algorithm>
#include <map>
#include <utility>

#include "pgo/base/sha256.h"
#include "pgo/base/text_bytes.h"
#include "pgo/profile/accounting.h"

namespace pgo {
namespace {

// A candidate with what decides about its turn.
struct Ranked {
  size_t candidate = 0;  // index
  Sha256::Digest digest{};
  size_t stratum = 0;
  uint64_t rank = 0;  // in its stratum, by digest
};

uint64_t size_of(const Candidate& candidate) { return candidate.object.size.value_or(0); }

Sha256::Digest digest_of(const Candidate& candidate) {
  Sha256 hash;
  const std::string& name = candidate.object.name;
  hash.add(as_bytes(name));
  return hash.digest();
}

// Sorts by rank, then by digest: the order in which profiles are taken.
void sort_by_rank(std::vector<Ranked>& all) {
  std::stable_sort(all.begin(), all.end(),
                   [](const Ranked& a, const Ranked& b) { return a.rank < b.rank; });
}

class Chooser {
 public:
  Chooser(const std::vector<Candidate>& candidates, const SelectionLimits& limits)
      : candidates_(candidates), limits_(limits) {
    for (size_t i = 0; i < candidates.size(); i++)
      by_digest_.push_back({i, digest_of(candidates[i]), 0, 0});
    // Candidates are sorted, so equal digests (one name in several sources) keep that order.
    std::stable_sort(by_digest_.begin(), by_digest_.end(),
                     [](const Ranked& a, const Ranked& b) { return a.digest < b.digest; });
  }

  // In the order in which they are taken, with strata of this detail.
  std::vector<Ranked> order(StratumDetail detail, std::vector<Stratum>& strata) const {
    std::map<StratumKey, size_t> keys;
    for (const Candidate& candidate : candidates_) keys.emplace(stratum_key(candidate, detail), 0);
    strata.clear();
    for (auto& [key, index] : keys) {
      index = strata.size();
      strata.push_back({.key = key});
    }
    std::vector<Ranked> all = by_digest_;
    for (Ranked& one : all) {
      const Candidate& candidate = candidates_[one.candidate];
      one.stratum = keys.at(stratum_key(candidate, detail));
      Stratum& stratum = strata[one.stratum];
      stratum.listed++;
      stratum.listed_bytes = saturating_add(stratum.listed_bytes, size_of(candidate));
    }
    std::vector<uint64_t> next(strata.size());
    for (Ranked& one : all) one.rank = next[one.stratum]++;
    sort_by_rank(all);
    return all;
  }

  // How many of `ordered` fit the limits.
  size_t count_fitting(const std::vector<Ranked>& ordered) const {
    uint64_t bytes = 0;
    size_t count = 0;
    for (; count < ordered.size() && count < limits_.max_profiles; count++) {
      bytes = saturating_add(bytes, size_of(candidates_[ordered[count].candidate]));
      if (bytes > limits_.max_bytes) break;
    }
    return count;
  }

 private:
  const std::vector<Candidate>& candidates_;
  const SelectionLimits& limits_;
  std::vector<Ranked> by_digest_;
};

}  // namespace

StratumKey stratum_key(const Candidate& candidate, StratumDetail detail) {
  const Labels& labels = candidate.object.labels;
  StratumKey key{.host = {},
                 .hour = {},
                 .zone = label_of(labels, kZoneLabel),
                 .version = label_of(labels, kVersionLabel),
                 .endpoint = label_of(labels, kEndpointLabel)};
  if (detail == StratumDetail::kHostAndHour) key.host = host_label_of(labels);
  if (detail != StratumDetail::kNeither) key.hour = candidate.recorded.hour;
  return key;
}

std::string describe_stratum(const StratumKey& key) {
  const std::pair<const char*, const std::string*> parts[] = {{"host", &key.host},
                                                              {"hour", &key.hour},
                                                              {"zone", &key.zone},
                                                              {"version", &key.version},
                                                              {"endpoint", &key.endpoint}};
  std::string text;
  for (const auto& [name, value] : parts)
    if (!value->empty()) text += (text.empty() ? "" : ", ") + std::string(name) + " " + *value;
  return text.empty() ? "all profiles" : text;
}

Selection choose_profiles(std::vector<Candidate> candidates, const SelectionLimits& limits) {
  Selection selection;
  std::sort(candidates.begin(), candidates.end());
  auto fits = [&](const Candidate& one) { return size_of(one) <= limits.max_bytes; };
  auto large = std::stable_partition(candidates.begin(), candidates.end(), fits);
  selection.too_large.assign(std::make_move_iterator(large),
                             std::make_move_iterator(candidates.end()));
  candidates.erase(large, candidates.end());

  const Chooser chooser(candidates, limits);
  std::vector<Ranked> ordered;
  size_t count = 0;
  for (StratumDetail detail :
       {StratumDetail::kHostAndHour, StratumDetail::kHour, StratumDetail::kNeither}) {
    selection.detail = detail;
    ordered = chooser.order(detail, selection.strata);
    count = chooser.count_fitting(ordered);
    if (count >= selection.strata.size()) break;
  }

  for (size_t i = count; i < ordered.size(); i++) {
    selection.left_out++;
    selection.left_out_bytes =
        saturating_add(selection.left_out_bytes, size_of(candidates[ordered[i].candidate]));
  }
  ordered.resize(count);
  std::sort(ordered.begin(), ordered.end(),
            [](const Ranked& a, const Ranked& b) { return a.candidate < b.candidate; });
  for (const Ranked& one : ordered) {
    Candidate& candidate = candidates[one.candidate];
    Stratum& stratum = selection.strata[one.stratum];
    stratum.chosen++;
    stratum.chosen_bytes += size_of(candidate);
    selection.chosen.push_back({std::move(candidate), one.stratum});
  }
  return selection;
}

}  // namespace pgo
