// Writes a profile for address_profile_fuzz to start from: with all that one can hold, compressed
// and not. Usage: address_profile_seeds DIRECTORY
#include <fstream>
#include <string>

#include "converters/address/address_profile_writer.h"

int main(int argc, char** argv) {
  using namespace pgo;
  if (argc != 2) return 2;
  AddressProfile profile;
  BinaryCounts counts;
  counts.id = BuildId::from_hex("0102030405060708090a0b0c0d0e0f1011121314").value_or(BuildId());
  counts.path_hint = "/srv/bin/server";
  counts.traces = {
      {ElfAddr{0x401010}, ElfAddr{0x401040}, ElfAddr{0x401050}, TraceReading::kBoth, 300},
      {ElfAddr{0x401010}, {}, {}, TraceReading::kLlvm, 1},
      {{}, ElfAddr{0x401040}, {}, TraceReading::kBolt, 2}};
  counts.mispredicts = {{ElfAddr{0x401010}, ElfAddr{0x401040}, 5}};
  counts.pc_samples = {{ElfAddr{0x401020}, 1, 100003}, {ElfAddr{0x401024}, 1, 7}};
  counts.calls = {{ElfAddr{0x401033}, ElfAddr{0x401020}, true, 4},
                  {ElfAddr{0x401077}, ElfAddr{0x401033}, false, 4}};
  profile.binaries.push_back(counts);
  counts.id = BuildId();
  profile.binaries.push_back(counts);
  profile.events.push_back({"cycles:u", 12, 4000, true});
  profile.samples.seen = 3;
  profile.samples.used = 1;
  profile.samples[Dropped::kKernel] = 2;
  profile.branches.seen = profile.branches.used = 32;
  profile.lost = 1;
  profile.origins = Origins::of({{"host", "web-1"}, {"zone", "a"}}, Origins::Window{1, 2});
  profile.normalize();
  auto write = [&](const char* name, const std::string& bytes) {
    std::ofstream(std::string(argv[1]) + "/" + name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  Result<std::string> file = write_address_profile(profile);
  if (!file) return 1;
  write("message", write_address_message(profile));
  write("file", *file);
}
