#include "tests/fuzz/hostile_programs.h"

#include <algorithm>
#include <fstream>
#include <iterator>

#include "converters/address/address_profile_writer.h"
#include "converters/pprof/pprof_writer.h"
#include "converters/preaggregated/preaggregated.h"
#include "pgo/elf/elf_image.h"
#include "tests/data/elf_builder.h"
#include "tests/data/tiny_program.h"

namespace pgo::test {
namespace {

constexpr uint64_t kMap = 0x7f0000000000;
// Of DWARF, of every size, and some that are none.
constexpr uint8_t kForms[] = {0x00, 0x08, 0x0b, 0x0f, 0x16, 0x19, 0x1e, 0x21, 0x2d, 0x7f};

ByteVector read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

ByteVector as_bytes(const std::string& text) { return {text.begin(), text.end()}; }

std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }

size_t place_of(const ByteVector& program, const ElfImage::Section& section) {
  return static_cast<size_t>(section.bytes.data() - program.data());
}

// Where a form stands that other readers of the program trust: of the first field of a directory
// in the first header of .debug_line (of DWARF 5 with 32-bit offsets), and of the first attribute
// of the first two abbreviations, which are a unit's and mostly a function's.
std::vector<size_t> find_forms(const ByteVector& program, const ElfImage& image) {
  constexpr size_t kVersion = 4, kOpcodeBase = 17;
  std::vector<size_t> places;
  const ElfImage::Section* lines = image.find_section(".debug_line");
  if (lines != nullptr && lines->bytes.size() > kOpcodeBase && lines->bytes[kVersion] == 5) {
    // Behind the lengths of the standard opcodes: how many fields, and the kind of the first.
    size_t form = kOpcodeBase + lines->bytes[kOpcodeBase] + 2;
    if (form < lines->bytes.size()) places.push_back(place_of(program, *lines) + form);
  }
  const ElfImage::Section* abbreviations = image.find_section(".debug_abbrev");
  if (abbreviations == nullptr) return places;
  ByteCursor cursor(abbreviations->bytes);
  for (int abbreviation = 0; abbreviation < 2; abbreviation++) {
    cursor.uleb128();  // code
    cursor.uleb128();  // tag
    cursor.u8();       // has it children?
    cursor.uleb128();  // attribute
    if (!cursor.ok() || cursor.remaining() == 0) break;
    places.push_back(place_of(program, *abbreviations) + cursor.position());
    for (uint64_t attribute = 1; attribute != 0 && cursor.ok();) {
      cursor.uleb128();  // form
      attribute = cursor.uleb128();
    }
    cursor.uleb128();  // the form of the end, 0
  }
  return places;
}

// The program with each of its compressed debug sections promising 3 GB.
ByteVector with_claims(ByteVector program) {
  constexpr size_t kSize = 8, kGigabytes = 3;
  Result<ElfImage> image = ElfImage::parse(program, "program");
  if (!image) return {};
  std::vector<size_t> places;
  for (const ElfImage::Section& section : image->sections())
    if (section.name.starts_with(".debug") && section.bytes.size() > 2 * kSize)
      places.push_back(place_of(program, section) + kSize);
  for (size_t place : places) {
    ByteVector size;
    put64(size, uint64_t{kGigabytes} << 30);
    std::copy(size.begin(), size.end(), program.begin() + static_cast<ptrdiff_t>(place));
  }
  return program;
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
  elf.add_code(kBegin, text);
  elf.add_build_id("0123456789abcdefghij");
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

std::vector<ElfImage::Symbol> some_functions(const ElfImage& image) {
  constexpr size_t kMost = 16;
  std::vector<ElfImage::Symbol> functions;
  for (const ElfImage::Symbol& symbol : image.symbols())
    if (symbol.function && symbol.size != 0 && functions.size() < kMost)
      functions.push_back(symbol);
  return functions;
}

ByteVector branch_recording(const ElfImage& image, const std::vector<ElfImage::Symbol>& functions) {
  PerfDataBuilder perf = begun(image, branch_event());
  for (size_t i = 0; i < functions.size(); i++) {
    uint64_t begin = kMap + functions[i].addr.value, last = begin + functions[i].size - 1;
    uint64_t next = kMap + functions[(i + 1) % functions.size()].addr.value;
    perf.sample({.pid = 10,
                 .time = 3 + i,
                 .ip = next,
                 .branches = {{last, next}, {next, begin}, {last, next}, {next, begin}}});
  }
  return perf.file();
}

ByteVector pc_recording(const ElfImage& image, const std::vector<ElfImage::Symbol>& functions) {
  Event clock = branch_event();
  clock.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  clock.name = "cpu-clock:u";
  PerfDataBuilder perf = begun(image, clock);
  uint64_t time = 3;
  for (const ElfImage::Symbol& function : functions)
    for (uint64_t at = 0; at < function.size; at++)
      perf.sample({.pid = 10, .time = time++, .ip = kMap + function.addr.value + at, .period = 9});
  return perf.file();
}

AddressProfile traces_of(const ElfImage& image, const std::vector<ElfImage::Symbol>& functions) {
  BinaryCounts counts;
  counts.id = image.build_id();
  counts.path_hint = "/bin/program";
  for (size_t i = 0; i < functions.size(); i++) {
    const ElfImage::Symbol& next = functions[(i + 1) % functions.size()];
    ElfAddr last{functions[i].addr.value + functions[i].size - 1};
    counts.traces.push_back({last, next.addr, ElfAddr{next.addr.value + next.size - 1},
                             TraceReading::kBoth, 100 * (i + 1)});
  }
  AddressProfile profile;
  profile.binaries.push_back(counts);
  profile.samples.seen = profile.samples.used = 1000;
  profile.branches.seen = profile.branches.used = 32000;
  profile.normalize();
  return profile;
}

// A pprof profile of addresses: each function on a stack, called by the first.
ByteVector stacks_by_address(const ElfImage& image,
                             const std::vector<ElfImage::Symbol>& functions) {
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  const StringId file = profile.strings.add("/bin/program");
  MappingId mapping = kNoMapping;
  for (const ElfImage::Segment& segment : image.segments()) {
    if (!segment.executable) continue;
    const uint64_t begin = kMap + segment.addr.value;
    mapping =
        profile.add_mapping({file, profile.strings.add(image.build_id().hex()), RuntimeAddr{begin},
                             RuntimeAddr{begin + segment.file_size}, segment.offset});
  }
  std::vector<LocationId> locations;
  for (const ElfImage::Symbol& function : functions)
    locations.push_back(
        profile.add_location({mapping, RuntimeAddr{kMap + function.addr.value}}, {}));
  for (LocationId location : locations)
    profile.add_sample({profile.add_stack({location, locations[0]}), profile.add_labels({})}, {7});
  profile.normalize();
  return as_bytes(write_pprof(profile));
}

// One without addresses: each line of the source in each function.
ByteVector stacks_by_line(const std::vector<ElfImage::Symbol>& functions) {
  constexpr int64_t kLines = 35;  // of subroutine_walk_program.cc
  StackProfile profile;
  profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  for (const ElfImage::Symbol& function : functions) {
    const StringId name = profile.strings.add(function.name);
    const FunctionId id = profile.add_function({name, name});
    for (int64_t line = 1; line < kLines; line++) {
      LocationId location = profile.add_location({}, {{id, line}});
      profile.add_sample({profile.add_stack({location}), profile.add_labels({})}, {line});
    }
  }
  profile.normalize();
  return as_bytes(write_pprof(profile));
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
    Result<ElfImage> image = ElfImage::parse(whole, path);
    if (!image) continue;
    if (path.find("zlib") != path.npos || path.find("zstd") != path.npos) {
      programs.emplace_back(name_of(path) + ".claims", with_claims(whole));
      continue;  // its forms are compressed, and cannot be replaced here
    }
    size_t number = 0;
    for (size_t place : find_forms(whole, *image)) {
      for (uint8_t form : kForms) {
        ByteVector other = whole;
        other[place] = form;
        programs.emplace_back(
            name_of(path) + ".place" + std::to_string(number) + "_" + std::to_string(form), other);
      }
      number++;
    }
  }
  return programs;
}

NamedBytes recordings_of(const ByteVector& program) {
  Result<ElfImage> image = ElfImage::parse(program, "program");
  if (!image) return {};
  const std::vector<ElfImage::Symbol> functions = some_functions(*image);
  NamedBytes recordings{{"branches", branch_recording(*image, functions)},
                        {"pcs", pc_recording(*image, functions)},
                        {"addresses", stacks_by_address(*image, functions)},
                        {"lines", stacks_by_line(functions)}};
  AddressProfile traces = traces_of(*image, functions);
  Result<std::string> text = write_preaggregated(traces.binaries[0]);
  if (text) recordings.emplace_back("traces", as_bytes(*text));
  Result<std::string> profile = write_address_profile(traces);
  if (profile) recordings.emplace_back("addr", as_bytes(*profile));
  return recordings;
}

void write_file(const std::string& path, const ByteVector& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace pgo::test
