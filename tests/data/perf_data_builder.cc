// Lays out perf.data as the kernel (include/uapi/linux/perf_event.h) and perf
// (tools/perf/Documentation/perf.data-file-format.txt) describe it. Sections of a file are written
// in perf's own order: header, ids, attributes, data, table of features, features.
#include "tests/data/perf_data_builder.h"

#include <zstd.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tests/data/byte_writer.h"
#include "tests/data/sample_fields.h"

namespace pgo::test {
namespace {

constexpr char kMagic[] = "PERFILE2";
constexpr size_t kHeaderSize = 104;
constexpr size_t kMaxCompressedPayload = 65528;  // a record's size is 16 bits wide
constexpr uint32_t kFullEventSize = 136;

// A string of a feature section: its padded length, then the string, padded to 64 bytes.
void put_feature_string(ByteVector& out, std::string_view text) {
  size_t padded = (text.size() + 1 + 63) / 64 * 64;
  put32(out, static_cast<uint32_t>(padded));
  put_bytes(out, text);
  out.insert(out.end(), padded - text.size(), 0);
}

ByteVector record_bytes(uint32_t type, uint16_t misc, const ByteVector& body) {
  ByteVector record;
  put32(record, type);
  put<uint16_t>(record, misc);
  put<uint16_t>(record, static_cast<uint16_t>(8 + body.size()));
  put_bytes(record, body);
  return record;
}

// The perf_event_attr of `event`, cut at its size.
ByteVector attr_bytes(const Event& event) {
  ByteVector attr;
  put32(attr, event.type);
  put32(attr, event.size);
  put64(attr, event.config);
  put64(attr, event.sample_period);
  put64(attr, event.sample_type);
  put64(attr, event.read_format);
  put64(attr, event.flags);
  for (int i = 0; i < 3; ++i) put64(attr, 0);  // wakeup, bp_type, config1, config2
  put64(attr, event.branch_sample_type);
  put64(attr, event.sample_regs_user);
  put64(attr, 0);  // sample_stack_user, clockid
  put64(attr, event.sample_regs_intr);
  attr.resize(kFullEventSize);
  attr.resize(event.size);
  return attr;
}

ByteVector event_desc_bytes(const std::vector<Event>& events) {
  ByteVector out;
  put32(out, static_cast<uint32_t>(events.size()));
  put32(out, events.empty() ? 0 : events.front().size);
  for (const Event& event : events) {
    put_bytes(out, attr_bytes(event));
    put32(out, static_cast<uint32_t>(event.ids.size()));
    put_feature_string(out, event.name);
    for (uint64_t id : event.ids) put64(out, id);
  }
  return out;
}

// The feature that tells how to undo COMPRESSED records: version, zstd, level, ratio, buffer size.
ByteVector compressed_feature() {
  ByteVector out;
  for (uint32_t value : {1u, 1u, 1u, 1u, 1u << 20}) put32(out, value);
  return out;
}

}  // namespace

// One zstd stream for the whole recording.
class PerfDataBuilder::Compressor {
 public:
  Compressor() : context_(ZSTD_createCCtx()) {}
  ~Compressor() { ZSTD_freeCCtx(context_); }
  Compressor(const Compressor&) = delete;
  Compressor& operator=(const Compressor&) = delete;

