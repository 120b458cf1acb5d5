#include "pgo/symbolize/debug_info.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFObject.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

#include "pgo/symbolize/attribute_value.h"
#include "pgo/symbolize/inflated_debug.h"
#include "pgo/symbolize/llvm_error.h"

namespace pgo {
namespace {

constexpr char kBuildAgain[] =
    "build or copy the file again, or name its debug file with --debug-file";

Result<std::unique_ptr<llvm::object::ObjectFile>> open_object(const llvm::MemoryBuffer& bytes,
                                                              const std::string& path) {
  auto object = llvm::object::ObjectFile::createObjectFile(bytes.getMemBufferRef());
  if (!object) return llvm_failure(ErrorKind::kInput, path, object.takeError());
  return std::move(*object);
}

}  // namespace

Result<std::unique_ptr<DebugInfo>> DebugInfo::open(const ElfImage& image, size_t contexts) {
  auto info = std::unique_ptr<DebugInfo>(new DebugInfo());
  info->path_ = image.path();
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
  // What LLVM would print on stderr is no obstacle (it skips what it cannot read), but is told.
  auto note = [damage = &info->damage_](llvm::Error error) { damage->add(std::move(error)); };
  // No more than there are units. Of all units the same are left out.
  std::vector<bool> readable;
  for (size_t i = 0; i < std::max<size_t>(contexts, 1); i++) {
    if (i > 0 && i >= info->units_[0].size()) break;
    info->contexts_.push_back(llvm::DWARFContext::create(
        *info->object_, llvm::DWARFContext::ProcessDebugRelocations::Process, nullptr, "", note,
        note));
    auto& units = info->units_.emplace_back();
    size_t number = 0;
    for (const auto& unit : info->contexts_[i]->compile_units()) {
      if (i == 0) readable.push_back(has_readable_entry(*unit));
      if (readable[number++])
        units.push_back(unit.get());
      else
        info->damage_.add(".debug_info",
                          "an attribute that cannot be read of the unit at offset 0x" +
                              llvm::utohexstr(unit->getOffset(), true));
    }
  }
  if (info->units_[0].empty() && !info->damage_.empty())
    return fail(ErrorKind::kInput,
                image.path() + ": " + info->damage_.first() + "; " + kBuildAgain);
  if (info->units_[0].empty())
    return fail(ErrorKind::kInput,
                image.path() +
                    ": has no debug information; build with -gline-tables-only "
                    "-fdebug-info-for-profiling, or name the debug file with --debug-file");
  return info;
}

namespace {

// Whether what keeps LLVM from the unit `id` is damage in the file at `path`. LLVM's contexts tell
// nobody of those that they open themselves, so this is one more.
bool is_split_file_damaged(const std::string& path, uint64_t id, DebugDamage& damage) {
  if (!llvm::sys::fs::exists(path)) return false;
  bool found = false;
  auto note = [&](llvm::Error error) {
    found = true;
    damage.add(path, std::move(error));
  };
  auto object = llvm::object::ObjectFile::createObjectFile(path);
  if (!object) {
    note(object.takeError());
    return found;
  }
  auto context = llvm::DWARFContext::create(*object->getBinary(),
                                            llvm::DWARFContext::ProcessDebugRelocations::Ignore,
                                            nullptr, "", note, note);
  if (auto* unit = context->getDWOCompileUnitForHash(id)) unit->getUnitDIE();
  return found;
}

}  // namespace

std::string missing_split_file(llvm::DWARFUnit& unit, DebugDamage& damage) {
  std::optional<uint64_t> id = unit.getDWOId();
  if (!id) return {};
  llvm::DWARFUnit* full = unit.getNonSkeletonUnitDIE(true).getDwarfUnit();
  if (full != nullptr && full != &unit) return {};
  std::string name = llvm::dwarf::toString(
      unit.getUnitDIE().find({llvm::dwarf::DW_AT_dwo_name, llvm::dwarf::DW_AT_GNU_dwo_name}),
      "a .dwo file");
  llvm::SmallString<128> path(name);
  if (const char* directory = unit.getCompilationDir())
    llvm::sys::path::make_absolute(directory, path);
  // A package of .dwo files comes first, as it does for LLVM.
  std::string package = unit.getContext().getDWARFObj().getFileName().str() + ".dwp";
  for (const std::string& file : {package, path.str().str()})
    if (is_split_file_damaged(file, *id, damage)) return {};
  return name;
}

bool is_compiled_by_gcc(llvm::DWARFUnit& unit) {
  llvm::DWARFDie die = unit.getNonSkeletonUnitDIE();
  llvm::StringRef producer =
      llvm::dwarf::toStringRef(die ? die.find(llvm::dwarf::DW_AT_producer) : std::nullopt);
  return producer.starts_with("GNU ");
}

}  // namespace pgo
