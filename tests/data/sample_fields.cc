// The order is the kernel's (perf_output_sample), not that of the bits in sample_type.
#include "tests/data/sample_fields.h"

#include "tests/data/byte_writer.h"

namespace pgo::test {
namespace {

bool wants(const Event& event, uint64_t sample_bit) {
  return (event.sample_type & sample_bit) != 0;
}

void put_read(ByteVector& out, const Event& event, const Sample& sample) {
  auto put_value = [&](const ReadValue& read) { put64(out, read.value); };
  auto put_id = [&](const ReadValue& read) {
    if (event.read_format & PERF_FORMAT_ID) put64(out, read.id);
    if (event.read_format & kReadFormatLost) put64(out, read.lost);
  };
  bool group = (event.read_format & PERF_FORMAT_GROUP) != 0;
  if (group) put64(out, sample.read.size());
  if (!group) put_value(sample.read.front());
  if (event.read_format & PERF_FORMAT_TOTAL_TIME_ENABLED) put64(out, sample.time_enabled);
  if (event.read_format & PERF_FORMAT_TOTAL_TIME_RUNNING) put64(out, sample.time_running);
  if (!group) return put_id(sample.read.front());
  for (const ReadValue& read : sample.read) {
    put_value(read);
    put_id(read);
  }
}

void put_branch_stack(ByteVector& out, const Event& event, const Sample& sample) {
  put64(out, sample.branches.size());
  if (event.branch_sample_type & PERF_SAMPLE_BRANCH_HW_INDEX) put64(out, sample.hw_index);
  for (const Branch& branch : sample.branches) {
    put64(out, branch.from);
    put64(out, branch.to);
    put64(out, branch.flags | branch.cycles << 4);
  }
  if (event.branch_sample_type & kBranchCounters) {
    std::vector<uint64_t> counters = sample.branch_counters;
    counters.resize(sample.branches.size());
    for (uint64_t counter : counters) put64(out, counter);
  }
}

void put_registers(ByteVector& out, const std::vector<uint64_t>& registers) {
  put64(out, registers.empty() ? PERF_SAMPLE_REGS_ABI_NONE : PERF_SAMPLE_REGS_ABI_64);
  for (uint64_t value : registers) put64(out, value);
}

void put_stack_user(ByteVector& out, std::string_view stack) {
  size_t padded = (stack.size() + 7) / 8 * 8;
  put64(out, padded);
  if (padded == 0) return;
  put_bytes(out, stack);
  out.insert(out.end(), padded - stack.size(), 0);
  put64(out, stack.size());
}

// The fields before the branch stack.
void put_sample_front(ByteVector& out, const Event& event, const Sample& sample, uint64_t id) {
  if (wants(event, PERF_SAMPLE_IDENTIFIER)) put64(out, id);
  if (wants(event, PERF_SAMPLE_IP)) put64(out, sample.ip);
  if (wants(event, PERF_SAMPLE_TID)) {
    put32(out, sample.pid);
    put32(out, sample.tid != 0 ? sample.tid : sample.pid);
  }
  if (wants(event, PERF_SAMPLE_TIME)) put64(out, sample.time);
  if (wants(event, PERF_SAMPLE_ADDR)) put64(out, sample.addr);
  if (wants(event, PERF_SAMPLE_ID)) put64(out, id);
  if (wants(event, PERF_SAMPLE_STREAM_ID)) put64(out, sample.stream_id);
  if (wants(event, PERF_SAMPLE_CPU)) put64(out, sample.cpu);
  if (wants(event, PERF_SAMPLE_PERIOD)) put64(out, sample.period);
  if (wants(event, PERF_SAMPLE_READ)) put_read(out, event, sample);
  if (wants(event, PERF_SAMPLE_CALLCHAIN)) {
    put64(out, sample.callchain.size());
    for (uint64_t ip : sample.callchain) put64(out, ip);
  }
  if (wants(event, PERF_SAMPLE_RAW)) {
    // The size word counts the padding, so that size word and bytes together fill eight-byte words.
    size_t padded = (4 + sample.raw.size() + 7) / 8 * 8 - 4;
    put32(out, static_cast<uint32_t>(padded));
    put_bytes(out, sample.raw);
    out.insert(out.end(), padded - sample.raw.size(), 0);
  }
}

// The fields after the branch stack.
void put_sample_back(ByteVector& out, const Event& event, const Sample& sample) {
  if (wants(event, PERF_SAMPLE_REGS_USER)) put_registers(out, sample.regs_user);
  if (wants(event, PERF_SAMPLE_STACK_USER)) put_stack_user(out, sample.stack_user);
  if (wants(event, PERF_SAMPLE_WEIGHT_TYPE)) put64(out, sample.weight);
  if (wants(event, PERF_SAMPLE_DATA_SRC)) put64(out, sample.data_src);
  if (wants(event, PERF_SAMPLE_TRANSACTION)) put64(out, sample.transaction);
  if (wants(event, PERF_SAMPLE_REGS_INTR)) put_registers(out, sample.regs_intr);
  if (wants(event, PERF_SAMPLE_PHYS_ADDR)) put64(out, sample.phys_addr);
  if (wants(event, PERF_SAMPLE_CGROUP)) put64(out, sample.cgroup);
  if (wants(event, PERF_SAMPLE_DATA_PAGE_SIZE)) put64(out, sample.data_page_size);
  if (wants(event, PERF_SAMPLE_CODE_PAGE_SIZE)) put64(out, sample.code_page_size);
  if (wants(event, PERF_SAMPLE_AUX)) {
    put64(out, sample.aux.size());
    put_bytes(out, sample.aux);
  }
}

}  // namespace

ByteVector sample_body(const Event& event, const Sample& sample, uint64_t id) {
  ByteVector body;
  put_sample_front(body, event, sample, id);
  if (wants(event, PERF_SAMPLE_BRANCH_STACK)) put_branch_stack(body, event, sample);
  put_sample_back(body, event, sample);
  return body;
}

}  // namespace pgo::test
