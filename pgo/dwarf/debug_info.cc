#include "pgo/dwarf/debug_info.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/Object/ObjectFile.h>

#include <algorithm>

#include "pgo/code/llvm_error.h"
#include "pgo/dwarf/attribute_value.h"
#include "pgo/dwarf/inflated_debug.h"
#include "pgo/dwarf/split_file.h"
#include "pgo/dwarf/unit_headers.h"

namespace pgo {
namespace {

constexpr char kBuildAgain[] =
    "build or copy the file again, or name its debug file with \xFF{debug-file}";

Result<std::unique_ptr<llvm::object::ObjectFile>> open_object(const llvm::MemoryBuffer& bytes,
                                                              const std::string& path) {
  auto object = llvm::object::ObjectFile::createObjectFile(bytes.getMemBufferRef());
  if (!object) return llvm_failure(ErrorKind::kInput, path, object.takeError());
  return std::move(*object);
}

uint64_t size_of_section(const llvm::object::ObjectFile& object, llvm::StringRef wanted) {
  uint64_t size = 0;
  for (const llvm::object::SectionRef& section : object.sections()) {
    auto name = section.getName();
    if (name && *name == wanted) size = std::max(size, section.getSize());
    if (!name) llvm::consumeError(name.takeError());
  }
  return size;
}

// LLVM makes some 1000 bytes of each unit in each context, and some 100 of each byte of the
// abbreviations of the units that a context reads. All contexts together may take 32 MB, and 16
// bytes for each byte of the file: as many as machines have cores, unless a file has hardly
// anything but units.
size_t most_contexts(const UnitHeaders& headers, uint64_t inflated) {
  constexpr uint64_t kOfUnit = 1000, kOfAbbreviation = 100;
  const uint64_t each = kOfUnit * headers.units + kOfAbbreviation * headers.longest_table + 1;
  const uint64_t all = (uint64_t{32} << 20) + saturating_multiply(16, inflated);
  return static_cast<size_t>(std::max<uint64_t>(all / each, 1));
}

}  // namespace

DebugInfo::DebugInfo() = default;
DebugInfo::~DebugInfo() = default;

Result<std::unique_ptr<DebugInfo>> DebugInfo::open(const ElfImage& image, size_t contexts) {
  auto info = std::unique_ptr<DebugInfo>(new DebugInfo());
  info->path_ = image.path();
  info->stored_ = image.bytes().size();
  llvm::StringRef bytes(reinterpret_cast<const char*>(image.bytes().data()), image.bytes().size());
  info->buffer_ = llvm::MemoryBuffer::getMemBuffer(bytes, image.path(), false);
  PGO_TRY(info->object_, open_object(*info->buffer_, image.path()));
  // All contexts share what is inflated here.
  PGO_TRY(std::unique_ptr<llvm::MemoryBuffer> inflated,
          inflate_debug(*info->object_, static_cast<unsigned>(std::max<size_t>(contexts, 1)),
                        info->damage_));
  if (inflated) {
    info->buffer_ = std::move(inflated);
    PGO_TRY(info->object_, open_object(*info->buffer_, image.path()));
  }
  info->inflated_ = std::max<uint64_t>(info->stored_, info->object_->getData().size());
  info->line_bytes_ = size_of_section(*info->object_, ".debug_line");
  const UnitHeaders headers = read_unit_headers(*info->object_, info->stored_);
  if (headers.fault) {
    info->damage_.add(".debug_info", *headers.fault);
    return fail(ErrorKind::kInput,
                image.path() + ": " + info->damage_.first() + "; " + kBuildAgain);
  }
  // What LLVM would print on stderr is no obstacle (it skips what it cannot read), but is told.
  auto note = [damage = &info->damage_](llvm::Error error) { damage->add(std::move(error)); };
  // No more than there are units.
  contexts = std::clamp<size_t>(contexts, 1, most_contexts(headers, info->inflated_));
  for (size_t i = 0; i < contexts; i++) {
    if (i > 0 && i >= info->units_[0].size()) break;
    info->contexts_.push_back(llvm::DWARFContext::create(
        *info->object_, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", note,
        note));
    info->units_.emplace_back();
    for (const auto& unit : info->contexts_[i]->compile_units())
      info->units_[i].push_back(unit.get());
    if (i == 0) info->find_readable_units(contexts);
    info->keep_readable_units(i);
  }
  if (info->units_[0].empty() && !info->damage_.empty())
    return fail(ErrorKind::kInput,
                image.path() + ": " + info->damage_.first() + "; " + kBuildAgain);
  if (info->units_[0].empty())
    return fail(ErrorKind::kInput,
                image.path() +
                    ": has no debug information; build with -gline-tables-only "
                    "-fdebug-info-for-profiling, or name the debug file with \xFF{debug-file}");
  return info;
}

// Those of the first context; of all contexts the same are kept.
void DebugInfo::find_readable_units(size_t jobs) {
  std::vector<llvm::DWARFUnit*> units;
  for (llvm::DWARFUnit* unit : units_[0]) {
    is_readable_.push_back(has_readable_entry(*unit));
    if (is_readable_.back())
      units.push_back(unit);
    else
      damage_.add(".debug_info", "an attribute that cannot be read of the unit at offset 0x" +
                                     llvm::utohexstr(unit->getOffset(), true));
  }
  std::vector<bool> is_whole =
      have_readable_split_files(units, static_cast<unsigned>(std::max<size_t>(jobs, 1)), damage_);
  size_t next = 0;
  for (size_t i = 0; i < is_readable_.size(); i++)
    if (is_readable_[i]) is_readable_[i] = is_whole[next++];
}

void DebugInfo::keep_readable_units(size_t context) {
  size_t number = 0;
  std::erase_if(units_[context], [&](llvm::DWARFUnit*) { return !is_readable_[number++]; });
}

std::string producer_of(llvm::DWARFUnit& unit) {
  llvm::DWARFDie die = unit.getNonSkeletonUnitDIE();
  return llvm::dwarf::toStringRef(die ? die.find(llvm::dwarf::DW_AT_producer) : std::nullopt).str();
}

bool is_compiled_by_gcc(llvm::DWARFUnit& unit) { return producer_of(unit).starts_with("GNU "); }

}  // namespace pgo
