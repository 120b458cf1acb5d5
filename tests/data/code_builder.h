// CodeBuilder: writes x86-64 machine code with labels, for tests of what reads code. All jumps and
// calls are of the long form; "plain" instructions are xor %eax, %eax.
//
//   CodeBuilder code(0x1000);
//   code.label("loop").plain().jump_if("loop").ret();
//   std::string bytes = code.finish();
#pragma once

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace pgo::test {

class CodeBuilder {
 public:
  explicit CodeBuilder(uint64_t begin) : begin_(begin) {}

  CodeBuilder& label(const std::string& name) {
    labels_[name] = here();
    return *this;
  }
  // A label outside of this code.
  CodeBuilder& label_at(const std::string& name, uint64_t addr) {
    labels_[name] = addr;
    return *this;
  }
  CodeBuilder& plain(unsigned count = 1) {
    for (unsigned i = 0; i < count; i++) bytes({0x31, 0xc0});
    return *this;
  }
  CodeBuilder& ret() { return bytes({0xc3}); }
  CodeBuilder& trap() { return bytes({0x0f, 0x0b}); }
  CodeBuilder& padding() { return bytes({0x0f, 0x1f, 0x40, 0x00}); }
  CodeBuilder& jump(const std::string& to) { return bytes({0xe9}).distance(to); }
  CodeBuilder& jump_if(const std::string& to) { return bytes({0x0f, 0x84}).distance(to); }
  CodeBuilder& call(const std::string& to) { return bytes({0xe8}).distance(to); }
  CodeBuilder& call_rax() { return bytes({0xff, 0xd0}); }
  // call *slot(%rip), as -fno-plt makes it; jmp *slot(%rip).
  CodeBuilder& call_through(const std::string& slot) { return bytes({0xff, 0x15}).distance(slot); }
  CodeBuilder& jump_through(const std::string& slot) { return bytes({0xff, 0x25}).distance(slot); }
  CodeBuilder& endbr64() { return bytes({0xf3, 0x0f, 0x1e, 0xfa}); }
  CodeBuilder& jump_rax() { return bytes({0xff, 0xe0}); }
  // lea table(%rip), %rcx; movslq (%rcx,%rdx,4), %rax; add %rcx, %rax; jmp *%rax
  CodeBuilder& jump_by_distances(const std::string& table) {
    return bytes({0x48, 0x8d, 0x0d})
        .distance(table)
        .bytes({0x48, 0x63, 0x04, 0x91, 0x48, 0x01, 0xc8})
        .jump_rax();
  }
  // lea table(%rip), %rcx; jmp *(%rcx,%rdx,8)
  CodeBuilder& jump_by_addresses(const std::string& table) {
    return bytes({0x48, 0x8d, 0x0d}).distance(table).bytes({0xff, 0x24, 0xd1});
  }
  CodeBuilder& bytes(std::initializer_list<int> values) {
    for (int value : values) code_ += static_cast<char>(value);
    return *this;
  }

  uint64_t here() const { return begin_ + code_.size(); }
  uint64_t address(const std::string& name) const { return labels_.at(name); }
  // All code, with the distances to labels filled in.
  std::string finish() {
    for (const auto& [at, name] : distances_) {
      auto distance = static_cast<int32_t>(address(name) - (begin_ + at + 4));
      std::memcpy(code_.data() + at, &distance, sizeof distance);
    }
    return code_;
  }

 private:
  CodeBuilder& distance(const std::string& to) {
    distances_.emplace_back(code_.size(), to);
    return bytes({0, 0, 0, 0});
  }

  uint64_t begin_;
  std::string code_;
  std::map<std::string, uint64_t> labels_;
  std::vector<std::pair<size_t, std::string>> distances_;
};

}  // namespace pgo::test
