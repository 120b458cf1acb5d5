#include "tests/data/tiny_program.h"

#include <cstdlib>
#include <sstream>

#include "tests/data/elf_builder.h"

namespace pgo::test {
namespace {

void decode(CodeMap& map, ElfAddr) {
  for (uint64_t addr = TinyProgram::kBegin; addr < TinyProgram::kPlt; addr += 4) {
    CodeByte::Class kind = addr % 0x40 == 0x10   ? CodeByte::kCall
                           : addr % 0x40 == 0x20 ? CodeByte::kDirectJump
                           : addr % 0x40 == 0x30 ? CodeByte::kReturn
                                                 : CodeByte::kOther;
    map.set(ElfAddr{addr}, CodeByte::instruction(4, kind));
  }
}

}  // namespace

TinyProgram::TinyProgram(const std::string& path, const std::string& build_id)
    : build_id_(build_id) {
  ElfBuilder elf;
  std::string text(kEnd - kBegin, '\x90');
  uint64_t offset = elf.add_code(kBegin, text);
  if (offset != kBegin - 0x1000) std::abort();  // what the header above says
  if (!build_id.empty()) elf.add_build_id(as_text(from_hex(build_id)));
  bytes_ = elf.finish();
  Result<ElfImage> image = ElfImage::parse(bytes_, path);
  if (!image) std::abort();
  image_ = std::make_unique<ElfImage>(std::move(*image));
  code_ = std::make_unique<CodeMap>(ElfAddr{kBegin}, ElfAddr{kEnd}, decode);
}

Mmap2 TinyProgram::map(uint32_t pid, uint64_t begin, uint64_t time) const {
  return {.pid = pid,
          .time = time,
          .addr = begin,
          .len = 0x1000,
          .path = image().path(),
          .build_id = build_id_};
}

Event branch_event() {
  return {.sample_period = 1000,
          .sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD |
                         PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_IDENTIFIER,
          .flags = kFlagSampleIdAll,
          .branch_sample_type = PERF_SAMPLE_BRANCH_ANY,
          .ids = {77},
          .name = "cycles:u"};
}

std::string read_dump(const ByteVector& recording, const std::vector<const TinyProgram*>& programs,
                      const perf_data::ReadOptions& options) {
  Result<perf_data::Recording> scanned = perf_data::scan_recording(recording, "perf.data", {});
  if (!scanned) return "error: " + scanned.error().message;
  std::vector<TargetBinary> binaries;
  for (const TinyProgram* program : programs) binaries.push_back(program->target());
  Result<AddressProfile> profile = perf_data::read_samples(*scanned, binaries, options);
  if (!profile) return "error: " + profile.error().message;
  if (auto broken = profile->check()) return "broken: " + *broken;
  std::ostringstream out;
  profile->dump(out);
  for (const auto& [kind, entry] : profile->diagnostics.entries())
    out << kind << ' ' << entry.count << ": " << entry.messages[0] << '\n';
  return out.str();
}

std::string read_counts(const ByteVector& recording,
                        const std::vector<const TinyProgram*>& programs,
                        const perf_data::ReadOptions& options) {
  std::istringstream lines(read_dump(recording, programs, options));
  std::string counts, line;
  while (std::getline(lines, line))
    if (!line.starts_with("event ") && !line.starts_with("binary ")) counts += line + '\n';
  return counts;
}

}  // namespace pgo::test
