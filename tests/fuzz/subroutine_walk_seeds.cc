// Writes the debug sections of small programs for subroutine_walk_fuzz to start from.
// Usage: subroutine_walk_seeds DIRECTORY PROGRAM...
#include <fstream>
#include <string>

#include "pgo/base/mapped_file.h"
#include "pgo/elf/elf_image.h"
#include "tests/data/byte_writer.h"
#include "tests/fuzz/debug_sections.h"

using namespace pgo;

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  for (int i = 2; i < argc; i++) {
    Result<ElfImage> image = ElfImage::open(argv[i]);
    if (!image) return 1;
    test::ByteVector seed;
    for (const char* name : test::kDebugSections) {
      Bytes bytes;
      for (const ElfImage::Section& section : image->sections())
        if (section.name == name) bytes = section.bytes;
      if (bytes.size() > 0xffff) return 1;
      test::put(seed, static_cast<uint16_t>(bytes.size()));
      for (uint8_t byte : bytes) seed.push_back(byte);
    }
    std::string path = argv[i];
    std::ofstream(std::string(argv[1]) + path.substr(path.rfind('/')), std::ios::binary)
        .write(reinterpret_cast<const char*>(seed.data()),
               static_cast<std::streamsize>(seed.size()));
  }
}
