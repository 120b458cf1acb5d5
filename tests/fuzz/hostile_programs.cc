#include "tests/fuzz/hostile_programs.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "pgo/elf/elf_image.h"
#include "tests/data/elf_builder.h"
#include "tests/data/tiny_program.h"

namespace pgo::test {
namespace {

constexpr uint64_t kMap = 0x7f0000000000;

ByteVector read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// Where the form of the first field of a directory stands in the first header of .debug_line, of
// DWARF 5 with 32-bit offsets; 0 where there is none.
size_t find_directory_form(const ByteVector& program) {
  constexpr size_t kVersion = 4, kOpcodeBase = 17;
  Result<ElfImage> image = ElfImage::parse(program, "program");
  const ElfImage::Section* lines = image ? image->find_section(".debug_line") : nullptr;
  if (lines == nullptr || lines->bytes.size() <= kOpcodeBase || lines->bytes[kVersion] != 5)
    return 0;
  // Behind the lengths of the standard opcodes: how many fields, and the kind of the first.
  size_t form = kOpcodeBase + lines->bytes[kOpcodeBase] + 2;
  if (form >= lines->bytes.size()) return 0;
  return static_cast<size_t>(lines->bytes.data() - program.data()) + form;
}

std::string repeated(const std::string& text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; i++) result += text;
  return result;
}

// Symbols that demanglers double, nest and recurse for; control characters, and no UTF-8.
ByteVector program_with_bombs() {
  std::string doubling = "_Z1f1aIiiE";
  for (char digit : std::string("0123456789ABCDEFGHIJKLMNOPQRS"))
    doubling += std::string("S_IS") + digit + "_S" + digit + "_E";
  const std::vector<std::string> names{doubling,
                                       "_Z1f" + repeated("P", 600) + "i",
                                       "_Z1f" + repeated("1aI", 600) + "i",
                                       "_Z1f" + repeated("DTng", 600) + "i",
                                       "_RINvC1a1fTuuETB7_B7_ETBb_Bb_ETBj_Bj_ETBr_Br_ETBz_Bz_EE",
                                       "_RINvC1a1f" + repeated("R", 600) + "uE",
                                       "\x1b[31m\xff\n{top}",
                                       std::string(5000, '<')};
  constexpr uint64_t kSize = 16, kBegin = 0x1200;
  ElfBuilder elf;
  elf.header.e_type = ET_EXEC;
  const uint16_t section = elf.next_section();
  std::string text;
  for (size_t i = 0; i < names.size(); i++) text += repeated("\x90", kSize - 1) + "\xc3";
  uint64_t offset = elf.add_section(".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, kBegin, text);
  elf.add_segment(PT_LOAD, PF_R | PF_X, offset, text.size(), kBegin);
  elf.add_section(".note.gnu.build-id", SHT_NOTE, SHF_ALLOC, 0,
                  ElfBuilder::note("GNU", NT_GNU_BUILD_ID, "0123456789abcdefghij"));
  for (size_t i = 0; i < names.size(); i++)
    elf.add_symbol(names[i], STT_FUNC, section, kBegin + i * kSize, kSize);
  return elf.finish();
}

PerfDataBuilder begun(const ElfImage& image, Event event) {
  PerfDataBuilder perf;
  perf.event(std::move(event)).comm({.pid = 10, .time = 1, .name = "program"});
  for (const ElfImage::Segment& segment : image.segments())
    if (segment.executable)
      perf.mmap2({.pid = 10,
                  .time = 2,
                  .addr = kMap + segment.addr.value - segment.offset.value % 0x1000,
                  .len = segment.file_size + segment.offset.value % 0x1000,
                  .pgoff = segment.offset.value - segment.offset.value % 0x1000,
                  .path = "/bin/program",
                  .build_id = image.build_id().hex()});
  return perf;
}

}  // namespace

NamedBytes hostile_programs(const std::vector<std::string>& paths) {
  NamedBytes programs{{"bombs", program_with_bombs()}};
  for (const std::string& path : paths) {
    const ByteVector whole = read_file(path);
    programs.emplace_back(name_of(path), whole);
    for (size_t part = 1; part < 4; part++) {
      ByteVector cut(whole.begin(),
                     whole.begin() + static_cast<ptrdiff_t>(whole.size() * part / 4));
      programs.emplace_back(name_of(path) + ".cut" + std::to_string(part), cut);
    }
    size_t place = find_directory_form(whole);
    if (place == 0) continue;
    for (uint8_t form : {0x00, 0x08, 0x0b, 0x0e, 0x0f, 0x16, 0x1e, 0x21, 0x25, 0x2d, 0x7f}) {
      ByteVector other = whole;
      other[place] = form;
      programs.emplace_back(name_of(path) + ".form" + std::to_string(form), other);
    }
  }
  return programs;
}

NamedBytes recordings_of(const ByteVector& program) {
  Result<ElfImage> image = ElfImage::parse(program, "program");
  if (!image) return {};
  std::vector<ElfImage::Symbol> functions;
  for (const ElfImage::Symbol& symbol : image->symbols())
    if (symbol.function && symbol.size != 0) functions.push_back(symbol);
  constexpr size_t kMost = 16;
  functions.resize(std::min(functions.size(), kMost));

  Event clock = branch_event();
  clock.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  clock.name = "cpu-clock:u";
  PerfDataBuilder branches = begun(*image, branch_event()), pcs = begun(*image, clock);
  uint64_t time = 3;
  for (size_t i = 0; i < functions.size(); i++) {
    uint64_t begin = kMap + functions[i].addr.value;
    uint64_t next = kMap + functions[(i + 1) % functions.size()].addr.value;
    uint64_t last = begin + functions[i].size - 1;
    branches.sample({.pid = 10,
                     .time = time,
                     .ip = next,
                     .branches = {{last, next}, {next, begin}, {last, next}, {next, begin}}});
    for (uint64_t at = begin; at <= last; at++)
      pcs.sample({.pid = 10, .time = time++, .ip = at, .period = 1000});
  }
  return {{"branches", branches.file()}, {"pcs", pcs.file()}};
}

void write_file(const std::string& path, const ByteVector& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace pgo::test
