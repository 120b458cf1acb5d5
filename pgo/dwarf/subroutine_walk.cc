#include "pgo/dwarf/subroutine_walk.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/DebugInfo/DWARF/DWARFContext.h>
#include <llvm/DebugInfo/DWARF/DWARFDebugAbbrev.h>
#include <llvm/DebugInfo/DWARF/DWARFFormValue.h>
#include <llvm/DebugInfo/DWARF/DWARFObject.h>

#include <utility>

#include "pgo/dwarf/attribute_value.h"

namespace pgo {
namespace {

using llvm::DWARFFormValue;
using llvm::DWARFUnit;

// Chains of origins and specifications are two or three long; more is a loop in a damaged file.
constexpr unsigned kMaxOriginDepth = 16;

// Inlining goes tens deep; profiles are nested as deeply, and are walked by recursion.
constexpr unsigned kMaxInlineDepth = 1000;

constexpr uint64_t kEntriesAtOnce = 1 << 10;

// What damage in the unit's section is said to be in: that of another file, when the unit is there.
std::string place_of(DWARFUnit& unit, const char* section) {
  if (!unit.isDWOUnit()) return section;
  return unit.getContext().getDWARFObj().getFileName().str() + ": " + section + ".dwo";
}

}  // namespace

// The attributes of one entry that matter here.
struct SubroutineWalk::Fields {
  std::optional<DWARFFormValue> low, high, ranges, origin, specification;
  const char* linkage_name = nullptr;
  const char* name = nullptr;
  std::optional<uint64_t> decl_file;
  uint32_t decl_line = 0, call_line = 0, discriminator = 0;
};

SubroutineWalk::Fields SubroutineWalk::read_fields(
    DWARFUnit& unit, const llvm::DWARFAbbreviationDeclaration& abbreviation, uint64_t& offset) {
  Fields fields;
  llvm::DWARFDataExtractor data = unit.getDebugInfoExtractor();
  auto text = [&](const DWARFFormValue& value) -> const char* {
    llvm::Expected<const char*> found = value.getAsCString();
    if (found) return *found;
    damage_.add(place_of(unit, ".debug_info"), found.takeError());
    return nullptr;
  };
  auto number = [](const DWARFFormValue& value) {
    return static_cast<uint32_t>(value.getAsUnsignedConstant().value_or(0));
  };
  for (const auto& attribute : abbreviation.attributes()) {
    DWARFFormValue value =
        attribute.isImplicitConst()
            ? DWARFFormValue::createFromSValue(attribute.Form, attribute.getImplicitConstValue())
            : DWARFFormValue(attribute.Form);
    // A form of a known size is a known form, and is not read beyond the section.
    bool can_be_read =
        attribute.getByteSize(unit) || end_of_value(data, unit, attribute.Form, offset);
    if (!attribute.isImplicitConst() &&
        (!can_be_read || !value.extractValue(data, &offset, unit.getFormParams(), &unit))) {
      note_damage(unit, offset, "an attribute that cannot be read");
      break;
    }
    switch (attribute.Attr) {
      case llvm::dwarf::DW_AT_low_pc: fields.low = value; break;
      case llvm::dwarf::DW_AT_high_pc: fields.high = value; break;
      case llvm::dwarf::DW_AT_ranges: fields.ranges = value; break;
      case llvm::dwarf::DW_AT_abstract_origin: fields.origin = value; break;
      case llvm::dwarf::DW_AT_specification: fields.specification = value; break;
      case llvm::dwarf::DW_AT_MIPS_linkage_name:
      case llvm::dwarf::DW_AT_linkage_name: fields.linkage_name = text(value); break;
      case llvm::dwarf::DW_AT_name: fields.name = text(value); break;
      case llvm::dwarf::DW_AT_decl_file: fields.decl_file = value.getAsUnsignedConstant(); break;
      case llvm::dwarf::DW_AT_decl_line: fields.decl_line = number(value); break;
      case llvm::dwarf::DW_AT_call_line: fields.call_line = number(value); break;
      case llvm::dwarf::DW_AT_GNU_discriminator: fields.discriminator = number(value); break;
      default: break;
    }
  }
  return fields;
}

namespace {

// The code that low, high and ranges attributes describe; nothing for code the linker removed.
llvm::DWARFAddressRangesVector read_ranges(DWARFUnit& unit,
                                           const std::optional<DWARFFormValue>& low_value,
                                           const std::optional<DWARFFormValue>& high_value,
                                           const std::optional<DWARFFormValue>& ranges_value,
                                           DebugDamage& damage) {
  if (low_value && high_value) {
    auto low = low_value->getAsSectionedAddress();
    uint64_t tombstone = llvm::dwarf::computeTombstoneAddress(unit.getAddressByteSize());
    if (low && low->Address != tombstone) {
      if (auto high = high_value->getAsSectionedAddress())
        return {{low->Address, high->Address, low->SectionIndex}};
      if (auto size = high_value->getAsUnsignedConstant())
        return {{low->Address, low->Address + *size, low->SectionIndex}};
    }
    if (!low)
      damage.add(place_of(unit, ".debug_info"), "the address of a function cannot be found");
  }
  if (!ranges_value) return {};
  std::optional<uint64_t> offset = ranges_value->getAsSectionOffset();
  auto ranges = ranges_value->getForm() == llvm::dwarf::DW_FORM_rnglistx
                    ? unit.findRnglistFromIndex(static_cast<uint32_t>(ranges_value->getRawUValue()))
                    : unit.findRnglistFromOffset(offset.value_or(0));
  if (!ranges) {
    // Before DWARF 5 they stay in the binary.
    damage.add(unit.getVersion() < 5 ? ".debug_ranges" : place_of(unit, ".debug_rnglists"),
               ranges.takeError());
    return {};
  }
  return *ranges;
}

}  // namespace

Declaration SubroutineWalk::declaration_at(DWARFUnit& unit, uint64_t offset, unsigned depth) {
  auto found = declarations_.find(offset);
  if (found != declarations_.end()) return found->second;
  DWARFUnit* owner = &unit;
  if (offset < unit.getOffset() || offset >= unit.getNextUnitOffset())
    owner = unit.isDWOUnit() ? nullptr : context_.getUnitForOffset(offset);
  Declaration declaration;
  if (owner != nullptr && depth < kMaxOriginDepth && has_readable_entry(*owner)) {
    owner->getUnitDIE();  // string and address bases
    uint64_t at = offset;
    uint64_t code = owner->getDebugInfoExtractor().getULEB128(&at);
    const auto* abbreviations = owner->getAbbreviations();
    const auto* abbreviation =
        abbreviations == nullptr || code == 0
            ? nullptr
            : abbreviations->getAbbreviationDeclaration(static_cast<uint32_t>(code));
    if (abbreviation != nullptr)
      declaration = declaration_of(*owner, read_fields(*owner, *abbreviation, at), depth);
  }
  if (depth < kMaxOriginDepth) declarations_.emplace(offset, declaration);
  return declaration;
}

// Each part comes from the entry itself or else from the entries that it refers to.
Declaration SubroutineWalk::declaration_of(DWARFUnit& unit, const Fields& fields, unsigned depth) {
  Declaration result;
  if (fields.linkage_name != nullptr) result.linkage_name = fields.linkage_name;
  if (fields.name != nullptr) result.short_name = fields.name;
  result.line = fields.decl_line;
  llvm::DWARFUnit* with_lines = unit.getLinkedUnit();
  if (fields.decl_file && with_lines != nullptr)
    result.file = {with_lines->getOffset(), *fields.decl_file};
  for (const auto* reference : {&fields.specification, &fields.origin}) {
    bool is_complete = !result.linkage_name.empty() && result.line != 0 && result.file.is_known();
    if (!*reference || is_complete) continue;
    std::optional<uint64_t> offset;
    if (auto relative = (*reference)->getAsRelativeReference())
      offset = unit.getOffset() + *relative;
    else
      offset = (*reference)->getAsDebugInfoReference();
    if (!offset) continue;
    Declaration other = declaration_at(unit, *offset, depth + 1);
    if (result.linkage_name.empty()) result.linkage_name = other.linkage_name;
    if (result.short_name.empty()) result.short_name = other.short_name;
    if (result.line == 0) result.line = other.line;
    if (!result.file.is_known()) result.file = other.file;
  }
  return result;
}

void SubroutineWalk::note_damage(DWARFUnit& unit, uint64_t offset, const char* what) {
  damage_.add(place_of(unit, ".debug_info"),
              std::string(what) + " at offset 0x" + llvm::utohexstr(offset, true));
}

void SubroutineWalk::visit_unit(DWARFUnit& unit,
                                const std::function<void(const Subroutine&)>& visit) {
  uint64_t entries = 0;
  read_entries(unit, visit, entries);
  budget_.use(entries);
  if (budget_.is_used_up())
    damage_.add(place_of(unit, ".debug_info"),
                "there are more functions and ranges of code than a file of its size can have");
}

void SubroutineWalk::read_entries(DWARFUnit& unit,
                                  const std::function<void(const Subroutine&)>& visit,
                                  uint64_t& entries) {
  declarations_.clear();
  unit.getUnitDIE();  // string and address bases
  llvm::DWARFDataExtractor data = unit.getDebugInfoExtractor();
  const auto* abbreviations = unit.getAbbreviations();
  if (abbreviations == nullptr) return;
  uint64_t offset = unit.getOffset() + unit.getHeaderSize();
  const uint64_t end = std::min<uint64_t>(unit.getNextUnitOffset(), data.size());

  uint32_t number = 0;
  // The subroutine around each open level, and how many it is inlined into.
  struct Around {
    uint32_t number = Subroutine::kNoParent;
    unsigned depth = 0;
  };
  std::vector<Around> around{Around{}};
  while (offset < end && !around.empty()) {
    uint64_t code = data.getULEB128(&offset);
    if (code == 0) {
      around.pop_back();
      continue;
    }
    const auto* abbreviation =
        abbreviations->getAbbreviationDeclaration(static_cast<uint32_t>(code));
    if (abbreviation == nullptr) return note_damage(unit, offset, "an entry without abbreviation");
    Around inside = around.back();
    llvm::dwarf::Tag tag = abbreviation->getTag();
    if (tag == llvm::dwarf::DW_TAG_subprogram || tag == llvm::dwarf::DW_TAG_inlined_subroutine) {
      Fields fields = read_fields(unit, *abbreviation, offset);
      Subroutine subroutine;
      subroutine.is_inlined = tag == llvm::dwarf::DW_TAG_inlined_subroutine;
      inside.depth = subroutine.is_inlined ? inside.depth + 1 : 0;
      subroutine.parent = inside.number;
      subroutine.declaration = declaration_of(unit, fields, 0);
      subroutine.ranges = read_ranges(unit, fields.low, fields.high, fields.ranges, damage_);
      entries += 1 + subroutine.ranges.size();
      // Other threads are to know of them, but not of each by itself.
      if (entries >= kEntriesAtOnce) budget_.use(std::exchange(entries, 0));
      if (!budget_.allows(entries)) return;
      subroutine.call_line = fields.call_line;
      subroutine.call_discriminator = fields.discriminator;
      // Deeper code counts for what it is inlined into.
      if (inside.depth <= kMaxInlineDepth) {
        visit(subroutine);
        inside.number = number++;
      }
    } else if (auto size = abbreviation->getFixedAttributesByteSize(unit)) {
      offset += *size;
    } else {
      for (const auto& attribute : abbreviation->attributes()) {
        if (attribute.isImplicitConst()) continue;
        std::optional<uint64_t> after = end_of_value(data, unit, attribute.Form, offset);
        if (!after) return note_damage(unit, offset, "an attribute that cannot be skipped");
        offset = *after;
      }
    }
    if (abbreviation->hasChildren())
      around.push_back(inside);
    else if (around.size() == 1)
      break;  // the unit's own entry had no children
  }
  // Zeros are padding.
  if (offset < end &&
      data.getData().slice(offset, end).find_first_not_of('\0') != llvm::StringRef::npos)
    note_damage(unit, offset, "entries after the last one");
}

}  // namespace pgo
