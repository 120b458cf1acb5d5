// Writes address profiles as the hosts of one service make them, each from a recording of its own:
//
//   make_address_fleet DIRECTORY HOSTS TRACES
//
// All hosts run the same build, which has 20 times TRACES different traces. How often a trace ran
// falls with its rank, so hosts have the hot ones in common, and of the others each has some:
// TRACES in all, on average. The files depend on the arguments alone; 1000 are in each directory.

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "converters/address/address_profile_writer.h"
#include "pgo/base/hash.h"
#include "pgo/base/parallel.h"

namespace pgo {
namespace {

constexpr size_t kTracesOfService = 20;  // for each one of a host
constexpr size_t kFilesEach = 1000;

// Numbers that depend on a seed alone.
class Chance {
 public:
  explicit Chance(uint64_t seed) : state_(hash_more(kHashFactor, seed)) {}
  uint64_t next() {
    state_ += kHashFactor;
    return mix(state_, 0xd6e8feb86659fd93);
  }
  uint64_t below(uint64_t bound) { return next() % bound; }
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }

 private:
  uint64_t state_;
};

struct ServiceTrace {
  Trace trace;
  double rate = 0;  // of a host, on average
};

// In the order of their addresses.
std::vector<ServiceTrace> make_service(size_t traces) {
  constexpr uint64_t kText = 0x401000, kCodeOfTrace = 100;  // bytes
  Chance chance(1);
  const size_t all = kTracesOfService * traces;
  std::vector<size_t> ranks(all);
  for (size_t i = 0; i < all; i++) ranks[i] = i;
  for (size_t i = all; i > 1; i--) std::swap(ranks[i - 1], ranks[chance.below(i)]);
  std::vector<ServiceTrace> service;
  for (size_t i = 0; i < all; i++) {
    ServiceTrace one;
    const uint64_t at = kText + i * kCodeOfTrace + chance.below(kCodeOfTrace);
    one.trace.from = ElfAddr{at};
    // Most branches stay near; calls go anywhere.
    const uint64_t to = chance.below(4) == 0
                            ? kText + chance.below(all * kCodeOfTrace)
                            : at + chance.below(4000) - std::min<uint64_t>(at, 2000);
    one.trace.to = ElfAddr{to};
    if (chance.below(30) != 0) one.trace.last = ElfAddr{to + 2 + chance.below(60)};
    service.push_back(one);
    service.back().rate = static_cast<double>(ranks[i] + 1);
  }
  // Rates c / rank, of which a host sees as many as there should be: the sum of min(rate, 1).
  double low = 0, high = static_cast<double>(all);
  for (int step = 0; step < 60; step++) {
    const double c = (low + high) / 2;
    double seen = 0;
    for (const ServiceTrace& one : service) seen += std::min(c / one.rate, 1.0);
    (seen < static_cast<double>(traces) ? low : high) = c;
  }
  for (ServiceTrace& one : service) one.rate = low / one.rate;
  return service;
}

AddressProfile host_profile(const std::vector<ServiceTrace>& service, uint64_t host) {
  Chance chance(1000 + host);
  BinaryCounts server;
  server.id = *BuildId::from_hex("8d41b0ae5f7e2f0a1b2c3d4e5f60718293a4b5c6");
  server.path_hint = "/srv/bin/frontend";
  uint64_t branches = 0;
  for (const ServiceTrace& one : service) {
    const double drawn = one.rate >= 1               ? one.rate * (0.5 + chance.share())
                         : chance.share() < one.rate ? 1.0
                                                     : 0.0;
    const auto count = static_cast<uint64_t>(drawn);
    if (count == 0) continue;
    server.traces.push_back(one.trace);
    server.traces.back().count = count;
    branches += count;
    if (count > 20 && chance.below(4) == 0)
      server.mispredicts.push_back({one.trace.from, one.trace.to, 1 + count / 50});
  }
  AddressProfile profile;
  constexpr uint64_t kStack = 32;
  profile.events = {{"cycles:u", branches / kStack, 1000003, false}};
  profile.samples.used = profile.samples.seen = branches / kStack;
  profile.branches.used = profile.branches.seen = branches;
  profile.binaries.push_back(std::move(server));
  profile.normalize();
  return profile;
}

int make_fleet(const std::string& directory, size_t hosts, size_t traces) {
  const std::vector<ServiceTrace> service = make_service(traces);
  for (size_t i = 0; i * kFilesEach < hosts; i++)
    std::filesystem::create_directories(directory + "/" + std::to_string(1000 + i));
  parallel_for(hosts, 0, [&](size_t host) {
    char name[64];
    std::snprintf(name, sizeof name, "/%zu/host%06zu.addr", 1000 + host / kFilesEach, host);
    Result<std::string> file = write_address_profile(host_profile(service, host));
    if (!file) std::abort();
    std::ofstream(directory + name, std::ios::binary) << *file;
  });
  return 0;
}

}  // namespace
}  // namespace pgo

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fputs("usage: make_address_fleet DIRECTORY HOSTS TRACES\n", stderr);
    return 2;
  }
  return pgo::make_fleet(argv[1], std::strtoul(argv[2], nullptr, 10),
                         std::strtoul(argv[3], nullptr, 10));
}
