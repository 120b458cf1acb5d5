// ProbedProgram: an ELF file of 22 bytes of real x86-64 code and the pseudo probes of its
// functions, which pgo can convert recordings of without any compiler.
//
//   1200  work:  xor; xor            block 1
//   1204  loop:  xor; xor; je loop   block 2 (the branch is at 1208)
//   120e         ret                 block 3
//   1210  main:  call work; ret      block 1 (the call is probe 2)
//
// A process that maps the start of the file at M has the code at M + 0x200: at(M, 0x1200) in
// tiny_program.h.
#pragma once

#include <string>
#include <vector>

#include "pgo/match/source_places.h"
#include "tests/data/code_builder.h"
#include "tests/data/elf_builder.h"
#include "tests/data/probe_section.h"
#include "tests/data/tiny_program.h"

namespace pgo::test {

inline constexpr const char* kProbedBuildId = "0102030405060708090a0b0c0d0e0f1011121314";

// Its code and symbols, without probes.
inline ElfBuilder code_of_probed_program(const std::string& build_id) {
  CodeBuilder code(0x1200);
  code.label("work").plain(2).label("loop").plain(2).jump_if("loop").ret().bytes({0x90});
  code.label("main").call("work").ret();
  const std::string text = code.finish();

  ElfBuilder elf;
  elf.header.e_machine = EM_X86_64;
  const uint16_t section = elf.next_section();
  elf.add_code(0x1200, text);
  elf.add_build_id(as_text(from_hex(build_id)));
  elf.add_symbol("work", STT_FUNC, section, 0x1200, 15);
  elf.add_symbol("main", STT_FUNC, section, 0x1210, 6);
  return elf;
}

inline std::vector<uint8_t> probed_program(const std::string& build_id = kProbedBuildId) {
  const uint64_t work = function_guid("work"), main = function_guid("main");
  ProbeFunctionSection names;
  names.function(work, 7, "work").function(main, 8, "main");
  ProbeSection probes;
  probes.record(work, 3, 0)
      .probe_at(1, ProbeKind::kBlock, 0x1200)
      .probe(2, ProbeKind::kBlock, 4)
      .probe(3, ProbeKind::kBlock, 10);
  probes.record(main, 2, 0)
      .probe_at(1, ProbeKind::kBlock, 0x1210)
      .probe(2, ProbeKind::kDirectCall, 0);

  ElfBuilder elf = code_of_probed_program(build_id);
  elf.add_section(".pseudo_probe", SHT_PROGBITS, 0, 0, as_text(probes.bytes()));
  elf.add_section(".pseudo_probe_desc", SHT_PROGBITS, 0, 0, as_text(names.bytes()));
  return elf.finish();
}

// What llvm-bolt made of the program, moving none of its functions: it has no probes, and its
// address translation table is empty.
inline constexpr const char* kBoltedBuildId = "0102030405060708090a0b0c0d0e0f1011121315";
inline std::vector<uint8_t> bolted_program() {
  ElfBuilder elf = code_of_probed_program(kBoltedBuildId);
  const std::string no_fragments(2, '\0');  // hot and cold ones
  elf.add_section(".note.bolt_bat", SHT_NOTE, 0, 0, ElfBuilder::note("BOLT", 1, no_fragments));
  return elf.finish();
}

// Process 10, which maps the program at 0x400000.
inline Mmap2 map_of_probed_program(const std::string& build_id = kProbedBuildId) {
  return {.pid = 10,
          .time = 1,
          .addr = 0x400000,
          .len = 0x1000,
          .path = "/bin/server",
          .build_id = build_id};
}

// `samples` samples of: main called work, which went round its loop twice. Each has two ranges,
// 1200 to 1208 and 1204 to 1208.
inline ByteVector branch_recording(int samples, const std::string& build_id = kProbedBuildId) {
  constexpr uint64_t kMap = 0x400000;
  PerfDataBuilder perf;
  perf.event(branch_event()).mmap2(map_of_probed_program(build_id));
  for (int i = 0; i < samples; i++)
    perf.sample({.pid = 10,
                 .time = static_cast<uint64_t>(2 + i),
                 .ip = at(kMap, 0x1204),
                 .branches = {{at(kMap, 0x1208), at(kMap, 0x1204)},
                              {at(kMap, 0x1208), at(kMap, 0x1204)},
                              {at(kMap, 0x1210), at(kMap, 0x1200)}}});
  return perf.file();
}

inline Event pc_sample_event() {
  Event clock = branch_event();
  clock.type = PERF_TYPE_SOFTWARE;
  clock.config = PERF_COUNT_SW_CPU_CLOCK;
  clock.branch_sample_type = 0;
  clock.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};
  clock.name = "cpu-clock:u";
  return clock;
}

// PC samples by the clock: `samples` of the branch at the end of the loop.
inline ByteVector clock_recording(int samples, const std::string& build_id = kProbedBuildId) {
  PerfDataBuilder perf;
  perf.event(pc_sample_event()).mmap2(map_of_probed_program(build_id));
  for (int i = 0; i < samples; i++)
    perf.sample(
        {.pid = 10, .time = static_cast<uint64_t>(2 + i), .ip = at(0x400000, 0x1208), .period = 1});
  return perf.file();
}

}  // namespace pgo::test
