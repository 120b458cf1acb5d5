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
    const bool is_whole = name.find('.') == std::string::npos;
    if (is_whole) recordings = recordings_of(program);
    for (const auto& [kind, recording] : recordings) {
      if (!is_whole && kind != "branches") continue;
      ByteVector seed;
      put32(seed, static_cast<uint32_t>(program.size()));
      put_bytes(seed, program);
      put_bytes(seed, recording);
      write_file(directory + name + "." + kind, seed);
      if (!is_whole) continue;
      seed.resize(seed.size() - recording.size() / 3);
      write_file(directory + name + "." + kind + ".cut", seed);
    }
  }
}
