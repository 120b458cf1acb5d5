// Any bytes as the debug sections of a program (debug_sections.h), read as conversions read them:
// an error, or functions and frames that hold together, and the same ones on two threads. LLVM
// reads the headers of units, their own entries, abbreviations, lists of ranges and line tables. A
// crash inside it is ours, too: it must not be asked for what it cannot read
// (docs/reference/llvm-bugs.md).
#include <algorithm>
#include <cstdlib>

#include "pgo/dwarf/file_paths.h"
#include "pgo/dwarf/frame_table.h"
#include "pgo/dwarf/function_table.h"
#include "pgo/dwarf/unit_map.h"
#include "tests/data/elf_builder.h"
#include "tests/fuzz/debug_sections.h"

using namespace pgo;

namespace {

std::vector<uint8_t> elf_with(Bytes data) {
  ElfBuilder elf;
  ByteCursor cursor(data);
  for (const char* name : test::kDebugSections) {
    Bytes section = cursor.take(std::min<size_t>(cursor.u16(), cursor.remaining()));
    elf.add_section(name, SHT_PROGBITS, 0, 0, as_text(section));
  }
  return elf.finish();
}

void check_functions(const FunctionTable& table) {
  for (uint32_t i = 0; i < table.functions().size(); i++) {
    const FunctionTable::Function& function = table.functions()[i];
    if (function.name.empty() || function.ranges.empty()) std::abort();
    for (const FunctionTable::Range& range : function.ranges)
      if (range.begin >= range.end || !table.find(range.begin)) std::abort();
  }
}

void check_frames(const FrameTable& table) {
  for (size_t i = 0; i < table.frames().size(); i++)
    if (uint32_t parent = table.frames()[i].parent; parent != FrameTable::kNoFrame && parent >= i)
      std::abort();
  for (ElfAddr addr; addr != ElfAddr{~uint64_t{0}};) {
    FrameTable::Place place = table.find(addr);
    if (place.end <= addr) std::abort();
    if (place.frame != FrameTable::kNoFrame && place.frame >= table.frames().size()) std::abort();
    addr = place.end;
  }
}

void check_files(DebugInfo& debug_info, const std::vector<FileNumber>& files) {
  EntryBudget text(uint64_t{1} << 20);
  std::vector<std::string> paths = read_file_paths(debug_info, files, text);
  if (paths.size() != files.size()) std::abort();
  for (size_t i = 0; i < files.size(); i++) {
    if (!files[i].is_known() && !paths[i].empty()) std::abort();
    if (i > 0 && files[i] == files[i - 1] && paths[i] != paths[i - 1] && !text.is_used_up())
      std::abort();
  }
}

void check_units(const UnitMap& map, size_t units) {
  ElfAddr end{0};
  for (const UnitMap::Interval& interval : map.intervals()) {
    if (interval.begin < end || interval.begin >= interval.end || interval.unit >= units)
      std::abort();
    end = interval.end;
  }
}

bool same(const FunctionTable& one, const FunctionTable& other) {
  auto range = [](FunctionTable::Range a, FunctionTable::Range b) {
    return a.begin == b.begin && a.end == b.end;
  };
  return std::ranges::equal(one.functions(), other.functions(), [&](const auto& a, const auto& b) {
    return a.name == b.name && std::ranges::equal(a.ranges, b.ranges, range);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::vector<uint8_t> file = elf_with({data, size});
  Result<ElfImage> image = ElfImage::parse(file, "fuzz");
  if (!image) std::abort();
  Result<std::unique_ptr<DebugInfo>> one = DebugInfo::open(*image, 1);
  if (!one) {
    if (one.error().message.empty()) std::abort();
    return 0;
  }
  FunctionTable functions(**one, *image, *image);
  check_functions(functions);
  // Starting threads takes longer than all the rest.
  if (size % 8 == 0) {
    Result<std::unique_ptr<DebugInfo>> two = DebugInfo::open(*image, 2);
    if (!two || !same(functions, FunctionTable(**two, *image, *image))) std::abort();
    if ((*one)->damage().diagnostics("fuzz") != (*two)->damage().diagnostics("fuzz")) std::abort();
  }
  check_units(UnitMap(**one), (*one)->units(0).size());
  FrameBudget budget(**one);
  std::vector<FileNumber> files;
  for (size_t unit = 0; unit < (*one)->units(0).size(); unit++) {
    FrameTable table(**one, 0, unit, LineZero::kSkip, {}, budget);
    check_frames(table);
    for (const FrameTable::Frame& frame : table.frames()) files.push_back(frame.decl_file);
  }
  std::sort(files.begin(), files.end());
  check_files(**one, files);
  return 0;
}
