#include "pgo/dwarf/split_file.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/DWARF/DWARFCompileUnit.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFObject.h>
#include <llvm/Object/ObjectFile.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <map>
#include <optional>

#include "pgo/base/parallel.h"
#include "pgo/dwarf/attribute_value.h"
#include "pgo/dwarf/inflated_debug.h"
#include "pgo/dwarf/unit_headers.h"
#include "pgo/dwarf/unit_index.h"

namespace pgo {
namespace {

struct SplitFile {
  uint64_t id = 0;         // of the unit
  std::string name, path;  // as the unit has it, and where LLVM looks for it
};

// Of a unit that is only a skeleton.
std::optional<SplitFile> split_file_of(llvm::DWARFUnit& unit) {
  llvm::DWARFDie entry = unit.getUnitDIE();
  std::optional<uint64_t> id = unit.getDWOId();
  if (!entry || !id) return std::nullopt;
  auto name = llvm::dwarf::toString(entry.find(
      unit.getVersion() >= 5 ? llvm::dwarf::DW_AT_dwo_name : llvm::dwarf::DW_AT_GNU_dwo_name));
  if (!name) return std::nullopt;
  auto directory = llvm::dwarf::toString(entry.find(llvm::dwarf::DW_AT_comp_dir));
  llvm::SmallString<128> path;
  if (directory && llvm::sys::path::is_relative(*name)) path = *directory;
  llvm::sys::path::append(path, *name);
  return SplitFile{*id, *name, path.str().str()};
}

// LLVM looks for it first.
std::string package_of(llvm::DWARFUnit& unit) {
  return unit.getContext().getDWARFObj().getFileName().str() + ".dwp";
}

enum class Verdict { kAbsent, kReadable, kRefused };

// Whether LLVM may open the file at `path` for the units with these ids.
Verdict judge(const std::string& path, const std::vector<uint64_t>& ids, DebugDamage& damage) {
  if (!llvm::sys::fs::exists(path)) return Verdict::kAbsent;
  auto refuse = [&](const std::string& reason) {
    damage.add(path, reason);
    return Verdict::kRefused;
  };
  // A device may have no end.
  if (!llvm::sys::fs::is_regular_file(path)) return refuse("is not a regular file");
  auto object = llvm::object::ObjectFile::createObjectFile(path);
  if (!object) {  // nor can LLVM open it
    llvm::consumeError(object.takeError());
    return Verdict::kAbsent;
  }
  DebugDamage inside;
  auto inflated = inflate_debug(*object->getBinary(), 1, inside);
  if (!inflated) return refuse(inflated.error().message);
  if (!inside.empty()) {
    for (const std::string& reason : inside.reasons()) refuse(reason);
    return Verdict::kRefused;
  }
  std::unique_ptr<llvm::object::ObjectFile> copy;
  if (*inflated) {
    auto opened = llvm::object::ObjectFile::createObjectFile(**inflated);
    if (!opened) return refuse(llvm::toString(opened.takeError()));
    copy = std::move(*opened);
  }
  uint64_t stored = object->getBinary()->getData().size();
  if (auto fault = read_unit_headers(copy ? *copy : *object->getBinary(), stored).fault)
    return refuse(".debug_info.dwo: " + *fault);
  // missing_split_file() reports other damage, which LLVM finds itself.
  auto ignore = [](llvm::Error error) { llvm::consumeError(std::move(error)); };
  auto context = llvm::DWARFContext::create(copy ? *copy : *object->getBinary(),
                                            llvm::DWARFContext::ProcessDebugRelocations::Ignore,
                                            nullptr, "", ignore, ignore);
  if (!is_sound_unit_index(context->getDWARFObj().getCUIndexSection()))
    return refuse(".debug_cu_index: its table of units is damaged");
  if (!is_sound_unit_index(context->getDWARFObj().getTUIndexSection()))
    return refuse(".debug_tu_index: its table of units is damaged");
  std::vector<llvm::DWARFUnit*> units;
  for (const auto& unit : context->dwo_units()) units.push_back(unit.get());
  for (llvm::DWARFUnit* unit : units)
    if (!has_readable_entry(*unit))
      return refuse(".debug_info.dwo: an attribute that cannot be read of the unit at offset 0x" +
                    llvm::utohexstr(unit->getOffset(), true));
  // The index of a package may have units elsewhere.
  for (uint64_t id : ids)
    if (auto* unit = context->getDWOCompileUnitForHash(id); unit && !has_readable_entry(*unit))
      return refuse(".debug_cu_index: leads to a unit whose attributes cannot be read");
  return Verdict::kReadable;
}

// Whether damage in the file at `path` keeps LLVM from the unit `id`. LLVM's contexts do not report
// damage in files that they open themselves, so this opens the file once more.
bool is_damaged(const std::string& path, uint64_t id, DebugDamage& damage) {
  if (!llvm::sys::fs::is_regular_file(path)) return false;
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

std::vector<bool> have_readable_split_files(const std::vector<llvm::DWARFUnit*>& units,
                                            unsigned jobs, DebugDamage& damage) {
  std::vector<bool> readable(units.size(), true);
  struct File {
    std::vector<uint64_t> ids;
    std::vector<size_t> units;
  };
  std::map<std::string, File> files;
  std::vector<uint64_t> ids;
  for (size_t i = 0; i < units.size(); i++)
    if (auto split = split_file_of(*units[i])) {
      files[split->path].ids.push_back(split->id);
      files[split->path].units.push_back(i);
      ids.push_back(split->id);
    }
  if (files.empty()) return readable;

  // Where there is a package, LLVM looks nowhere else.
  Verdict package = judge(package_of(*units[0]), ids, damage);
  if (package == Verdict::kReadable) return readable;
  std::vector<std::pair<const std::string, File>*> list;
  for (auto& file : files) list.push_back(&file);
  std::vector<Verdict> verdicts(list.size(), package);
  if (package == Verdict::kAbsent)
    parallel_for(list.size(), jobs, [&](size_t i) {
      verdicts[i] = judge(list[i]->first, list[i]->second.ids, damage);
    });
  for (size_t i = 0; i < list.size(); i++)
    for (size_t unit : list[i]->second.units) readable[unit] = verdicts[i] != Verdict::kRefused;
  return readable;
}

std::string missing_split_file(llvm::DWARFUnit& unit, DebugDamage& damage) {
  std::optional<SplitFile> split = split_file_of(unit);
  if (!split) return unit.getDWOId() ? "a .dwo file" : "";
  llvm::DWARFUnit* full = unit.getNonSkeletonUnitDIE(true).getDwarfUnit();
  if (full != nullptr && full != &unit) return {};
  // A package of .dwo files comes first, as it does for LLVM.
  for (const std::string& file : {package_of(unit), split->path})
    if (is_damaged(file, split->id, damage)) return {};
  return split->name;
}

}  // namespace pgo
