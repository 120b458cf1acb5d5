// Writes two sections of programs for a target to start from that reads them: the size of the first
// in a byte, then both. A program that lacks one of them, or whose first has more than 255 bytes,
// gives none.
// Usage: section_seeds DIRECTORY FIRST SECOND PROGRAM...
#include "pgo/elf/elf_image.h"
#include "tests/fuzz/hostile_programs.h"

using namespace pgo;

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  for (int i = 4; i < argc; i++) {
    std::string path = argv[i];
    Result<ElfImage> image = ElfImage::open(path);
    if (!image) return 1;
    const ElfImage::Section* first = image->find_section(argv[2]);
    const ElfImage::Section* second = image->find_section(argv[3]);
    if (first == nullptr || second == nullptr || first->bytes.size() > 0xff) continue;
    test::ByteVector seed{static_cast<uint8_t>(first->bytes.size())};
    test::put_bytes(seed, as_text(first->bytes));
    test::put_bytes(seed, as_text(second->bytes));
    test::write_file(argv[1] + path.substr(path.rfind('/')), seed);
  }
}
