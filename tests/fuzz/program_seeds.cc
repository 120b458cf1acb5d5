// Writes whole programs for show_fuzz, elf_image_fuzz and binary_copy_fuzz to start from.
// Usage: program_seeds DIRECTORY PROGRAM...
#include "tests/fuzz/hostile_programs.h"

using namespace pgo::test;

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  for (const auto& [name, program] : hostile_programs({argv + 2, argv + argc}))
    write_file(std::string(argv[1]) + "/" + name, program);
}
