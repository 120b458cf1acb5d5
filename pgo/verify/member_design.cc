#include "pgo/verify/member_design.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <numeric>
#include <string_view>
#include <tuple>

#include "pgo/base/hash.h"

namespace pgo::verify {
namespace {

// A row that is everything may add up to more than that by rounding.
constexpr double kRounding = 1e-9;

using Key = std::pair<std::string, std::string>;

// A member whose numbers are what the measure needs.
struct Usable {
  uint32_t member = 0;
  double denominator = 0;
  double exposure = 0;
};

double denominator_of(const Member& member, Measure measure) {
  if (measure == Measure::kShare) return member.weight;
  return measure == Measure::kPerUnit ? member.units : 1;
}

bool is_amount(double value) { return std::isfinite(value) && value >= 0; }

// Members in an order that does not depend on how they were given: by all that is known of them,
// and by what their rows hold where that is equal.
std::vector<uint32_t> canonical_order(const Side& side) {
  std::vector<uint64_t> contents(side.members.size());
  for (size_t row = 0; row < side.rows.size(); row++)
    for (const Cell& cell : side.rows[row]) {
      uint64_t hash = hash_more(hash_more(row + 1, std::bit_cast<uint64_t>(cell.value)),
                                std::bit_cast<uint32_t>(cell.samples));
      contents[cell.member] += hash;
    }
  auto key = [&](uint32_t m) {
    const Member& member = side.members[m];
    return std::tie(member.host, member.hour, member.weight, member.samples, member.units,
                    contents[m]);
  };
  std::vector<uint32_t> order(side.members.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](uint32_t m, uint32_t n) { return key(m) < key(n); });
  return order;
}

std::string describe(uint32_t member, std::string_view side) {
  return "profile " + std::to_string(member) + " of the " + std::string(side) + " side";
}

std::string describe_cell(size_t row, uint32_t member, std::string_view side) {
  return "row " + std::to_string(row) + " in " + describe(member, side);
}

Result<void> check_cell(const Side& side, const Cell& cell, size_t row, std::string_view name) {
  std::string problem;
  if (!is_amount(cell.value) || !is_amount(cell.samples))
    problem = " has a weight or samples that are not numbers from 0 on";
  else if (cell.value > 0 && cell.samples <= 0)
    problem = " has weight, but no samples";
  else if (cell.value > side.members[cell.member].weight * (1 + kRounding))
    problem = " has more weight than all of the profile";
  else
    return ok();
  return fail(ErrorKind::kInput, describe_cell(row, cell.member, name) + problem);
}

// Members and rows are counted from 0.
Result<void> check_side(const Side& side, std::string_view name) {
  for (uint32_t m = 0; m < side.members.size(); m++) {
    const Member& member = side.members[m];
    if (!is_amount(member.weight) || !is_amount(member.samples) || !is_amount(member.units))
      return fail(ErrorKind::kInput, describe(m, name) +
                                         " has a weight, samples or units of work that are not "
                                         "numbers from 0 on");
  }
  std::vector<size_t> rows_seen(side.members.size());  // the last row of each member, and one more
  for (size_t row = 0; row < side.rows.size(); row++)
    for (const Cell& cell : side.rows[row]) {
      if (cell.member >= side.members.size())
        return fail(ErrorKind::kInternal,
                    describe_cell(row, cell.member, name) + ": there is no such profile");
      PGO_CHECK(check_cell(side, cell, row, name));
      if (rows_seen[cell.member] == row + 1)
        return fail(ErrorKind::kInternal,
                    describe_cell(row, cell.member, name) + " is there more than once");
      rows_seen[cell.member] = row + 1;
    }
  return ok();
}

std::vector<Usable> usable_members(const Side& side, const std::vector<uint32_t>& order,
                                   Measure measure) {
  std::vector<Usable> usable;
  for (uint32_t m : order) {
    const Member& member = side.members[m];
    double denominator = denominator_of(member, measure);
    if (member.weight > 0 && member.samples > 0 && denominator > 0)
      usable.push_back({m, denominator, denominator * (member.samples / member.weight)});
  }
  return usable;
}

double total_weight(const Side& side, const std::vector<Usable>& members) {
  double sum = 0;
  for (const Usable& member : members) sum += side.members[member.member].weight;
  return sum;
}

double total_denominator(const std::vector<Usable>& members) {
  double sum = 0;
  for (const Usable& member : members) sum += member.denominator;
  return sum;
}

// Of each cluster, by number: what its rate weighs, and how uncertain sampling leaves it.
struct Builder {
  explicit Builder(size_t members) { side.places.resize(members); }

