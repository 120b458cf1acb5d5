#include "pgo/elf/symbolized_stacks.h"

#include <gtest/gtest.h>

#include <sstream>

#include "tests/data/elf_builder.h"

namespace pgo::symbolized_stacks_test {
namespace {

constexpr const char* kId = "0011223344556677";

struct Image {
  explicit Image(const std::string& path, const char* hex = kId) {
    ElfBuilder elf;
    elf.add_build_id(*BuildId::from_hex(hex));
    file = elf.finish();
    image = ElfImage::parse(file, path).value();
  }
  std::vector<uint8_t> file;
  std::optional<ElfImage> image;
};

// Frames are "name:line", leaf first; places are vectors of frames.
struct Builder {
  StackProfile profile;

  Builder() {
    profile.sample_types = {{profile.strings.add("samples"), profile.strings.add("count")}};
  }
  MappingId map(const std::string& file, const std::string& id = "") {
    StackMapping mapping;
    mapping.filename = profile.strings.add(file);
    mapping.build_id = profile.strings.add(id);
    return profile.add_mapping(mapping);
  }
  Builder& sample(const std::vector<std::vector<std::pair<std::string, int64_t>>>& places,
                  int64_t value, MappingId mapping = kNoMapping, uint64_t address = 0) {
    std::vector<LocationId> stack;
    for (const auto& place : places) {
      std::vector<StackLine> lines;
      for (const auto& [name, line] : place)
        lines.push_back(
            {profile.add_function({profile.strings.add(name), profile.strings.add("_Z" + name),
                                   profile.strings.add("/src/a.cc"), 7}),
             line, 0});
      stack.push_back(profile.add_location({mapping, RuntimeAddr{address}}, lines));
    }
    profile.add_sample({profile.add_stack(stack), profile.add_labels({})}, {value});
    return *this;
  }
};

// "a:1 b:2 | c:3 @ /build/server x4", and what was dropped. `warnings`: one a line.
std::string taken(const Builder& builder, const std::vector<const ElfImage*>& images,
                  std::string* warnings = nullptr) {
  Result<SymbolizedStacks> result = take_symbolized_stacks(builder.profile, images, "", "p.pb");
  if (!result) return result.error().message;
  const StackProfile& stacks = result->stacks;
  std::ostringstream text;
  for (size_t s = 0; s < stacks.samples.size(); s++) {
    std::span<const LocationId> stack = stacks.stacks[static_cast<size_t>(stacks.samples[s].stack)];
    EXPECT_EQ(stack.size(), 2u);
    for (size_t i = 0; i < stack.size(); i++) {
      if (i == 1 && !stacks.lines[static_cast<size_t>(stack[i])].empty()) text << "| ";
      for (const StackLine& line : stacks.lines[static_cast<size_t>(stack[i])])
        text << stacks.text(stacks.functions[static_cast<size_t>(line.function)].name) << ':'
             << line.line << ' ';
    }
    MappingId mapping = stacks.locations[static_cast<size_t>(stack[0])].mapping;
    if (mapping != kNoMapping)
      text << "@ " << stacks.text(stacks.mappings[static_cast<size_t>(mapping)].filename) << ' ';
    text << 'x' << stacks.values_of(s)[0] << "; ";
  }
  const Accounting& samples = result->counted.samples;
  EXPECT_EQ(samples.check(), std::nullopt);
  for (size_t i = 0; i < kDroppedCount; i++)
    if (Dropped reason{static_cast<uint8_t>(i)}; samples[reason] != 0)
      text << dropped_name(reason) << ' ' << samples[reason] << ' ';
  if (!result->has_lines) text << "no lines";
  if (warnings != nullptr) warnings->clear();
  for (const auto& [kind, entry] : result->counted.diagnostics.entries())
    for (const std::string& message : entry.messages)
      if (warnings != nullptr) *warnings += message + '\n';
  return text.str();
}

TEST(SymbolizedStacks, KeepInlinedFramesApartFromCallers) {
  Image server("/build/server");
  Builder builder;
  builder.sample({{{"a", 1}, {"b", 2}}, {{"c", 3}}}, 4).sample({{{"b", 5}}, {{"c", 3}}}, 1);
  EXPECT_EQ(taken(builder, {&*server.image}), "a:1 b:2 | c:3 x4; b:5 | c:3 x1; ");
}

TEST(SymbolizedStacks, DoNotKnowWhereInlinedCodeEndsWithoutPlacesOfSeveralLines) {
  Image server("/build/server");
  Builder builder;
  builder.sample({{{"a", 1}}, {{"b", 2}}, {{"c", 3}}}, 4);
  EXPECT_EQ(taken(builder, {&*server.image}), "a:1 b:2 c:3 x4; ");
}

TEST(SymbolizedStacks, KeepSoManyFrames) {
  Image server("/build/server");
  Builder builder;
  builder.sample(std::vector<std::vector<std::pair<std::string, int64_t>>>(40, {{"r", 1}}), 1);
  SymbolizedStacks named =
      take_symbolized_stacks(builder.profile, {&*server.image}, "", "p.pb").value();
  EXPECT_EQ(named.stacks.lines[0].size(), kMaxSymbolizedFrames);
}

TEST(SymbolizedStacks, AreOfTheMappingsThatAreBinaries) {
  Image server("/build/server");
  Builder builder;
  MappingId libc = builder.map("/lib/libc.so.6"), kernel = builder.map("[kernel.kallsyms]");
  MappingId vdso = builder.map("[vdso]");
  builder.sample({{{"a", 1}}}, 1, libc).sample({{{"b", 1}}}, 2, kernel);
  builder.sample({{{"c", 1}}}, 4, vdso).sample({{{"d", 1}}}, 8);
  // The binary may have run under another name, as far as is known.
  EXPECT_EQ(taken(builder, {&*server.image}), "a:1 x1; d:1 x8; kernel 2 vdso 4 ");
  Builder by_name = builder, by_id = builder;
  by_name.sample({{{"e", 1}}}, 16, by_name.map("/srv/server", "ffffffffffffffff"));
  EXPECT_EQ(taken(by_name, {&*server.image}),
            "d:1 x8; e:1 @ /build/server x16; kernel 2 vdso 4 other-binary 1 ");
  by_id.sample({{{"e", 1}}}, 16, by_id.map("/srv/renamed", kId));
  EXPECT_EQ(taken(by_id, {&*server.image}),
            "d:1 x8; e:1 @ /build/server x16; kernel 2 vdso 4 other-binary 1 ");
}

// Several binaries: as other inputs are matched with them, but for other builds.
TEST(SymbolizedStacks, BelongToTheBinariesThatTheirMappingsName) {
  constexpr const char* kOther = "8899aabbccddeeff";
  Image first("/old/server"), second("/new/server", kOther),
      tool("/build/tool", "0101010101010101");
  Builder builder;
  builder.sample({{{"by_id", 1}}}, 1, builder.map("/srv/renamed", kOther));
  builder.sample({{{"by_name", 1}}}, 2, builder.map("/srv/tool (deleted)"));
  builder.sample({{{"other_build", 1}}}, 4, builder.map("/opt/tool", "ffffffffffffffff"));
  builder.sample({{{"ambiguous", 1}}}, 8, builder.map("/srv/server"));
  builder.sample({{{"ambiguous", 1}}}, 16, builder.map("/opt/server", "ffffffffffffffff"));
  builder.sample({{{"other", 1}}}, 32, builder.map("/lib/libc.so.6"));
  builder.sample({{{"unknown", 1}}}, 64, builder.map(""));
  std::string warnings, expected =
                            "by_id:1 @ /new/server x1; by_name:1 @ /build/tool x2; other_build:1 @ "
                            "/build/tool x4; anonymous 64 other-binary 32 ambiguous-name 24 ";
  const ElfImage &a = *first.image, &b = *second.image, &c = *tool.image;
  for (const std::vector<const ElfImage*>& images :
       std::vector<std::vector<const ElfImage*>>{{&a, &b, &c}, {&c, &b, &a}}) {
    EXPECT_EQ(taken(builder, images, &warnings), expected);
    std::string either =
        images[0] == &a ? "/old/server or /new/server" : "/new/server or /old/server";
    EXPECT_EQ(warnings,
              "p.pb: /srv/server could be " + either +
                  ", and its build ID is unknown; its samples are not used. Name the "
                  "one that ran\n"
                  "p.pb: /opt/server could be " +
                  either +
                  ", and it is another build than these; its samples are not used. Name the one "
                  "that ran\n"
                  "p.pb: is of build ffffffffffffffff of /opt/tool, and /build/tool is build "
                  "0101010101010101; names and lines are looked up in it anyway\n"
                  "p.pb: has no build ID for /srv/tool (deleted), which was matched with "
                  "/build/tool by its file name\n");
  }
}

TEST(SymbolizedStacks, KeepTheTimeThatSamplesStandFor) {
  Image server("/build/server");
  Builder builder;
  builder.sample({{{"a", 1}}}, 3).sample({{{"b", 1}}}, 2);
  builder.profile.period = 10;
  builder.profile.period_type = {builder.profile.strings.add("cpu"),
                                 builder.profile.strings.add("milliseconds")};
  StackProfile stacks =
      take_symbolized_stacks(builder.profile, {&*server.image}, "", "p.pb").value().stacks;
  ASSERT_EQ(stacks.samples.size(), 2u);
  EXPECT_EQ(stacks.values_of(0)[0], 3);
  EXPECT_EQ(stacks.values_of(0)[1], 30'000'000);
  EXPECT_EQ(stacks.values_of(1)[1], 20'000'000);
}

TEST(SymbolizedStacks, SayWhatCannotBeLookedUp) {
  Image server("/build/server");
  Builder builder;
  builder.sample({}, 1)
      .sample({{}}, 2)
      .sample({{{"a", 0}}, {{"b", 3}}}, 4)
      .sample({{{"b", 1}}}, -8);
  EXPECT_EQ(taken(builder, {&*server.image}), "a:0 b:3 x4; unmapped 3 no lines");
}

TEST(SymbolizedStacks, NameTheColumnThatIsMissing) {
  Image server("/build/server");
  Builder builder;
  builder.profile.sample_types = {{builder.profile.strings.add("space"), {}},
                                  {builder.profile.strings.add("objects"), {}}};
  EXPECT_EQ(taken(builder, {&*server.image}),
            "p.pb: has no samples of CPU time; it has:\n  space  ()\n  objects  ()\n  name what to "
            "count with \xFF{event}");
}

TEST(SymbolizedStacks, AreForProfilesWithoutAddresses) {
  Builder builder;
  EXPECT_FALSE(has_addresses(builder.profile));
  builder.sample({{{"a", 1}}}, 1).sample({}, 1);
  EXPECT_FALSE(has_addresses(builder.profile));
  builder.sample({{{"a", 1}}}, 1, kNoMapping, 0x1234);
  EXPECT_TRUE(has_addresses(builder.profile));
}

}  // namespace
}  // namespace pgo::symbolized_stacks_test
