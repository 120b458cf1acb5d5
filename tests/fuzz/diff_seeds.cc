// Writes pairs of profiles for diff_fuzz to start from: all that PROGRAM's recordings are, and
// merged profiles of several hosts.
// Usage: diff_seeds DIRECTORY PROGRAM
#include <fstream>
#include <iterator>

#include "converters/pprof/pprof_writer.h"
#include "tests/fuzz/hostile_programs.h"
#include "tests/fuzz/two_files.h"

using namespace pgo;

namespace {

test::ByteVector bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

// Stacks of four hosts, in which a function is inlined into another, by time and by samples.
test::ByteVector merged_profile(const std::string& program, int64_t more) {
  StackProfile profile;
  auto text = [&](const std::string& words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  profile.period_type = profile.sample_types[1];
  profile.period = 10'000'000;
  profile.default_sample_type = text("cpu");
  profile.drop_frames = text("sleep.*");
  MappingId server = profile.add_mapping({.filename = text("/srv/" + program),
                                          .build_id = text("0102030405060708"),
                                          .begin = {0x400000},
                                          .end = {0x500000}});
  FunctionId work = profile.add_function({text("work(int)"), text("_Z4worki"), text("/a/w.cc"), 7});
  FunctionId main = profile.add_function({text("main"), text("main"), text("/a/m.cc"), 1});
  LocationId leaf = profile.add_location({server, {0x400010}}, {{work, 9}, {main, 3}});
  LocationId caller = profile.add_location({server, {0x400110}}, {{main, 4, 2}});
  LocationId nameless = profile.add_location({server, {0x400210}}, {});
  int64_t count = more;
  for (const char* host : {"web-1", "web-2", "web-3", "web-4"})
    for (std::initializer_list<LocationId> stack :
         {std::initializer_list<LocationId>{leaf, caller}, {caller}, {nameless, caller}}) {
      count = count * 7 % 60 + 20;
      LabelsId labels = profile.add_labels({{text("host"), text(host)},
                                            {text("hour"), text("08")},
                                            {text("thread"), text("io")},
                                            {text("bytes"), {}, text("bytes"), count}});
      profile.add_sample({profile.add_stack(stack), labels}, {count, count * profile.period});
    }
  profile.normalize();
  return bytes_of(write_pprof(profile));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::string directory = std::string(argv[1]) + "/";
  auto write = [&](const std::string& name, const test::ByteVector& before,
                   const test::ByteVector& after) {
    test::write_file(directory + name, test::join_files({before, after}));
  };
  write("merged", merged_profile("server", 3), merged_profile("server.bolt", 5));
  write("folded", bytes_of("main;work 600\nmain;\xff[31m;{top} 400\n"),
        bytes_of("main;work 1500\nmain;rest 500\n"));
  std::ifstream file(argv[2], std::ios::binary);
  const test::ByteVector program(std::istreambuf_iterator<char>(file), {});
  for (const auto& [kind, recording] : test::recordings_of(program))
    write(kind, recording, recording);
}
