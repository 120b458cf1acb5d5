// Writes profiles for llvm_sample_fuzz to start from: of every kind, in every form.
// Usage: llvm_sample_seeds DIRECTORY
#include <fstream>
#include <string>

#include "tests/data/llvm_profiles.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const pgo::test::LlvmProfile& profile : pgo::test::llvm_profiles())
    std::ofstream(std::string(argv[1]) + "/" + profile.name, std::ios::binary)
        .write(profile.bytes.data(), static_cast<std::streamsize>(profile.bytes.size()));
}
