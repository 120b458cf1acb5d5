// Any bytes as the debug sections of a .dwo file, or of a package of them (debug_sections.h), which
// LLVM opens by itself: the functions of a unit that is in it, or an error. The unit has the
// identity that the first eight bytes say; the ninth says whether its file is a package.
#include <llvm/BinaryFormat/Dwarf.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "pgo/dwarf/frame_table.h"
#include "pgo/dwarf/function_table.h"
#include "tests/data/byte_writer.h"
#include "tests/data/elf_builder.h"
#include "tests/fuzz/debug_sections.h"

using namespace pgo;

namespace {

std::vector<uint8_t> split_half(ByteCursor cursor) {
  ElfBuilder elf;
  elf.header.e_type = ET_REL;
  auto take = [&] { return cursor.take(std::min<size_t>(cursor.u16(), cursor.remaining())); };
  for (const char* name : test::kDebugSections)
    elf.add_section(std::string(name) + ".dwo", SHT_PROGBITS, 0, 0, as_text(take()));
  elf.add_section(".debug_cu_index", SHT_PROGBITS, 0, 0, as_text(take()));
  return elf.finish();
}

// A program of one unit, most of which is in the file `name`.
std::vector<uint8_t> skeleton(uint64_t id, const std::string& name) {
  using namespace llvm::dwarf;
  const test::ByteVector abbreviations{
      1, DW_TAG_skeleton_unit, 0, DW_AT_dwo_name, DW_FORM_string, 0, 0, 0};
  test::ByteVector unit;
  test::put32(unit, static_cast<uint32_t>(18 + name.size()));
  test::put(unit, uint16_t{5});
  unit.insert(unit.end(), {DW_UT_skeleton, 8});
  test::put32(unit, 0);  // .debug_abbrev
  test::put64(unit, id);
  unit.push_back(1);
  test::put_bytes(unit, name);
  unit.push_back(0);
  ElfBuilder elf;
  elf.add_section(".debug_abbrev", SHT_PROGBITS, 0, 0, as_text(abbreviations));
  elf.add_section(".debug_info", SHT_PROGBITS, 0, 0, as_text(unit));
  return elf.finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteCursor cursor(Bytes{data, size});
  uint64_t id = cursor.u64();
  bool is_package = cursor.u8() % 2 != 0;
  std::string program = "/tmp/split_file_fuzz." + std::to_string(getpid());
  std::string name = program + (is_package ? ".dwp" : ".dwo");
  std::vector<uint8_t> half = split_half(cursor);
  std::ofstream(name, std::ios::binary)
      .write(reinterpret_cast<const char*>(half.data()), static_cast<std::streamsize>(half.size()));
  std::vector<uint8_t> file = skeleton(id, name);
  Result<ElfImage> image = ElfImage::parse(file, program);
  if (!image) std::abort();
  if (Result<std::unique_ptr<DebugInfo>> debug_info = DebugInfo::open(*image, 1)) {
    FunctionTable functions(**debug_info, *image, *image);
    FrameBudget budget(**debug_info);
    for (size_t unit = 0; unit < (*debug_info)->units(0).size(); unit++)
      FrameTable(**debug_info, 0, unit, LineZero::kSkip, {}, budget);
  } else if (debug_info.error().message.empty()) {
    std::abort();
  }
  std::remove(name.c_str());
  return 0;
}
