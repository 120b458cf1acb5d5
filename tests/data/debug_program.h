// The programs of debug_programs.cmake, one at a time, with all that is known about them.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "pgo/binary/binary.h"
#include "pgo/dwarf/debug_info.h"

namespace pgo::test {

// Names of all programs; empty where there is no clang 22 to build them with.
std::vector<std::string> debug_program_names();

struct DebugProgram {
  explicit DebugProgram(const std::string& name);

  Binary binary;                          // without probes
  std::unique_ptr<DebugInfo> debug_info;  // with two contexts

  // The executable sections, without .plt.
  std::vector<const ElfImage::Section*> code_sections() const;
  // Starts of all instructions, in order.
  std::vector<uint64_t> instructions() const;
};

// What LLVM's symbolizer answers for an address, the slow way: frames from the outside in.
struct LlvmFrame {
  std::string name;
  uint32_t decl_line = 0, line = 0, discriminator = 0;
  bool operator==(const LlvmFrame&) const = default;
};
// As llvm-profgen reads it: up to the first frame without a name.
std::vector<LlvmFrame> llvm_frames(llvm::DWARFContext& context, uint64_t addr);

// For tests with one parameter, the program's name.
class DebugProgramTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { program.emplace(GetParam()); }
  std::optional<DebugProgram> program;
};

inline std::string program_name(const testing::TestParamInfo<std::string>& info) {
  return info.param;
}

}  // namespace pgo::test