  // The next piece of the stream, from which all of `plain` can be restored.
  ByteVector compress(const uint8_t* plain, size_t size) {
    ByteVector out(ZSTD_compressBound(size) + 64);
    ZSTD_inBuffer input{plain, size, 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    if (ZSTD_compressStream2(context_, &output, &input, ZSTD_e_flush) != 0) std::abort();
    out.resize(output.pos);
    return out;
  }

 private:
  ZSTD_CCtx* context_;
};

PerfDataBuilder::PerfDataBuilder() = default;
PerfDataBuilder::~PerfDataBuilder() = default;
PerfDataBuilder::PerfDataBuilder(PerfDataBuilder&&) noexcept = default;
PerfDataBuilder& PerfDataBuilder::operator=(PerfDataBuilder&&) noexcept = default;

PerfDataBuilder& PerfDataBuilder::event(Event event) {
  events_.push_back(std::move(event));
  return *this;
}

uint64_t PerfDataBuilder::first_id(size_t event) const {
  const std::vector<uint64_t>& ids = events_.at(event).ids;
  return ids.empty() ? 0 : ids.front();
}

void PerfDataBuilder::append(uint32_t type, uint16_t misc, const ByteVector& body) {
  put_bytes(uncompressed_ ? *uncompressed_ : data_, record_bytes(type, misc, body));
}

void PerfDataBuilder::append_with_trailer(uint32_t type, uint16_t misc, ByteVector body,
                                          uint32_t pid, uint32_t tid, uint64_t time, uint32_t cpu,
                                          size_t event) {
  const Event& attr = events_.at(event);
  auto wants = [&](uint64_t sample_bit) { return (attr.sample_type & sample_bit) != 0; };
  if (attr.flags & kFlagSampleIdAll) {
    if (wants(PERF_SAMPLE_TID)) {
      put32(body, pid);
      put32(body, tid != 0 ? tid : pid);
    }
    if (wants(PERF_SAMPLE_TIME)) put64(body, time);
    if (wants(PERF_SAMPLE_ID)) put64(body, first_id(event));
    if (wants(PERF_SAMPLE_STREAM_ID)) put64(body, 0);
    if (wants(PERF_SAMPLE_CPU)) put64(body, cpu);
    if (wants(PERF_SAMPLE_IDENTIFIER)) put64(body, first_id(event));
  }
  append(type, misc, body);
}

PerfDataBuilder& PerfDataBuilder::mmap(const Mmap& mmap) {
  ByteVector body;
  put32(body, mmap.pid);
  put32(body, mmap.tid != 0 ? mmap.tid : mmap.pid);
  put64(body, mmap.addr);
  put64(body, mmap.len);
  put64(body, mmap.pgoff);
  put_name(body, mmap.path);
  append_with_trailer(PERF_RECORD_MMAP, mmap.misc, std::move(body), mmap.pid, mmap.tid, mmap.time,
                      mmap.cpu, mmap.event);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::mmap2(const Mmap2& mmap) {
  ByteVector body;
  put32(body, mmap.pid);
  put32(body, mmap.tid != 0 ? mmap.tid : mmap.pid);
  put64(body, mmap.addr);
  put64(body, mmap.len);
  put64(body, mmap.pgoff);
  uint16_t misc = mmap.misc;
  if (mmap.build_id.empty()) {
    put32(body, mmap.maj);
    put32(body, mmap.min);
    put64(body, mmap.ino);
    put64(body, mmap.ino_generation);
  } else {
    misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
    ByteVector id = from_hex(mmap.build_id);
    put32(body, static_cast<uint32_t>(id.size()));  // one byte of size, three of padding
    id.resize(20);
    put_bytes(body, id);
  }
  put32(body, mmap.prot);
  put32(body, mmap.flags);
  put_name(body, mmap.path);
  append_with_trailer(PERF_RECORD_MMAP2, misc, std::move(body), mmap.pid, mmap.tid, mmap.time,
                      mmap.cpu, mmap.event);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::comm(const Comm& comm) {
  ByteVector body;
  put32(body, comm.pid);
  put32(body, comm.tid != 0 ? comm.tid : comm.pid);
  put_name(body, comm.name);
  append_with_trailer(PERF_RECORD_COMM, comm.misc, std::move(body), comm.pid, comm.tid, comm.time,
                      comm.cpu, comm.event);
  return *this;
}

namespace {
ByteVector task_body(const Task& task) {
  ByteVector body;
  put32(body, task.pid);
  put32(body, task.parent);
  put32(body, task.tid != 0 ? task.tid : task.pid);
  put32(body, task.parent_tid != 0 ? task.parent_tid : task.parent);
  put64(body, task.time);
  return body;
}
}  // namespace

PerfDataBuilder& PerfDataBuilder::fork(const Task& task) {
  append_with_trailer(PERF_RECORD_FORK, 0, task_body(task), task.pid, task.tid, task.time, task.cpu,
                      task.event);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::exit(const Task& task) {
  append_with_trailer(PERF_RECORD_EXIT, 0, task_body(task), task.pid, task.tid, task.time, task.cpu,
                      task.event);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::lost(const Lost& lost) {
  append_with_trailer(PERF_RECORD_LOST, 0, words({lost.id, lost.lost}), lost.pid, lost.tid,
                      lost.time, lost.cpu, lost.event);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::lost_samples(const Lost& lost) {
  append_with_trailer(PERF_RECORD_LOST_SAMPLES, 0, words({lost.lost}), lost.pid, lost.tid,
                      lost.time, lost.cpu, lost.event);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::sample(const Sample& sample) {
  const Event& event = events_.at(sample.event);
  uint64_t id = sample.id.value_or(first_id(sample.event));
  append(PERF_RECORD_SAMPLE, sample.misc, sample_body(event, sample, id));
  return *this;
}

PerfDataBuilder& PerfDataBuilder::finished_round() {
  append(kRecordFinishedRound, 0, {});
  return *this;
}

PerfDataBuilder& PerfDataBuilder::auxtrace(std::string_view payload) {
  ByteVector body = words({payload.size(), 0, 0});
  for (uint32_t value : {0u, 0u, 0u, 0u}) put32(body, value);  // idx, tid, cpu, reserved
  append(kRecordAuxtrace, 0, body);
  put_bytes(uncompressed_ ? *uncompressed_ : data_, payload);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::tracing_data(std::string_view payload) {
  ByteVector body;
  put32(body, static_cast<uint32_t>(payload.size()));
  append(kRecordTracingData, 0, body);
  put_bytes(uncompressed_ ? *uncompressed_ : data_, payload);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::event_update(size_t event) {
  constexpr uint64_t kUpdateName = 2;
  ByteVector body = words({kUpdateName, first_id(event)});
  put_name(body, events_.at(event).name);
  append(kRecordEventUpdate, 0, body);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::record(uint32_t type, uint16_t misc, const ByteVector& payload) {
  append(type, misc, payload);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::raw(const ByteVector& bytes) {
  put_bytes(uncompressed_ ? *uncompressed_ : data_, bytes);
  return *this;
}

PerfDataBuilder& PerfDataBuilder::start_compressed() {
  uncompressed_.emplace();
  if (!compressor_) {
    compressor_ = std::make_unique<Compressor>();
    feature(kFeatureCompressed, compressed_feature());
  }
  return *this;
}

PerfDataBuilder& PerfDataBuilder::end_compressed(const Cuts& cuts) {
  ByteVector plain = std::move(*uncompressed_);
  uncompressed_.reset();
  size_t step = cuts.plain != 0 ? cuts.plain : std::max<size_t>(plain.size(), 1);
  size_t limit = cuts.compressed != 0 ? cuts.compressed : kMaxCompressedPayload - 16;
  for (size_t at = 0; at < plain.size(); at += step) {
    ByteVector piece = compressor_->compress(&plain[at], std::min(step, plain.size() - at));
    for (size_t begin = 0; begin < piece.size(); begin += limit) {
      size_t end = std::min(piece.size(), begin + limit);
      ByteVector body;
      if (cuts.type == kRecordCompressed2) put64(body, end - begin);
      put_bytes(body, {reinterpret_cast<const char*>(&piece[begin]), end - begin});
      if (cuts.type == kRecordCompressed2) pad_to(body, 8);
      append(cuts.type, 0, body);
    }
  }
  return *this;
}

PerfDataBuilder& PerfDataBuilder::build_id(const BuildIdEntry& entry) {
  ByteVector body;
  put32(body, entry.pid);
  ByteVector id = from_hex(entry.id);
  auto size = static_cast<uint8_t>(id.size());
  id.resize(20);
  put_bytes(body, id);
  body.push_back((entry.misc & kMiscBuildIdSize) ? size : 0);
  pad_to(body, 4);
  put_bytes(body, entry.path);
  body.push_back(0);
  while ((body.size() + 8) % 8 != 0) body.push_back(0);
  put_bytes(build_ids_, record_bytes(kRecordHeaderBuildId, entry.misc, body));
  return *this;
}

PerfDataBuilder& PerfDataBuilder::event_desc() {
  return feature(kFeatureEventDesc, event_desc_bytes(events_));
}

PerfDataBuilder& PerfDataBuilder::machine(const std::string& host, const std::string& cpu_model) {
  ByteVector host_bytes, cpu_bytes;
  put_feature_string(host_bytes, host);
  put_feature_string(cpu_bytes, cpu_model);
  return feature(kFeatureHostname, host_bytes).feature(kFeatureCpuDescription, cpu_bytes);
}

PerfDataBuilder& PerfDataBuilder::feature(uint32_t bit, ByteVector payload) {
  features_.push_back({bit, std::move(payload)});
  return *this;
}

ByteVector PerfDataBuilder::file(DataSize data_size) const {
  std::vector<Feature> features = features_;
  if (!build_ids_.empty()) features.push_back({kFeatureBuildId, build_ids_});
  std::sort(features.begin(), features.end(),
            [](const Feature& a, const Feature& b) { return a.bit < b.bit; });
  std::array<uint64_t, 4> bitmap = {};
  for (const Feature& feature : features) bitmap[feature.bit / 64] |= 1ull << (feature.bit % 64);

  ByteVector ids, attrs;
  uint32_t attr_size = 0;
  for (const Event& event : events_) attr_size = std::max(attr_size, event.size);
  for (const Event& event : events_) {
    ByteVector attr = attr_bytes(event);
    attr.resize(attr_size);
    put_bytes(attrs, attr);
    put64(attrs, kHeaderSize + ids.size());
    put64(attrs, event.ids.size() * sizeof(uint64_t));
    for (uint64_t id : event.ids) put64(ids, id);
  }

  ByteVector out;
  size_t attrs_at = kHeaderSize + ids.size(), data_at = attrs_at + attrs.size();
  put_bytes(out, kMagic);
  for (uint64_t value :
       {uint64_t{kHeaderSize}, uint64_t{attr_size} + 16, uint64_t{attrs_at}, uint64_t{attrs.size()},
        uint64_t{data_at}, uint64_t{data_size == DataSize::kKnown ? data_.size() : 0}, uint64_t{0},
        uint64_t{0}}) {
    put64(out, value);
  }
  for (uint64_t word : bitmap) put64(out, word);
  put_bytes(out, ids);
  put_bytes(out, attrs);
  put_bytes(out, data_);
  size_t payload_at = out.size() + features.size() * 16;
  for (const Feature& feature : features) {
    put64(out, payload_at);
    put64(out, feature.payload.size());
    payload_at += feature.payload.size();
  }
  for (const Feature& feature : features) put_bytes(out, feature.payload);
  return out;
}

ByteVector PerfDataBuilder::pipe() const {
  ByteVector out;
  put_bytes(out, kMagic);
  put64(out, 16);
  for (const Event& event : events_) {
    ByteVector body = attr_bytes(event);
    for (uint64_t id : event.ids) put64(body, id);
    put_bytes(out, record_bytes(kRecordHeaderAttr, 0, body));
  }
  for (const Feature& feature : features_) {
    ByteVector body = words({feature.bit});
    put_bytes(body, feature.payload);
    put_bytes(out, record_bytes(kRecordHeaderFeature, 0, body));
  }
  put_bytes(out, data_);
  put_bytes(out, build_ids_);
  return out;
}

ByteVector words(std::initializer_list<uint64_t> values) {
  ByteVector out;
  for (uint64_t value : values) put64(out, value);
  return out;
}

ByteVector from_hex(std::string_view digits) {
  ByteVector out;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    out.push_back(
        static_cast<uint8_t>(std::strtoul(std::string(digits.substr(i, 2)).c_str(), nullptr, 16)));
  }
  return out;
}

}  // namespace pgo::test
