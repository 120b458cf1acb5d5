#include "pgo/binary/binary.h"

#include <gtest/gtest.h>

#include "pgo/code/function_symbols.h"
#include "tests/data/stripped_program.h"
#include "tests/data/temporary_files.h"

namespace pgo::test::binary_test {
namespace {

class BinaryTest : public TemporaryFiles {
 protected:
  std::string functions_of(const std::string& path, BinaryUse use) const {
    Result<Binary> binary = open_binary(path, {.files = {}, .roots = {}}, use);
    if (!binary) return text_of(binary.error());
    std::string names;
    const FunctionSymbols symbols(*binary->image, binary->symbol_image());
    for (const FunctionSymbol& function : symbols.functions())
      names += std::string(function.name) + " ";
    return names;
  }
};

TEST_F(BinaryTest, OfAStrippedFileSomeFunctionsHaveNames) {
  const std::string dynamic = write("dynamic", stripped_program()),
                    compressed =
                        write("compressed", stripped_program(xz_of(symbols_of_stripped_program())));
  EXPECT_EQ(functions_of(dynamic, BinaryUse::kNames), "open_door ");
  EXPECT_EQ(functions_of(compressed, BinaryUse::kNames), "open_door hidden ");
  for (const std::string& path : {dynamic, compressed})
    EXPECT_EQ(functions_of(path, BinaryUse::kCounts),
              relative(path) +
                  ": is stripped: it has no symbol table, so its code cannot be found; give the "
                  "unstripped binary, or its debug file with \xFF{debug-file}");
}

TEST_F(BinaryTest, WithoutAnyFunctionThereAreNoNames) {
  ElfBuilder elf;
  elf.header.e_machine = EM_X86_64;
  elf.add_code(0x1200, kStrippedCode);
  EXPECT_EQ(functions_of(write("bare", elf.finish()), BinaryUse::kNames),
            "bare: is stripped: it has no symbol table, so its code cannot be found; give the "
            "unstripped binary, or its debug file with \xFF{debug-file}");
}

}  // namespace
}  // namespace pgo::test::binary_test
