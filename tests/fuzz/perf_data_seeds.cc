// Writes recordings for perf_data_fuzz to start from: small, and of every kind that is read; and
// their records, behind two bytes that say where to cut, for compressed_stream_fuzz.
// Usage: perf_data_seeds DIRECTORY [RECORDS]
#include <fstream>
#include <string>

#include "tests/data/tiny_program.h"

using namespace pgo::test;

namespace {

constexpr uint64_t kMap = 0x400000;

PerfDataBuilder& fill(PerfDataBuilder& perf) {
  TinyProgram tiny;
  perf.mmap2(tiny.map(10, kMap, 1)).comm({.pid = 10, .time = 2, .name = "tiny"});
  perf.fork({.pid = 11, .parent = 10, .time = 3});
  perf.mmap({.pid = 11, .time = 4, .addr = kMap, .len = 0x1000, .path = "//anon"});
  perf.sample({.pid = 10,
               .time = 5,
               .ip = at(kMap, 0x1204),
               .branches = {{at(kMap, 0x1230), at(kMap, 0x1200), kPredicted, 12},
                            {0x10000, at(kMap, 0x1214), kMispredicted},
                            {~0ull, ~0ull},
                            {at(kMap, 0x1210), 0x10000},
                            {at(kMap, 0x1230), at(kMap, 0x1200)},
                            {0, 0}},
               .callchain = {PERF_CONTEXT_KERNEL, ~0ull << 31, PERF_CONTEXT_USER, at(kMap, 0x1204),
                             0x10000, 0},
               .raw = "raw"});
  perf.comm({.pid = 11, .time = 6, .name = "sh", .misc = PERF_RECORD_MISC_COMM_EXEC});
  perf.mmap2(tiny.map(11, 2 * kMap, 7)).lost({.lost = 1, .time = 8}).finished_round();
  return perf.sample({.pid = 11, .time = 9, .branches = {{at(2 * kMap, 0x1220), 0x1234}}});
}

Event full_event() {
  Event event = branch_event();
  event.sample_type |= PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_READ |
                       PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW | PERF_SAMPLE_STREAM_ID;
  event.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_ID | PERF_FORMAT_TOTAL_TIME_ENABLED;
  event.branch_sample_type |= PERF_SAMPLE_BRANCH_HW_INDEX;
  return event;
}

void write(const std::string& path, const ByteVector& bytes) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 && argc != 3) return 2;
  std::string directory = std::string(argv[1]) + "/";
  Event plain = branch_event();
  plain.ids = {78, 79};
  plain.sample_type &= ~uint64_t{PERF_SAMPLE_BRANCH_STACK};

  Event calls = branch_event();
  calls.sample_type |= PERF_SAMPLE_CALLCHAIN;
  calls.branch_sample_type = PERF_SAMPLE_BRANCH_CALL_STACK;

  PerfDataBuilder simple, full, two, compressed, cut, lbr;
  fill(lbr.event(calls).mmap2(
      {.pid = ~0u, .addr = ~0ull << 31, .len = 1 << 20, .path = "[kernel.kallsyms]_text"}));
  fill(simple.event(branch_event()))
      .auxtrace("payload")
      .build_id({.id = "0102030405060708", .path = "/bin/tiny"});
  fill(full.event(full_event()));
  fill(two.event(branch_event()).event(plain)).event_desc();
  two.sample({.pid = 10, .time = 5, .ip = at(kMap, 0x1204), .event = 1}).event_update(1);
  fill(compressed.event(branch_event()).start_compressed()).end_compressed({.plain = 100});
  fill(cut.event(branch_event()).start_compressed());
  cut.end_compressed({.compressed = 33, .type = kRecordCompressed2});
  int number = 0;
  for (const PerfDataBuilder* perf : {&simple, &full, &two, &compressed, &cut, &lbr}) {
    write(directory + std::to_string(number) + ".data", perf->file());
    const ByteVector pipe = perf->pipe();
    write(directory + std::to_string(number++) + ".pipe", pipe);
    if (argc == 2) continue;
    constexpr size_t kHeader = 16;
    ByteVector records{50, 33};
    records.insert(records.end(), pipe.begin() + kHeader, pipe.end());
    write(std::string(argv[2]) + "/" + std::to_string(number), records);
  }
}