  // `weight`: the part of the side's rate that this member's rate is.
  void add(const Usable& member, uint32_t cluster, double weight) {
    if (cluster >= side.clusters.size()) {
      side.clusters.resize(cluster + 1);
      uncertainty.resize(cluster + 1);
    }
    side.places[member.member] = {cluster, weight / member.denominator};
    side.clusters[cluster].weight += weight;
    // The variance of a rate from Poisson counts, in parts of the rate: 1 / exposure.
    uncertainty[cluster] += weight * weight / member.exposure;
  }

  SideDesign finish() {
    double sum = 0;
    for (size_t c = 0; c < side.clusters.size(); c++) {
      Cluster& cluster = side.clusters[c];
      cluster.exposure = cluster.weight * cluster.weight / uncertainty[c];
      sum += uncertainty[c];
    }
    side.exposure = 1 / sum;
    return std::move(side);
  }

  SideDesign side;
  std::vector<double> uncertainty;
};

// Numbers of clusters: one for each host, and for each member without one.
std::vector<uint32_t> clusters_by_host(const Side& side, const std::vector<Usable>& members) {
  std::vector<uint32_t> clusters;
  std::map<std::string, uint32_t> hosts;
  uint32_t next = 0;
  for (const Usable& member : members) {
    const std::string& host = side.members[member.member].host;
    auto [found, fresh] = hosts.try_emplace(host, next);
    if (fresh || host.empty())
      clusters.push_back(next++);
    else
      clusters.push_back(found->second);
  }
  return clusters;
}

SideDesign unpaired_side(const Side& side, const std::vector<Usable>& members,
                         const std::vector<uint32_t>& clusters) {
  Builder builder(side.members.size());
  double sum = total_denominator(members);
  for (size_t i = 0; i < members.size(); i++)
    builder.add(members[i], clusters[i], members[i].denominator / sum);
  return builder.finish();
}

size_t count_clusters(const std::vector<uint32_t>& clusters) {
  return *std::max_element(clusters.begin(), clusters.end()) + size_t{1};
}

void design_unpaired(const Side& a, const Side& b, const std::vector<Usable>& members_a,
                     const std::vector<Usable>& members_b, MemberDesign& design) {
  std::vector<uint32_t> clusters_a = clusters_by_host(a, members_a);
  std::vector<uint32_t> clusters_b = clusters_by_host(b, members_b);
  bool alone = count_clusters(clusters_a) + count_clusters(clusters_b) < 3;
  if (alone && members_a.size() + members_b.size() > 2) {
    // One host a side, at several times.
    std::iota(clusters_a.begin(), clusters_a.end(), 0u);
    std::iota(clusters_b.begin(), clusters_b.end(), 0u);
    design.few_hosts = true;
  }
  design.a = unpaired_side(a, members_a, clusters_a);
  design.b = unpaired_side(b, members_b, clusters_b);
  design.basis =
      design.a.clusters.size() + design.b.clusters.size() < 3 ? Basis::kSampling : Basis::kMembers;
}

// The members of both sides that have a key.
struct Pair {
  std::vector<Usable> a, b;
};
using Pairs = std::map<Key, Pair>;

// The pairs that have members on both sides.
Pairs find_pairs(const Side& a, const Side& b, const std::vector<Usable>& members_a,
                 const std::vector<Usable>& members_b, bool by_hour, PairsFound& found) {
  found = {};
  Pairs pairs;
  auto key = [&](const Member& member) { return Key{member.host, by_hour ? member.hour : ""}; };
  for (const Usable& m : members_a)
    if (!a.members[m.member].host.empty()) pairs[key(a.members[m.member])].a.push_back(m);
  for (const Usable& m : members_b)
    if (!b.members[m.member].host.empty()) pairs[key(b.members[m.member])].b.push_back(m);
  for (auto at = pairs.begin(); at != pairs.end();) {
    const Pair& pair = at->second;
    found.has_hosts[0] |= !pair.a.empty();
    found.has_hosts[1] |= !pair.b.empty();
    if (pair.a.empty() || pair.b.empty()) {
      at = pairs.erase(at);
      continue;
    }
    found.by_hour |= !at->first.second.empty();
    found.weight[0] += total_weight(a, pair.a);
    found.weight[1] += total_weight(b, pair.b);
    ++at;
  }
  found.pairs = pairs.size();
  found.weight[0] /= total_weight(a, members_a);
  found.weight[1] /= total_weight(b, members_b);
  return pairs;
}

bool are_enough(const PairsFound& found) {
  return found.pairs >= kMinPairs && found.weight[0] >= kMinPairedWeight &&
         found.weight[1] >= kMinPairedWeight;
}

void design_pairs(const Side& a, const Side& b, const Pairs& pairs, MemberDesign& design) {
  size_t hosts = 0;
  const std::string* host = nullptr;
  for (const auto& [key, pair] : pairs) {
    if (host == nullptr || *host != key.first) hosts++;
    host = &key.first;
  }
  design.basis = Basis::kPairs;
  design.few_hosts = hosts < kMinPairedHosts;
  double sum_a = 0, sum_b = 0;
  for (const auto& [key, pair] : pairs) {
    sum_a += total_denominator(pair.a);
    sum_b += total_denominator(pair.b);
  }
  Builder side_a(a.members.size()), side_b(b.members.size());
  uint32_t cluster = 0;
  host = nullptr;
  for (const auto& [key, pair] : pairs) {
    if (host != nullptr && (design.few_hosts || *host != key.first)) cluster++;
    host = &key.first;
    double of_a = total_denominator(pair.a), of_b = total_denominator(pair.b);
    double weight = (of_a / sum_a + of_b / sum_b) / 2;
    for (const Usable& member : pair.a)
      side_a.add(member, cluster, weight * member.denominator / of_a);
    for (const Usable& member : pair.b)
      side_b.add(member, cluster, weight * member.denominator / of_b);
  }
  design.a = side_a.finish();
  design.b = side_b.finish();
}

double weight_per_denominator(const Side& side, const std::vector<Usable>& members) {
  return total_weight(side, members) / total_denominator(members);
}

LeftOutReason why_left_out(const Member& member, Measure measure) {
  if (member.emptied) return LeftOutReason::kEmptied;
  if (!(member.weight > 0 && member.samples > 0)) return LeftOutReason::kNoSamples;
  if (!(denominator_of(member, measure) > 0)) return LeftOutReason::kNoUnits;
  return LeftOutReason::kNoPartner;
}

std::vector<LeftOut> find_left_out(const Side& side, const SideDesign& design, Measure measure) {
  std::vector<LeftOut> result;
  for (uint32_t m = 0; m < side.members.size(); m++)
    if (!design.places[m].cluster) result.push_back({m, why_left_out(side.members[m], measure)});
  return result;
}

}  // namespace

