// Writes .pseudo_probe and .pseudo_probe_desc piece by piece, as the comment in probe_table.h lays
// them out.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "pgo/elf/probe_table.h"
#include "tests/data/byte_writer.h"

namespace pgo::test {

class ProbeSection {
 public:
  // The id of the call that the next record was inlined at.
  ProbeSection& call_site(uint64_t id) {
    is_inlined_ = true;
    return number(id);
  }
  ProbeSection& record(uint64_t guid, uint64_t probes, uint64_t inlined) {
    if (!is_inlined_) boundaries_.push_back(bytes_.size());
    is_inlined_ = false;
    put64(bytes_, guid);
    return number(probes).number(inlined);
  }
  ProbeSection& probe(uint64_t id, ProbeKind kind, int delta) {
    return number(id).byte(static_cast<uint8_t>(0x80 | static_cast<unsigned>(kind))).step(delta);
  }
  ProbeSection& probe_with_discriminator(uint64_t id, ProbeKind kind, int delta,
                                         uint64_t discriminator) {
    return number(id)
        .byte(static_cast<uint8_t>(0xc0 | static_cast<unsigned>(kind)))
        .step(delta)
        .number(discriminator);
  }
  ProbeSection& probe_at(uint64_t id, ProbeKind kind, uint64_t addr) {
    number(id).byte(static_cast<uint8_t>(kind));
    put64(bytes_, addr);
    return *this;
  }
  ProbeSection& sentinel(uint64_t guid) {
    number(0).byte(0x20);
    put64(bytes_, guid);
    return *this;
  }

  Bytes bytes() const { return bytes_; }
  // Does an outermost record start there?
  bool is_boundary(size_t offset) const {
    return std::find(boundaries_.begin(), boundaries_.end(), offset) != boundaries_.end();
  }

 private:
  ProbeSection& number(uint64_t value) {  // ULEB128
    for (; value >= 0x80; value >>= 7) byte(static_cast<uint8_t>(value | 0x80));
    return byte(static_cast<uint8_t>(value));
  }
  ProbeSection& step(int value) { return byte(static_cast<uint8_t>(value & 0x7f)); }  // SLEB128
  ProbeSection& byte(uint8_t value) {
    bytes_.push_back(value);
    return *this;
  }

  ByteVector bytes_;
  std::vector<size_t> boundaries_;
  bool is_inlined_ = false;
};

class ProbeFunctionSection {
 public:
  // Names are shorter than 128 bytes.
  ProbeFunctionSection& function(uint64_t guid, uint64_t checksum, std::string_view name) {
    put64(bytes_, guid);
    put64(bytes_, checksum);
    bytes_.push_back(static_cast<uint8_t>(name.size()));
    put_bytes(bytes_, name);
    return *this;
  }
  Bytes bytes() const { return bytes_; }

 private:
  ByteVector bytes_;
};

}  // namespace pgo::test
