#include "pgo/elf/bolt/x86_jump.h"

#include <gtest/gtest.h>

#include <vector>

namespace pgo::x86_jump_test {
namespace {

using Code = std::vector<uint8_t>;

std::optional<ElfAddr> target(const Code& code) { return x86_jump_target(code, ElfAddr{0x1000}); }

TEST(X86Jump, TargetsOfDirectJumps) {
  EXPECT_EQ(target({0xeb, 0x10}), ElfAddr{0x1012});                          // jmp
  EXPECT_EQ(target({0xeb, 0xfe}), ElfAddr{0x1000});                          // jmp to itself
  EXPECT_EQ(target({0xe9, 0x00, 0x01, 0x00, 0x00}), ElfAddr{0x1105});        // jmp
  EXPECT_EQ(target({0x74, 0x02}), ElfAddr{0x1004});                          // je
  EXPECT_EQ(target({0x0f, 0x8f, 0xfa, 0xff, 0xff, 0xff}), ElfAddr{0x1000});  // jg
  EXPECT_EQ(target({0x2e, 0x75, 0x01}), ElfAddr{0x1004});                    // jne with a hint
  EXPECT_EQ(target({0xf2, 0xe9, 0x00, 0x00, 0x00, 0x00}), ElfAddr{0x1006});  // bnd jmp
}

TEST(X86Jump, NothingElseHasATarget) {
  for (const Code& code : std::vector<Code>{{},
                                            {0xeb},
                                            {0xe8, 0, 0, 0, 0},     // call
                                            {0xff, 0xe0},           // jmp *%rax
                                            {0xc3},                 // ret
                                            {0x0f, 0x1f, 0x40, 0},  // nop
                                            {0x0f, 0x84}})
    EXPECT_EQ(target(code), std::nullopt);
}

TEST(X86Jump, IndirectJumps) {
  EXPECT_TRUE(is_x86_indirect_jump(Code{0xff, 0xe0}));              // jmp *%rax
  EXPECT_TRUE(is_x86_indirect_jump(Code{0x3e, 0xff, 0xe1}));        // notrack jmp *%rcx
  EXPECT_TRUE(is_x86_indirect_jump(Code{0x41, 0xff, 0x24, 0xc0}));  // jmp *(%r8,%rax,8)
  EXPECT_FALSE(is_x86_indirect_jump(Code{0xff, 0xd0}));             // call *%rax
  EXPECT_FALSE(is_x86_indirect_jump(Code{0xff, 0xc0}));             // inc %eax
  EXPECT_FALSE(is_x86_indirect_jump(Code{0xeb, 0x10}));             // jmp
}

TEST(X86Jump, Nops) {
  EXPECT_TRUE(is_x86_nop(Code{0x90}));
  EXPECT_TRUE(is_x86_nop(Code{0x66, 0x90}));
  EXPECT_TRUE(is_x86_nop(Code{0x0f, 0x1f, 0x00}));
  EXPECT_TRUE(is_x86_nop(Code{0x66, 0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}));
  EXPECT_FALSE(is_x86_nop(Code{0xf3, 0x90}));  // pause
  EXPECT_FALSE(is_x86_nop(Code{0xc3}));
  EXPECT_FALSE(is_x86_nop(Code{}));
}

}  // namespace
}  // namespace pgo::x86_jump_test
