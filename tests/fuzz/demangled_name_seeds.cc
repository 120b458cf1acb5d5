// Writes names for demangled_name_fuzz to start from: some of each part of the grammars, and those
// that LLVM's demanglers need minutes, gigabytes or all of the stack for.
// Usage: demangled_name_seeds DIRECTORY
#include <fstream>
#include <string>
#include <vector>

namespace {

std::string repeated(const std::string& text, size_t times) {
  std::string result;
  for (size_t i = 0; i < times; i++) result += text;
  return result;
}

std::vector<std::string> names() {
  std::vector<std::string> names{"main",
                                 "_Z3foov",
                                 "_ZNK2ns4list4pushIcEEvT_",
                                 "_ZNSt6vectorIiSaIiEE9push_backEOi",
                                 "_ZN12_GLOBAL__N_13fooEi",
                                 "_ZNK1AcvmEv",
                                 "_ZN1AcvT_IiEEv",
                                 "_ZZ3fooiENKUliE_clEi",
                                 "_Z1fIJidcEEvDpT_",
                                 "_Z1fPA3_iPFivEM1AFvvE",
                                 "_Z3foov.cold/1",
                                 "___Z3foov_block_invoke",
                                 "_ZTV1A",
                                 "_Z1fILi3EEvDTcl1gLi1EEE",
                                 "_Z1fITtTyE1aEvv",
                                 "_Z1fITpTyJEEvv",
                                 "_ZThn8_N1A1fEv",
                                 "_ZGVZ1fvE1x",
                                 "_Z1fIXadL_Z1gvEEEvv",
                                 "_ZN1AC4Ev",
                                 "_ZNW3FooE1fEv",
                                 "_Z1fITkTyiEvT_Q1c",
                                 "_Z1fDv4_fu7__vectorB3abi",
                                 "_ZNKR1A1fEvQsr1AiIT_E",
                                 "_Z1fIfEvAszlsDpT__i",
                                 "_RNvC1a3foo",
                                 "_RINvC1a1fTuuETB7_B7_EE",
                                 "_RNvMs_NtC1a1bNtB4_1c1d",
                                 "_RNCNvC1a1b0",
                                 "_RINvC1a1fKj1f_DG_NtB2_1tp1xuEL_FG_KCRL0_hEuE",
                                 "_RNvXCu7a_b2gcC1bC1c1f",
                                 "_D3std5stdio4dumpFZv",
                                 "_D8demangleQjZ",
                                 "_D3foo4__S13barZ"};
  std::string doubling = "_Z1f1aIiiE";
  for (char digit : std::string("0123456789ABCDEFGHIJKLMNOPQRS"))
    doubling += std::string("S_IS") + digit + "_S" + digit + "_E";
  names.push_back(doubling);
  for (const char* opening : {"P", "1aI", "N1aI", "PF", "DTng", "A1_", "KU1q", "1aIXng", "M1a",
                              "1aIJ", "DTdi1x", "1aIL_Z1f", "Z1fvE", "B1x", "1aITt"})
    names.push_back("_Z1f" + repeated(opening, 600) + "i");
  names.push_back("_RINvC1a1fTuuETB7_B7_ETBb_Bb_ETBj_Bj_ETBr_Br_ETBz_Bz_EE");
  names.push_back("_RINvC1a1f" + repeated("R", 600) + "uE");
  return names;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  size_t number = 0;
  for (const std::string& name : names()) {
    std::ofstream file(std::string(argv[1]) + "/name" + std::to_string(number++), std::ios::binary);
    if (!(file << name)) return 1;
  }
}
