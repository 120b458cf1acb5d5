#include "pgo/infer/jump_table.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/MC/MCRegisterInfo.h>

#include <algorithm>
#include <map>

namespace pgo::infer {
namespace {

// Where the memory operand of an instruction begins: behind the register it writes, if it does.
constexpr unsigned kMemoryOfLoad = 1, kMemoryOfJump = 0;
constexpr unsigned kMemoryOperands = 5;  // base, scale, index, displacement, segment
// Targets of all jumps, by instruction of the function. Interpreters in which each operation jumps
// to the next have few: Lua's 2.
constexpr size_t kMaxTargets = 64;

}  // namespace

JumpTableReader::JumpTableReader(const Disassembler& disassembler, const OpcodeTable& opcodes,
                                 const ImageData& data)
    : disassembler_(disassembler), opcodes_(opcodes), data_(data) {
  const llvm::MCRegisterInfo& registers = disassembler.registers();
  for (unsigned i = 1; i < registers.getNumRegs(); i++)
    if (llvm::StringRef(registers.getName(i)) == "RIP") rip_ = llvm::MCRegister(i);
}

std::optional<JumpTableReader::Memory> JumpTableReader::memory_of(const llvm::MCInst& instruction,
                                                                  unsigned first) {
  if (instruction.getNumOperands() < first + kMemoryOperands) return std::nullopt;
  auto operand = [&](unsigned i) -> const llvm::MCOperand& {
    return instruction.getOperand(first + i);
  };
  if (!operand(0).isReg() || !operand(1).isImm() || !operand(2).isReg() || !operand(3).isImm())
    return std::nullopt;
  return Memory{operand(0).getReg(), operand(2).getReg(), operand(1).getImm(), operand(3).getImm()};
}

// The last instruction in front of `before` that writes to `wanted` or a part of it.
std::optional<uint32_t> JumpTableReader::find_definition(Search& search, uint32_t before,
                                                         llvm::MCRegister wanted) const {
  const llvm::MCRegisterInfo& registers = disassembler_.registers();
  for (uint32_t i = before; i-- > 0 && search.left > 0; search.left--) {
    const llvm::MCInst& instruction = search.code.operands[i];
    const llvm::MCInstrDesc& description = disassembler_.description(instruction);
    for (unsigned d = 0; d < description.getNumDefs() && d < instruction.getNumOperands(); d++) {
      const llvm::MCOperand& operand = instruction.getOperand(d);
      if (operand.isReg() && operand.getReg() && registers.regsOverlap(operand.getReg(), wanted))
        return i;
    }
  }
  return std::nullopt;
}

std::optional<ElfAddr> JumpTableReader::address_of_lea(const FunctionCode& code, uint32_t i) const {
  if (role(code, i) != JumpRole::kLea) return std::nullopt;
  std::optional<Memory> memory = memory_of(code.operands[i], kMemoryOfLoad);
  if (!memory || memory->base != rip_ || memory->index) return std::nullopt;
  return ElfAddr{code.instructions[i].end().value + static_cast<uint64_t>(memory->displacement)};
}

// The address that lea has put into `wanted`, perhaps by way of other registers.
std::optional<ElfAddr> JumpTableReader::find_address(Search& search, uint32_t before,
                                                     llvm::MCRegister wanted) const {
  std::optional<uint32_t> definition = find_definition(search, before, wanted);
  while (definition && role(search.code, *definition) == JumpRole::kMove)
    definition = find_definition(search, *definition,
                                 search.code.operands[*definition].getOperand(1).getReg());
  return definition ? address_of_lea(search.code, *definition) : std::nullopt;
}

// Entries of eight bytes, at *(base,index,8) or *table(,index,8).
std::optional<JumpTableReader::Table> JumpTableReader::find_table_in_memory(
    Search& search, uint32_t before, const Memory& memory) const {
  if (memory.scale != sizeof(uint64_t) || !memory.index) return std::nullopt;
  ElfAddr addr{static_cast<uint64_t>(memory.displacement)};
  if (memory.base) {
    std::optional<ElfAddr> base = find_address(search, before, memory.base);
    if (!base) return std::nullopt;
    addr.value += base->value;
  }
  return Table{Table::kAddresses, addr};
}

std::optional<JumpTableReader::Table> JumpTableReader::find_table(Search& search,
                                                                  uint32_t jump) const {
  const llvm::MCInst& instruction = search.code.operands[jump];
  if (role(search.code, jump) == JumpRole::kJumpMemory) {
    std::optional<Memory> memory = memory_of(instruction, kMemoryOfJump);
    return memory ? find_table_in_memory(search, jump, *memory) : std::nullopt;
  }
  if (instruction.getNumOperands() == 0 || !instruction.getOperand(0).isReg()) return std::nullopt;
  std::optional<uint32_t> definition =
      find_definition(search, jump, instruction.getOperand(0).getReg());
  if (!definition) return std::nullopt;
  const llvm::MCInst& defining = search.code.operands[*definition];
  if (role(search.code, *definition) == JumpRole::kLoad) {
    std::optional<Memory> memory = memory_of(defining, kMemoryOfLoad);
    return memory ? find_table_in_memory(search, *definition, *memory) : std::nullopt;
  }
  if (role(search.code, *definition) != JumpRole::kAdd) return std::nullopt;
  // One of what is added is an entry, the other the table's address.
  for (unsigned i = 1; i <= 2; i++) {
    llvm::MCRegister entry = defining.getOperand(i).getReg();
    llvm::MCRegister base = defining.getOperand(3 - i).getReg();
    std::optional<uint32_t> load = find_definition(search, *definition, entry);
    if (!load || role(search.code, *load) != JumpRole::kLoadSigned) continue;
    std::optional<Memory> memory = memory_of(search.code.operands[*load], kMemoryOfLoad);
    if (!memory || memory->scale != sizeof(int32_t) || !memory->base) continue;
    std::optional<ElfAddr> addr = find_address(search, *load, memory->base);
    if (!addr) addr = find_address(search, *definition, base);
    if (addr) return Table{Table::kDistances, *addr};
  }
  return std::nullopt;
}

// `addrs` are those of all tables that the function mentions.
std::vector<uint32_t> JumpTableReader::read_table(const FunctionCode& code, const Table& table,
                                                  const std::set<ElfAddr>& addrs) const {
  std::vector<uint32_t> targets;
  auto next = addrs.upper_bound(table.addr);
  ElfAddr end = next == addrs.end() ? ElfAddr{~uint64_t{0}} : *next;
  if (std::optional<ElfAddr> symbol_end = data_.find_symbol_end(table.addr))
    end = std::min(end, *symbol_end);
  uint64_t size = table.entries == Table::kDistances ? sizeof(int32_t) : sizeof(uint64_t);
  for (ElfAddr at = table.addr; at < end; at.value += size) {
    std::optional<ElfAddr> target;
    if (table.entries == Table::kAddresses)
      target = data_.read_address(at);
    else if (std::optional<int32_t> distance = data_.read_int32(at))
      target = ElfAddr{table.addr.value + static_cast<uint64_t>(int64_t{*distance})};
    std::optional<uint32_t> instruction = target ? code.find_start(*target) : std::nullopt;
    if (!instruction) break;
    targets.push_back(*instruction);
  }
  std::sort(targets.begin(), targets.end());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  return targets;
}

JumpTables JumpTableReader::read(const FunctionCode& code) const {
  std::set<ElfAddr> mentioned;
  JumpTables result;
  std::vector<std::pair<uint32_t, std::optional<Table>>> jumps;
  Search search{code};
  for (uint32_t i = 0; i < code.instructions.size(); i++) {
    if (code.instructions[i].control == Control::kIndirectJump)
      jumps.push_back({i, find_table(search, i)});
    if (std::optional<ElfAddr> addr = address_of_lea(code, i)) mentioned.insert(*addr);
  }
  if (jumps.empty()) return result;
  for (const auto& [jump, table] : jumps)
    if (table) mentioned.insert(table->addr);

  std::map<Table, std::vector<uint32_t>> tables;
  std::set<uint32_t> anywhere;
  for (ElfAddr addr : mentioned)
    for (Table::Entries entries : {Table::kDistances, Table::kAddresses}) {
      Table table{entries, addr};
      tables[table] = read_table(code, table, mentioned);
      anywhere.insert(tables[table].begin(), tables[table].end());
    }
  const std::vector<uint32_t> everywhere(anywhere.begin(), anywhere.end());
  size_t left = kMaxTargets * code.instructions.size();
  for (const auto& [jump, table] : jumps) {
    // Through memory without a table it leaves the function, as does a jump of a function that has
    // no table at all.
    if (!table && role(code, jump) == JumpRole::kJumpMemory) continue;
    const std::vector<uint32_t>& targets = table ? tables.at(*table) : everywhere;
    if (targets.empty()) continue;
    JumpTables::Jump found{jump, {}, !table};
    if (targets.size() <= left) {
      found.targets = targets;
      left -= targets.size();
    } else {
      found.guessed = true;
    }
    result.jumps.push_back(std::move(found));
  }
  return result;
}

}  // namespace pgo::infer
