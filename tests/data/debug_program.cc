#include "tests/data/debug_program.h"

#include <llvm/DebugInfo/DWARF/DWARFContext.h>

#include "pgo/code/instruction_decoder.h"

#include <optional>
#include <sstream>

namespace pgo::test {

std::vector<std::string> debug_program_names() {
  std::vector<std::string> names;
  std::istringstream list(DEBUG_PROGRAMS);
  for (std::string name; std::getline(list, name, ',');) names.push_back(name);
  return names;
}

DebugProgram::DebugProgram(const std::string& name) {
  std::string path = std::string(DEBUG_PROGRAMS_DIR) + "/" + name;
  binary.image = std::make_unique<ElfImage>(ElfImage::open(path).value());
  binary.code = make_code_map(*binary.image, *binary.image).value();
  debug_info = DebugInfo::open(*binary.image, 2).value();
}

std::vector<const ElfImage::Section*> DebugProgram::code_sections() const {
  std::vector<const ElfImage::Section*> sections;
  for (const ElfImage::Section& section : binary.image->sections())
    if (section.executable && section.size > 0 && section.name != ".plt")
      sections.push_back(&section);
  return sections;
}

std::vector<uint64_t> DebugProgram::instructions() const {
  std::vector<uint64_t> starts;
  for (const ElfImage::Section* section : code_sections())
    for (uint64_t a = section->addr.value; a < section->addr.value + section->size; a++)
      if (binary.code->is_code(ElfAddr{a})) starts.push_back(a);
  return starts;
}

std::vector<LlvmFrame> llvm_frames(llvm::DWARFContext& context, uint64_t addr) {
  llvm::DIInliningInfo info = context.getInliningInfoForAddress(
      {addr, llvm::object::SectionedAddress::UndefSection},
      {llvm::DILineInfoSpecifier::FileLineInfoKind::AbsoluteFilePath,
       llvm::DILineInfoSpecifier::FunctionNameKind::LinkageName});
  std::vector<LlvmFrame> frames;
  for (uint32_t i = info.getNumberOfFrames(); i-- > 0;) {
    const llvm::DILineInfo& frame = info.getFrame(i);
    if (frame.FunctionName.empty() || frame.FunctionName == llvm::DILineInfo::BadString) break;
    frames.push_back({frame.FunctionName, frame.StartLine, frame.Line, frame.Discriminator});
  }
  return frames;
}

}  // namespace pgo::test
