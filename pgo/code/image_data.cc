#include "pgo/code/image_data.h"

#include <elf.h>

#include <algorithm>
#include <tuple>

namespace pgo {

ImageData::ImageData(const ElfImage& image, const ElfImage& symbols) {
  for (const ElfImage::Section& section : image.sections())
    if (section.allocated && !section.bytes.empty()) sections_.push_back(section);
  std::stable_sort(sections_.begin(), sections_.end(),
                   [](const auto& a, const auto& b) { return a.addr < b.addr; });
  read_relocations(image);
  for (const ElfImage::Symbol& symbol : symbols.symbols())
    if (!symbol.function && symbol.size != 0 && symbol.addr.value + symbol.size > symbol.size)
      data_symbols_.push_back({symbol.addr, ElfAddr{symbol.addr.value + symbol.size}});
  std::sort(data_symbols_.begin(), data_symbols_.end(), [](const Extent& a, const Extent& b) {
    return std::tie(a.begin, a.end) < std::tie(b.begin, b.end);
  });
}

void ImageData::read_relocations(const ElfImage& image) {
  const ElfImage::Section* section = image.find_section(".rela.dyn");
  if (section == nullptr) return;
  ByteCursor cursor(section->bytes);
  while (cursor.remaining() >= sizeof(Elf64_Rela)) {
    uint64_t at = cursor.u64(), info = cursor.u64(), addend = cursor.u64();
    if (ELF64_R_TYPE(info) == R_X86_64_RELATIVE)
      relocations_.push_back({ElfAddr{at}, ElfAddr{addend}});
  }
  std::stable_sort(relocations_.begin(), relocations_.end(),
                   [](const Relocation& a, const Relocation& b) { return a.at < b.at; });
}

Bytes ImageData::bytes_at(ElfAddr addr, uint64_t size) const {
  auto after = std::upper_bound(sections_.begin(), sections_.end(), addr,
                                [](ElfAddr a, const auto& section) { return a < section.addr; });
  if (after == sections_.begin()) return {};
  const ElfImage::Section& section = *std::prev(after);
  return slice(section.bytes, addr.value - section.addr.value, size).value_or(Bytes());
}

std::optional<int32_t> ImageData::read_int32(ElfAddr addr) const {
  Bytes bytes = bytes_at(addr, sizeof(int32_t));
  if (bytes.empty()) return std::nullopt;
  return load_le<int32_t>(bytes.data());
}

std::optional<ElfAddr> ImageData::read_address(ElfAddr addr) const {
  auto found = std::lower_bound(relocations_.begin(), relocations_.end(), addr,
                                [](const Relocation& r, ElfAddr a) { return r.at < a; });
  if (found != relocations_.end() && found->at == addr) return found->value;
  Bytes bytes = bytes_at(addr, sizeof(uint64_t));
  if (bytes.empty()) return std::nullopt;
  return ElfAddr{load_le<uint64_t>(bytes.data())};
}

std::optional<ElfAddr> ImageData::find_symbol_end(ElfAddr addr) const {
  auto after = std::upper_bound(data_symbols_.begin(), data_symbols_.end(), addr,
                                [](ElfAddr a, const Extent& extent) { return a < extent.begin; });
  if (after == data_symbols_.begin() || std::prev(after)->end <= addr) return std::nullopt;
  return std::prev(after)->end;
}

}  // namespace pgo
