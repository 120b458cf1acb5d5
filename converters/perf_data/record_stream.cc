#include "converters/perf_data/record_stream.h"

#include <zstd.h>

#include <algorithm>
#include <utility>

#include "pgo/profile/accounting.h"

namespace pgo::perf_data {
namespace {

// Inflated bytes of one record that may wait for the rest of it. Nothing is compressed whose
// records are longer.
constexpr size_t kMaxTail = 4u << 20;

bool is_compressed(uint32_t type) { return type == kCompressed || type == kCompressed2; }

// The compressed bytes of a record: everything behind the header, or in the second form as many as
// a u64 behind the header says.
Bytes compressed_bytes(RecordHeader header, Bytes record) {
  Bytes body = record.subspan(kRecordHeaderSize);
  if (header.type == kCompressed) return body;
  if (body.size() < 8) return {};
  uint64_t size = load_le<uint64_t>(body.data());
  body = body.subspan(8);
  return body.first(static_cast<size_t>(std::min<uint64_t>(size, body.size())));
}

// Of the record at the beginning of `bytes`, a header or more: its size as its fields give it, with
// the payload behind it that some have. Fields that are cut off are taken as 0.
uint64_t claimed_size(Bytes bytes) {
  RecordHeader header = load_header(bytes.data());
  uint64_t size = header.size, payload = 0;
  if (header.type == kAuxtrace && size >= 16 && bytes.size() >= 16)
    payload = load_le<uint64_t>(bytes.data() + 8);
  else if (header.type == kTracingData && size >= 12 && bytes.size() >= 12)
    payload = (uint64_t{load_le<uint32_t>(bytes.data() + 8)} + 7) & ~uint64_t{7};
  return saturating_add(size, payload);
}

std::string cut_short(Bytes data, size_t offset) {
  Bytes rest = data.subspan(offset);
  uint64_t claimed = rest.size() < kRecordHeaderSize ? kRecordHeaderSize : claimed_size(rest);
  return "the record at byte " + std::to_string(offset) + " of the data claims " +
         std::to_string(claimed) + " bytes, " + std::to_string(rest.size()) + " are left";
}

}  // namespace

size_t whole_record_size(Bytes bytes) {
  if (bytes.size() < kRecordHeaderSize) return 0;
  uint64_t header_size = load_header(bytes.data()).size, size = claimed_size(bytes);
  if (header_size < kRecordHeaderSize || size > bytes.size()) return 0;
  return static_cast<size_t>(size);
}

// One continuous zstd stream runs through all compressed records of a file. Records may straddle
// them, so the inflated tail that is not a whole record waits for the rest of it. Records that are
// not compressed stand between those that are, and may stand in the middle of a straddling one.
class RecordStream::Inflater {
 public:
  Inflater() : stream_(ZSTD_createDStream(), ZSTD_freeDStream) {}

  // Is there compressed data that has not been inflated yet?
  bool pending() const { return pending_; }
  void begin(Bytes compressed) {
    in_ = {compressed.data(), compressed.size(), 0};
    pending_ = true;
  }
  // Appends the next piece of what begin() was given; false when it is not zstd.
  bool inflate_piece() {
    size_t filled = tail_.size();
    tail_.resize(filled + ZSTD_DStreamOutSize());
    ZSTD_outBuffer out{tail_.data() + filled, tail_.size() - filled, 0};
    size_t result = ZSTD_decompressStream(stream_.get(), &out, &in_);
    tail_.resize(filled + out.pos);
    size_t whole = 0;
    while (size_t size = whole_record_size(Bytes(tail_).subspan(whole))) whole += size;
    append(Bytes(tail_).first(whole));
    tail_.erase(tail_.begin(), tail_.begin() + static_cast<std::ptrdiff_t>(whole));
    pending_ = !ZSTD_isError(result) && (in_.pos < in_.size || out.pos == out.size);
    return !ZSTD_isError(result);
  }

  void append(Bytes records) { whole_.insert(whole_.end(), records.begin(), records.end()); }
  // Bytes of whole records, and of the record that is not whole yet.
  size_t whole_size() const { return whole_.size(); }
  size_t tail_size() const { return tail_.size(); }

  // Hands out the whole records inflated so far.
  std::vector<uint8_t> take_whole_records() { return std::exchange(whole_, {}); }

 private:
  std::unique_ptr<ZSTD_DStream, size_t (*)(ZSTD_DStream*)> stream_;
  ZSTD_inBuffer in_{nullptr, 0, 0};
  bool pending_ = false;
  std::vector<uint8_t> whole_, tail_;
};

RecordStream::RecordStream(Bytes data, size_t block_size) : data_(data), block_size_(block_size) {}
RecordStream::RecordStream(RecordStream&&) noexcept = default;
RecordStream::~RecordStream() = default;

std::optional<RecordBlock> RecordStream::next() {
  if (inflater_) return next_inflated();
  size_t begin = offset_;
  while (offset_ < data_.size() && offset_ - begin < block_size_) {
    Bytes rest = data_.subspan(offset_);
    size_t size = whole_record_size(rest);
    if (size == 0) {
      problem_ = cut_short(data_, offset_);
      data_ = data_.first(offset_);
      break;
    }
    if (is_compressed(load_header(rest.data()).type)) {
      inflater_ = std::make_unique<Inflater>();
      break;
    }
    prefetch_ahead(data_, offset_, size);
    offset_ += size;
  }
  if (offset_ == begin) return inflater_ ? next_inflated() : std::nullopt;
  RecordBlock block{data_.subspan(begin, offset_ - begin), position_, {}};
  position_ += block.records.size();
  return block;
}

std::optional<RecordBlock> RecordStream::next_inflated() {
  // A piece at a time: a small record can inflate to gigabytes.
  while (inflater_->whole_size() < block_size_ && problem_.empty()) {
    if (inflater_->tail_size() > kMaxTail) {
      problem_ = "the compressed data before byte " + std::to_string(offset_) +
                 " of the data holds a record of an impossible size";
    } else if (inflater_->pending()) {
      if (inflater_->inflate_piece()) continue;
      problem_ = "the compressed record before byte " + std::to_string(offset_) +
                 " of the data is damaged";
    } else if (offset_ == data_.size()) {
      break;
    } else if (size_t size = whole_record_size(data_.subspan(offset_)); size == 0) {
      problem_ = cut_short(data_, offset_);
    } else {
      Bytes record = data_.subspan(offset_, size);
      RecordHeader header = load_header(record.data());
      if (is_compressed(header.type))
        inflater_->begin(compressed_bytes(header, record.first(header.size)));
      else
        inflater_->append(record);
      offset_ += size;
    }
  }
  RecordBlock block;
  block.owned = inflater_->take_whole_records();
  if (block.owned.empty()) {
    if (inflater_->tail_size() != 0 && problem_.empty())
      problem_ = "the last " + std::to_string(inflater_->tail_size()) +
                 " bytes of the compressed data are not a whole record";
    return std::nullopt;
  }
  block.records = block.owned;
  block.position = position_;
  position_ += block.records.size();
  return block;
}

}  // namespace pgo::perf_data
