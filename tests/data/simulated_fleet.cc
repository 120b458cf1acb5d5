#include "tests/data/simulated_fleet.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "pgo/base/portable_math.h"
#include "tests/data/draws.h"

namespace pgo::verify {
namespace {

constexpr double kShares[] = {.20, .05, .01};
constexpr uint64_t kPeriod = 1'000'000;  // what a sample weighs

// What is particular to a host.
struct Host {
  std::vector<double> cost;  // by function, in shares
  double units = 1;
};

Host make_host(const FleetOptions& options, const std::vector<double>& shares, Draws& draws) {
  Host host;
  std::vector<double> groups(options.groups);
  for (double& effect : groups) effect = options.group_sd * draws.normal();
  for (uint32_t f = 0; f < options.functions; f++)
    host.cost.push_back(
        shares[f] * portable_exp(options.host_sd * draws.normal() + groups[f % options.groups]));
  host.units = portable_exp(options.host_units_sd * draws.normal());
  return host;
}

// Busy at noon, idle at night.
double load_of_hour(uint32_t hour) {
  double from_noon = (hour < 12 ? 12.0 - hour : hour - 12.0) / 12;
  return 1.5 - from_noon;
}

struct Sampled {
  Member member;
  std::vector<double> counts;  // by function
};

// `factors`: of the cost of each function.
Sampled sample(const FleetOptions& options, const Host& host, const std::vector<double>& factors,
               uint32_t hour, Draws& draws) {
  const double load =
      std::max(.01, load_of_hour(hour) * draws.gamma(options.load_shape) / options.load_shape);
  std::vector<double> costs;
  double busy = portable_exp(options.contention * portable_log(load));
  for (uint32_t f = 0; f < options.functions; f++)
    costs.push_back(host.cost[f] * (f % 10 == 0 ? busy : 1) *
                    portable_exp(options.member_sd * draws.normal()) * factors[f]);
  Sampled result;
  double samples = 0, more = options.burst - 1;
  for (double cost : costs) {
    double mean = options.samples * load * cost;
    if (more > 0) mean = draws.gamma(mean / more) * more;
    result.counts.push_back(draws.poisson(mean));
    samples += result.counts.back();
  }
  result.member.weight = samples * kPeriod;
  result.member.samples = samples;
  // A unit costs what the functions do, and more or less on this host.
  result.member.units = options.samples * load / (host.units * busy);
  return result;
}

void add_rows(const std::vector<Sampled>& members, uint32_t functions, Side& side) {
  for (const Sampled& sampled : members) side.members.push_back(sampled.member);
  for (uint32_t f = 0; f < functions; f++) {
    for (uint32_t m = 0; m < members.size(); m++) {
      double count = members[m].counts[f];
      if (count > 0) side.rows.push({count * kPeriod, static_cast<float>(count), m});
    }
    side.rows.end_list();
  }
}

}  // namespace

std::vector<double> shares_of(const FleetOptions& options) {
  std::vector<double> shares(kShares, kShares + 3);
  double sum = 0, left = 1 - kShares[0] - kShares[1] - kShares[2];
  for (uint32_t f = 3; f < options.functions; f++) sum += 1.0 / (f - 2);
  for (uint32_t f = 3; f < options.functions; f++) shares.push_back(left / (f - 2) / sum);
  return shares;
}

Fleet simulate_fleet(const FleetOptions& options, uint64_t seed) {
  Draws draws(seed);
  std::vector<double> shares = shares_of(options);
  const std::vector<double> unchanged(options.functions, 1.0);
  std::vector<double> changed = unchanged;
  changed[options.changed] = options.factor;
  std::vector<Sampled> before, after;
  uint32_t hosts_after = options.hosts_after > 0 ? options.hosts_after : options.hosts;
  for (uint32_t h = 0; h < std::max(options.hosts, hosts_after); h++) {
    Host host = make_host(options, shares, draws);
    Host other = options.same_hosts ? host : make_host(options, shares, draws);
    for (uint32_t i = 0; i < options.hours; i++) {
      const uint32_t hour = draws.hour();
      auto add = [&](const Host& at, const std::vector<double>& factors, const char* name,
                     std::vector<Sampled>& to) {
        to.push_back(sample(options, at, factors, hour, draws));
        to.back().member.host = name + std::to_string(h);
        to.back().member.hour = std::to_string(i);
      };
      if (h < options.hosts) add(host, unchanged, options.same_hosts ? "host" : "old", before);
      if (h < hosts_after) add(other, changed, options.same_hosts ? "host" : "new", after);
    }
  }
  Fleet fleet;
  add_rows(before, options.functions, fleet.before);
  add_rows(after, options.functions, fleet.after);
  return fleet;
}

std::vector<Side> simulate_releases(const FleetOptions& options, uint32_t count, uint64_t seed) {
  Draws draws(seed);
  const std::vector<double> shares = shares_of(options);
  std::vector<Host> hosts(options.hosts);
  std::vector<uint32_t> hours(size_t{options.hosts} * options.hours);
  std::vector<Side> releases(count);
  for (uint32_t r = 0; r < count; r++) {
    if (r == 0 || !options.same_hosts) {
      for (Host& host : hosts) host = make_host(options, shares, draws);
      for (uint32_t& hour : hours) hour = draws.hour();
    }
    const double of_all = portable_exp(options.release_sd * draws.normal());
    std::vector<double> factors;
    for (uint32_t f = 0; f < options.functions; f++)
      factors.push_back(of_all * portable_exp(options.function_sd * draws.normal()));
    if (r + 1 == count) factors[options.changed] *= options.factor;
    std::vector<Sampled> members;
    for (size_t i = 0; i < hours.size(); i++) {
      const size_t host = i / options.hours;
      members.push_back(sample(options, hosts[host], factors, hours[i], draws));
      members.back().member.host =
          (options.same_hosts ? "host" : "release" + std::to_string(r) + "-") +
          std::to_string(host);
      members.back().member.hour = std::to_string(i % options.hours);
    }
    add_rows(members, options.functions, releases[r]);
  }
  return releases;
}

}  // namespace pgo::verify
