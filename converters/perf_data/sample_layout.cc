#include "converters/perf_data/sample_layout.h"

#include <algorithm>

namespace pgo::perf_data {

SampleLayout::SampleLayout(const EventAttr& attr)
    : sample_type_(attr.sample_type),
      read_format_(attr.read_format),
      branch_sample_type_(attr.branch_sample_type) {
  size_t offset = kRecordHeaderSize;
  auto place = [&](uint64_t bit) {
    size_t here = offset;
    if ((sample_type_ & bit) != 0) offset += 8;
    return here;
  };
  size_t identifier = place(kSampleIdentifier);
  ip_ = place(kSampleIp);
  tid_ = place(kSampleTid);
  time_ = place(kSampleTime);
  place(kSampleAddr);
  size_t id = place(kSampleId);
  place(kSampleStreamId);
  place(kSampleCpu);
  period_ = place(kSamplePeriod);
  fixed_end_ = offset;
  if ((sample_type_ & kSampleIdentifier) != 0)
    id_offset_ = identifier;
  else if ((sample_type_ & kSampleId) != 0)
    id_offset_ = id;

  if (!attr.sample_id_all()) return;
  for (uint64_t bit :
       {kSampleIdentifier, kSampleCpu, kSampleStreamId, kSampleId, kSampleTime, kSampleTid}) {
    if ((sample_type_ & bit) == 0) continue;
    trailer_size_ += 8;
    if (bit == kSampleIdentifier || (bit == kSampleId && !trailer_id_offset_))
      trailer_id_offset_ = trailer_size_;
  }
}

// The end of the READ field that starts at `offset`, or past the record's end when it does not fit.
uint64_t SampleLayout::skip_read(Bytes record, uint64_t offset) const {
  uint64_t per_value = 1 + ((read_format_ & kReadId) != 0) + ((read_format_ & kReadLost) != 0);
  uint64_t words =
      ((read_format_ & kReadTotalTimeEnabled) != 0) + ((read_format_ & kReadTotalTimeRunning) != 0);
  if ((read_format_ & kReadGroup) == 0) return offset + 8 * (words + per_value);
  if (offset + 8 > record.size()) return record.size() + 1;
  uint64_t values = load_le<uint64_t>(record.data() + offset);
  if (values > record.size()) return record.size() + 1;
  return offset + 8 * (1 + words + values * per_value);
}

std::optional<Sample> SampleLayout::parse(Bytes record) const {
  if (fixed_end_ > record.size()) return std::nullopt;
  const uint8_t* data = record.data();
  Sample sample;
  if ((sample_type_ & kSampleIp) != 0) sample.ip = {load_le<uint64_t>(data + ip_)};
  if ((sample_type_ & kSampleTid) != 0) {
    sample.pid = load_le<uint32_t>(data + tid_);
    sample.tid = load_le<uint32_t>(data + tid_ + 4);
  }
  if ((sample_type_ & kSampleTime) != 0) sample.time = load_le<uint64_t>(data + time_);
  if ((sample_type_ & kSamplePeriod) != 0) sample.period = load_le<uint64_t>(data + period_);

  uint64_t offset = fixed_end_;
  // Reads a u64 count of `unit`-sized items at offset, steps over it, and says whether they fit.
  auto read_count = [&](uint64_t& count, uint64_t unit) {
    if (offset + 8 > record.size()) return false;
    count = load_le<uint64_t>(data + offset);
    offset += 8;
    return count <= (record.size() - offset) / unit;
  };
  if ((sample_type_ & kSampleRead) != 0) offset = skip_read(record, offset);
  if ((sample_type_ & kSampleCallchain) != 0) {
    if (offset > record.size() || !read_count(sample.frame_count, 8)) return std::nullopt;
    sample.frames = data + offset;
    offset += 8 * sample.frame_count;
  }
  if ((sample_type_ & kSampleRaw) != 0) {
    if (offset + 4 > record.size()) return std::nullopt;
    offset = (offset + 4 + load_le<uint32_t>(data + offset) + 7) & ~uint64_t{7};
  }
  if (offset > record.size()) return std::nullopt;
  if ((sample_type_ & kSampleBranchStack) != 0) {
    if (!read_count(sample.branch_count, kBranchEntrySize)) return std::nullopt;
    // Where the kernel has no stack at all, it writes the zero and no index.
    if (sample.branch_count == 0) return sample;
    if ((branch_sample_type_ & kBranchHwIndex) != 0) offset += 8;
    if (offset + sample.branch_count * kBranchEntrySize > record.size()) return std::nullopt;
    sample.branches = data + offset;
  }
  return sample;
}

uint64_t weight_of(const Sample& sample, const EventAttr& event) {
  if (sample.period != 0) return sample.period;
  return event.is_frequency() ? 1 : std::max<uint64_t>(event.period_or_frequency, 1);
}

std::optional<SampleId> SampleLayout::parse_trailer(Bytes record) const {
  if (trailer_size_ == 0 || record.size() < kRecordHeaderSize + trailer_size_) return std::nullopt;
  ByteCursor cursor(record.last(trailer_size_));
  SampleId id;
  if ((sample_type_ & kSampleTid) != 0) {
    id.pid = cursor.u32();
    id.tid = cursor.u32();
  }
  if ((sample_type_ & kSampleTime) != 0) id.time = cursor.u64();
  return id;
}

}  // namespace pgo::perf_data
