// How fast pprof profiles are read, on one core: inflating and parsing apart.
//   pprof_reader_perftest FILE…
#include <chrono>
#include <cstdio>
#include <vector>

#include "converters/pprof/pprof_reader.h"
#include "pgo/base/inflate.h"
#include "pgo/base/mapped_file.h"

using namespace pgo;

namespace {

// The best of some rounds, in seconds.
template <typename Work>
double best_time(const Work& work) {
  double best = 1e9;
  for (int round = 0; round < 9; round++) {
    auto started = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double> took = std::chrono::steady_clock::now() - started;
    best = std::min(best, took.count());
  }
  return best;
}

int report(const Error& error) {
  std::fprintf(stderr, "%s\n", error.message.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<MappedFile> files;
  std::vector<InflatedBytes> messages;
  uint64_t bytes = 0;
  for (int i = 1; i < argc; i++) {
    Result<MappedFile> file = MappedFile::open(argv[i]);
    if (!file) return report(file.error());
    files.push_back(*std::move(file));
    Result<InflatedBytes> message = inflate(files.back().bytes(), argv[i]);
    if (!message) return report(message.error());
    messages.push_back(*std::move(message));
    bytes += messages.back().bytes().size();
  }
  double inflating = best_time([&] {
    for (const MappedFile& file : files) (void)inflate(file.bytes(), file.path());
  });
  double parsing = best_time([&] {
    Diagnostics diagnostics;
    for (const InflatedBytes& message : messages)
      (void)parse_pprof(message.bytes(), "", diagnostics);
  });
  std::printf("%zu profiles, %.1f MB inflated: inflating %.2f GB/s, parsing %.2f GB/s\n",
              files.size(), static_cast<double>(bytes) / 1e6,
              static_cast<double>(bytes) / 1e9 / inflating,
              static_cast<double>(bytes) / 1e9 / parsing);
  return 0;
}