Result<MemberDesign> design_members(const Side& a, const Side& b, Measure measure,
                                    Pairing pairing) {
  PGO_CHECK(check_side(a, "first"));
  PGO_CHECK(check_side(b, "second"));
  std::vector<uint32_t> order_a = canonical_order(a), order_b = canonical_order(b);
  std::vector<Usable> members_a = usable_members(a, order_a, measure);
  std::vector<Usable> members_b = usable_members(b, order_b, measure);
  if (members_a.empty() || members_b.empty())
    return fail(ErrorKind::kEmpty,
                std::string("no profile of the ") + (members_a.empty() ? "first" : "second") +
                    " side has " +
                    (measure == Measure::kPerUnit ? "samples and units of work" : "samples"));
  MemberDesign design;
  Pairs pairs;
  if (pairing == Pairing::kWherePossible) {
    pairs = find_pairs(a, b, members_a, members_b, true, design.found);
    if (!are_enough(design.found))
      pairs = find_pairs(a, b, members_a, members_b, false, design.found);
  }
  if (are_enough(design.found))
    design_pairs(a, b, pairs, design);
  else
    design_unpaired(a, b, members_a, members_b, design);
  design.a.weight_per_denominator = weight_per_denominator(a, members_a);
  design.b.weight_per_denominator = weight_per_denominator(b, members_b);
  design.a.order = std::move(order_a);
  design.b.order = std::move(order_b);
  design.a.left_out = find_left_out(a, design.a, measure);
  design.b.left_out = find_left_out(b, design.b, measure);
  return design;
}

}  // namespace pgo::verify
