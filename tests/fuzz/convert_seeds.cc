// Writes programs with recordings of them for convert_fuzz to start from.
// Usage: convert_seeds DIRECTORY PROGRAM...
#include "tests/fuzz/hostile_programs.h"

using namespace pgo::test;

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string directory = std::string(argv[1]) + "/";
  const std::vector<std::string> paths(argv + 2, argv + argc);
  // What is cut short cannot be read itself; its recording is that of the whole.
  NamedBytes recordings;
  for (const auto& [name, program] : hostile_programs(paths)) {
    NamedBytes own = recordings_of(program);
    if (!own.empty()) recordings = std::move(own);
    for (const auto& [kind, recording] : recordings) {
      ByteVector seed;
      put32(seed, static_cast<uint32_t>(program.size()));
      put_bytes(seed, program);
      put_bytes(seed, recording);
      write_file(directory + name + "." + kind, seed);
      if (name.find('.') != std::string::npos) continue;
      seed.resize(seed.size() - recording.size() / 3);
      write_file(directory + name + "." + kind + ".cut", seed);
    }
  }
}
