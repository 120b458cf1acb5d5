// Writes the first inputs of infer_fuzz: functions with a diamond, loops, calls and a jump table.
//   infer_seeds DIRECTORY
#include <fstream>

#include "tests/data/code_builder.h"

using pgo::test::CodeBuilder;

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  constexpr uint64_t kText = 0x1000, kData = 0x2000;
  auto write = [&](const char* name, char functions, const std::string& data, CodeBuilder& code) {
    std::ofstream(std::string(argv[1]) + "/" + name)
        << functions << static_cast<char>(data.size()) << data << code.finish();
  };
  CodeBuilder loops(kText);
  loops.plain(2).jump_if("else").plain(3).jump("join").label("else").plain(2).label("join");
  loops.label("loop").plain().call("last").plain().jump_if("loop").label("last").plain().ret();
  write("loops", 0, "", loops);
  CodeBuilder irreducible(kText);
  irreducible.jump_if("b").label("a").plain().jump_if("end").label("b").plain().jump_if("a");
  irreducible.label("end").jump("end").trap().plain().ret();
  write("irreducible", 1, "", irreducible);
  CodeBuilder table(kText);
  table.label_at("table", kData).jump_by_distances("table").label("a").plain().ret();
  std::string entries;
  for (int i = 0; i < 2; i++) {
    auto distance = static_cast<int32_t>(table.address("a") - kData);
    entries.append(reinterpret_cast<const char*>(&distance), sizeof distance);
  }
  write("table", 0, entries, table);
}
