// MemberDesign: which members of two sides belong together, and how much each counts. It is the
// same for all rows of a table.
//
// A side's rate of a row is the weighted mean of its members' rates:
//
//     rate = sum factor(member) * value(member)
//
// Without pairs, factor is 1 / (sum of all members' denominators): the rate is a ratio of sums,
// what the merged profile would show, since that is what the fleet pays. The mean of members' own
// shares would be less uncertain where loads differ much, but it is the cost of no fleet: an idle
// host counts as much as a busy one. With pairs, both sides weigh each pair the same, by the mean
// of its two loads: otherwise load that moved from host to host would look like a change of code.
//
// A cluster is what varies independently: a host with all its members, or a pair of hosts.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "pgo/base/result.h"
#include "pgo/verify/side.h"

namespace pgo::verify {

// What a member's values are divided by.
enum class Measure {
  kShare,    // the member's weight
  kPerUnit,  // its units of work
  kTotal,    // nothing: rates are values per member
};

// What a difference between the sides is compared with.
enum class Basis {
  kSampling,  // how many samples there are; a profile a side says nothing of how hosts vary
  kMembers,   // how much members of one side differ
  kPairs,     // how much the differences of pairs differ
};

enum class Pairing { kWherePossible, kNever };

// Pairs are used when there are at least so many of them: with two, one degree of freedom is left.
inline constexpr size_t kMinPairs = 3;
// ... and they hold at least this share of the weight of each side; members without a partner are
// left out then. Leaving out more would answer another question than was asked.
inline constexpr double kMinPairedWeight = .8;
// Hosts are the clusters of pairs from so many hosts on. Pairs of fewer hosts are clusters each:
// they tell of these hosts, not of others.
inline constexpr size_t kMinPairedHosts = 3;

struct Cluster {
  double weight = 0;    // those of a side add up to 1
  double exposure = 0;  // samples that a row of rate 1 would have
};

struct MemberPlace {
  std::optional<uint32_t> cluster;  // nothing: left out
  double factor = 0;
};

// Why a member counts nowhere.
enum class LeftOutReason {
  kNoSamples,  // it has no weight or no samples
  kEmptied,    // those that it had were left out (Member::emptied)
  kNoUnits,    // it did no work, where rates are per unit of work
  kNoPartner,  // the other members are in pairs
};

struct LeftOut {
  uint32_t member = 0;  // an index
  LeftOutReason reason = LeftOutReason::kNoSamples;

  bool operator==(const LeftOut&) const = default;
};

// The pairs of members of both sides, whether or not they are enough for a paired comparison.
struct PairsFound {
  size_t pairs = 0;
  bool by_hour = false;  // pairs have the same host and hour; otherwise only the same host
  // For each side: the share of its weight that is in pairs.
  std::array<double, 2> weight{};
  // For each side: does any member name its host?
  std::array<bool, 2> has_hosts{};
};

struct SideDesign {
  std::vector<Cluster> clusters;
  std::vector<MemberPlace> places;    // by member
  std::vector<LeftOut> left_out;      // by member, ascending
  std::vector<uint32_t> order;        // of members: the same whatever order they came in
  double exposure = 0;                // samples that the whole side has for a row of rate 1
  double weight_per_denominator = 0;  // a rate of everything
};

struct MemberDesign {
  Basis basis = Basis::kSampling;
  SideDesign a, b;  // of pairs: cluster i of one belongs to cluster i of the other
  // The clusters are not hosts although members name theirs: there are too few. What is found
  // holds for these hosts, not for others.
  bool few_hosts = false;
  // The pairs that are compared; if they are too few, the pairs by host alone. Empty with
  // Pairing::kNever.
  PairsFound found;
};

// Fails when a side has no member with samples, or a member has no sensible numbers.
Result<MemberDesign> design_members(const Side& a, const Side& b, Measure measure, Pairing pairing);

}  // namespace pgo::verify
