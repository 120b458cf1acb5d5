// Writes a profile for gcc_auto_profile_fuzz to start from: with all that one can hold.
// Usage: gcc_auto_profile_seeds DIRECTORY
#include <fstream>
#include <string>

#include "converters/gcc_auto/gcc_auto_profile.h"

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  pgo::GccAutoProfile profile;
  pgo::GccAutoProfile::Function& caller = profile.functions["main"];
  caller.head = 1;
  caller.body.positions[0x10000] = {7, {}};
  caller.body.positions[0x20003] = {300, {{"work", 200}, {"_Z4restv", 100}}};  // an indirect call
  pgo::GccAutoProfile::Body& inlined = caller.body.inlined[{0x30000, "work"}];
  inlined.positions[0x10000] = {40, {}};
  inlined.inlined[{0x20000, "_Z4restv"}].positions[0xffff0001] = {5, {}};
  profile.functions["work"].body.positions[0x10000] = {~uint64_t{0}, {}};
  std::string bytes = pgo::write_gcc_auto_profile(profile);
  std::ofstream(std::string(argv[1]) + "/profile.afdo", std::ios::binary)
      .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
