// The control-flow graphs of a program's functions, for tests of what is built on them.
#pragma once

#include <elf.h>

#include <optional>
#include <vector>

#include "pgo/infer/control_flow_graph.h"
#include "tests/data/code_image.h"

namespace pgo::test {

// In the order of the functions; nothing for one without an instruction.
inline std::vector<std::optional<infer::ControlFlowGraph>> read_graphs(const CodeImage& program) {
  FunctionSymbols functions(*program.image, *program.image);
  std::unique_ptr<Disassembler> disassembler = Disassembler::create(EM_X86_64);
  infer::OpcodeTable opcodes(disassembler->instructions());
  ImageData data(*program.image, *program.image);
  Imports imports(*program.image, *disassembler);
  infer::NoReturn no_return(functions, imports);
  infer::FunctionDecoder decoder(*disassembler, opcodes);
  infer::JumpTableReader tables(*disassembler, opcodes, data);
  infer::GraphBuilder builder(decoder, tables, no_return);
  std::vector<std::optional<infer::ControlFlowGraph>> graphs;
  for (const FunctionSymbol& function : functions.functions())
    graphs.push_back(builder.build(function));
  return graphs;
}

}  // namespace pgo::test
