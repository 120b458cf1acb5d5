// The library's decoder, compiled into the tests: the bytes lie in this process, as they do there.
#include "pgo/record/step/instruction.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace pgo::instruction_test {
namespace {

class InstructionTest : public testing::Test {
 protected:
  static constexpr size_t kPage = 4096;

  // Two pages, of which the second cannot be read.
  InstructionTest()
      : pages_(static_cast<uint8_t*>(::mmap(nullptr, 2 * kPage, PROT_READ | PROT_WRITE,
                                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    ::mprotect(pages_ + kPage, kPage, PROT_NONE);
  }
  ~InstructionTest() override { ::munmap(pages_, 2 * kPage); }

  // At the end of what can be read.
  Instruction read(std::initializer_list<uint8_t> bytes) {
    uint8_t* at = pages_ + kPage - bytes.size();
    std::copy(bytes.begin(), bytes.end(), at);
    ReadablePage known{};
    return read_instruction(reinterpret_cast<uint64_t>(at), &known);
  }

  uint8_t* pages_;
};

TEST_F(InstructionTest, FindsTargetsOfDirectBranches) {
  struct Case {
    std::initializer_list<uint8_t> bytes;
    Course course;
    int64_t displacement;
  };
  for (const Case& one : {Case{{0x74, 0x10}, kConditional, 0x10},                     // je
                          Case{{0x7f, 0xf0}, kConditional, -0x10},                    // jg
                          Case{{0x2e, 0x75, 0x02}, kConditional, 2},                  // jne,pn
                          Case{{0x0f, 0x85, 0, 1, 0, 0}, kConditional, 0x100},        // jne
                          Case{{0xe2, 0xfe}, kConditional, -2},                       // loop
                          Case{{0x67, 0xe3, 0x05}, kConditional, 5},                  // jecxz
                          Case{{0xeb, 0xfe}, kDirect, -2},                            // jmp
                          Case{{0xe9, 0xff, 0xff, 0xff, 0xff}, kDirect, -1},          // jmp
                          Case{{0x66, 0x66, 0x48, 0xe8, 4, 0, 0, 0}, kDirect, 4}}) {  // call
    Instruction instruction = read(one.bytes);
    EXPECT_EQ(instruction.course, one.course);
    EXPECT_EQ(instruction.next, instruction.at + one.bytes.size());
    EXPECT_EQ(instruction.target, instruction.next + static_cast<uint64_t>(one.displacement));
  }
}

TEST_F(InstructionTest, KnowsWhereThereIsNoTarget) {
  for (std::initializer_list<uint8_t> bytes : {std::initializer_list<uint8_t>{0xc3},  // ret
                                               {0xf3, 0xc3},                          // rep ret
                                               {0xc2, 0x08, 0x00},                    // ret 8
                                               {0xff, 0xd0},                          // call *%rax
                                               {0x3e, 0xff, 0xe2},         // notrack jmp *%rdx
                                               {0x41, 0xff, 0x24, 0xc4}})  // jmp *(%r12,%rax,8)
    EXPECT_EQ(read(bytes).course, kAnywhere);
  for (std::initializer_list<uint8_t> bytes :
       {std::initializer_list<uint8_t>{0x90},  // nop
        {0x48, 0x89, 0xe5},                    // mov %rsp,%rbp
        {0xf3, 0x0f, 0x1e, 0xfa},              // endbr64
        {0xf3, 0x48, 0xab},                    // rep stos
        {0xc5, 0xf8, 0x77},                    // vzeroupper
        {0x62, 0xf1, 0x7c, 0x48, 0x28, 0xc1},  // vmovaps %zmm1,%zmm0
        {0xff, 0xc0},                          // inc %eax
        {0xff, 0x75, 0xf8},                    // push -8(%rbp)
        {0xc7, 0x00, 1, 0, 0, 0},              // movl $1,(%rax)
        {0x0f, 0xae, 0xf0}})                   // mfence
    EXPECT_EQ(read(bytes).course, kPlain);
}

TEST_F(InstructionTest, StopsBeforeWhatIsDangerous) {
  for (std::initializer_list<uint8_t> bytes :
       {std::initializer_list<uint8_t>{0x0f, 0x05},  // syscall
        {0x0f, 0x34},                                // sysenter
        {0xcd, 0x80},                                // int $0x80
        {0xcc},                                      // int3
        {0x9c},                                      // pushf
        {0x66, 0x9d},                                // popf
        {0x48, 0xcf},                                // iretq
        {0xcb},                                      // lret
        {0xff, 0x28},                                // ljmp *(%rax)
        {0x8e, 0xd0},                                // mov %eax,%ss
        {0x0f, 0xb2, 0x00},                          // lss (%rax),%eax
        {0xc7, 0xf8, 0, 0, 0, 0},                    // xbegin
        {0xc6, 0xf8, 0x01},                          // xabort
        {0x0f, 0x01, 0xd5},                          // xend
        {0xf3, 0x48, 0x0f, 0xae, 0xd0},              // wrfsbase %rax
        {0x0f, 0x0b},                                // ud2
        {0xd5, 0x00, 0x90}})                         // REX2
    EXPECT_EQ(read(bytes).course, kMustStop);
}

TEST_F(InstructionTest, NeverReadsWhatItMayNot) {
  EXPECT_EQ(read({0x0f}).course, kMustStop);
  EXPECT_EQ(read({0xe8, 0, 0}).course, kMustStop);
  EXPECT_EQ(read({0x66, 0x66}).course, kMustStop);
  ReadablePage known{};
  EXPECT_EQ(read_instruction(reinterpret_cast<uint64_t>(pages_ + kPage), &known).course, kMustStop);
  EXPECT_EQ(read_instruction(0xffffffffff600000, &known).course, kMustStop);
  std::fill(pages_, pages_ + 16, uint8_t{0x66});
  EXPECT_EQ(read_instruction(reinterpret_cast<uint64_t>(pages_), &known).course, kMustStop);
}

TEST_F(InstructionTest, SeesSystemCallsBehindIt) {
  pages_[0] = 0x0f;
  pages_[1] = 0x05;
  const auto begin = reinterpret_cast<uint64_t>(pages_);
  ReadablePage known{};
  EXPECT_TRUE(follows_system_call(begin + 2, &known));
  EXPECT_FALSE(follows_system_call(begin + 3, &known));
  EXPECT_FALSE(follows_system_call(1, &known));
}

TEST_F(InstructionTest, TellsTakenBranchesFromLostThreads) {
  const Instruction jump{kConditional, 100, 200, 102};
  EXPECT_EQ(classify_step(&jump, 200), kTaken);
  EXPECT_EQ(classify_step(&jump, 102), kStraightOn);
  EXPECT_EQ(classify_step(&jump, 103), kLost);
  const Instruction call{kDirect, 100, 200, 105};
  EXPECT_EQ(classify_step(&call, 200), kTaken);
  EXPECT_EQ(classify_step(&call, 105), kLost);
  const Instruction plain{kPlain, 100, 0, 0};
  EXPECT_EQ(classify_step(&plain, 100), kStraightOn);  // rep
  EXPECT_EQ(classify_step(&plain, 115), kStraightOn);
  EXPECT_EQ(classify_step(&plain, 116), kLost);
  EXPECT_EQ(classify_step(&plain, 99), kLost);
  const Instruction ret{kAnywhere, 100, 0, 0};
  EXPECT_EQ(classify_step(&ret, 7), kTaken);
}

}  // namespace
}  // namespace pgo::instruction_test
