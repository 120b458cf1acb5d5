#include "pgo/show/address_contents.h"

#include "converters/address/address_profile_writer.h"
#include "tests/data/shown_files.h"

namespace pgo::test::address_contents_test {
namespace {

using AddressContentsTest = ShownFiles;

AddressProfile two_builds() {
  AddressProfile profile;
  BinaryCounts server, library;
  server.id = *BuildId::from_hex("aabbccdd");
  server.path_hint = "/bin/server";
  server.traces = {{ElfAddr{0x10}, ElfAddr{0x20}, ElfAddr{0x30}, TraceReading::kBoth, 60},
                   {ElfAddr{0x10}, ElfAddr{0x40}, ElfAddr{0x50}, TraceReading::kBoth, 15}};
  library.id = *BuildId::from_hex("aabbccee");
  library.path_hint = "/lib/work.so";
  library.traces = {{ElfAddr{0x10}, ElfAddr{0x20}, ElfAddr{0x30}, TraceReading::kBoth, 25}};
  profile.binaries = {server, library};
  profile.events = {{"cycles:u", 12, 4000, false}};
  profile.samples.seen = 12;
  profile.samples.used = 10;
  profile.samples[Dropped::kKernel] = 2;
  profile.branches.seen = profile.branches.used = 100;
  profile.lost = 3;
  profile.normalize();
  return profile;
}

TEST_F(AddressContentsTest, ShowsBuildsAndTheFunnel) {
  std::string path = write("a.addr", write_address_profile(two_builds()).value());
  std::string text = text_of(path);
  uint64_t size = std::filesystem::file_size(path);
  EXPECT_EQ(text.substr(0, text.find('\n') + 1),
            "a.addr: address profile, " + std::to_string(size) + " bytes\n");
  EXPECT_EQ(text.substr(text.find('\n') + 1),
            "  event         cycles:u, 12 samples, one every 4 000\n"
            "\n"
            "  samples                                                          12  100.0 %\n"
            "  - in the kernel                                                   2   16.7 %\n"
            "  = samples used                                                   10   83.3 %\n"
            "  branch records in them                                          100  100.0 %\n"
            "  = branch records used                                           100  100.0 %\n"
            "  3 more samples were lost by the kernel\n"
            "\n"
            "   SHARE  TRACES  ADDRESSES  CALLS  BUILD ID  BINARY\n"
            "  75.0 %       2          0      0  aabbccdd  /bin/server\n"
            "  25.0 %       1          0      0  aabbccee  /lib/work.so\n");
  EXPECT_EQ(text_of(request(path, 1)).substr(text.find("  25.0 %")), "  and 1 more ({top})\n");
}

TEST_F(AddressContentsTest, ListsAllBuildsInJson) {
  std::string path = write("a.addr", write_address_profile(two_builds()).value());
  nlohmann::json json = json_of(request(path, 1));
  EXPECT_EQ(json,
            (nlohmann::json{
                {"path", "a.addr"},
                {"format", "addr"},
                {"size", std::filesystem::file_size(path)},
                {"samples", {{"seen", 12}, {"used", 10}, {"dropped", {{"kernel", 2}}}}},
                {"branches", {{"seen", 100}, {"used", 100}, {"dropped", nlohmann::json::object()}}},
                {"lost", 3},
                {"events", {{{"name", "cycles:u"}, {"samples", 12}, {"period", 4000}}}},
                {"warnings", nlohmann::json::array()},
                {"builds",
                 {{{"build_id", "aabbccdd"},
                   {"path", "/bin/server"},
                   {"count", 75},
                   {"traces", 2},
                   {"addresses", 0},
                   {"calls", 0}},
                  {{"build_id", "aabbccee"},
                   {"path", "/lib/work.so"},
                   {"count", 25},
                   {"traces", 1},
                   {"addresses", 0},
                   {"calls", 0}}}}}));
}

TEST_F(AddressContentsTest, RejectsWhatIsCutShort) {
  std::string bytes = write_address_profile(two_builds()).value();
  EXPECT_EQ(text_of(write("a.addr", bytes.substr(0, bytes.size() - 4))),
            "error: a.addr: zstd data is cut short");
}

TEST_F(AddressContentsTest, ShowsWhereProfilesCameFrom) {
  AddressProfile profile = two_builds();
  profile.origins = Origins::of({{"host", "web-1"}}, Origins::Window{0, 3'600'000'000'000});
  profile.origins.add(Origins::of({{"host", "web-1"}}, std::nullopt));
  profile.origins.add(Origins::of({{"host", "web-2"}}, std::nullopt));
  std::string path = write("a.addr", write_address_profile(profile).value());
  EXPECT_NE(text_of(path).find("  recorded      1970-01-01T00:00:00Z to 1970-01-01T01:00:00Z\n"
                               "  host          web-1 (2), web-2\n"),
            std::string::npos)
      << text_of(path);
  EXPECT_EQ(json_of(request(path, 1))["origins"],
            (nlohmann::json{
                {"profiles", 3},
                {"labels", {{"host", {{"web-1", 2}, {"web-2", 1}}}}},
                {"window", {{"from", "1970-01-01T00:00:00Z"}, {"to", "1970-01-01T01:00:00Z"}}}}));
}

}  // namespace
}  // namespace pgo::test::address_contents_test
