// Writes .dwo files and packages for split_file_fuzz to start from: a unit with one function, whose
// first entry has an attribute of some form, known to LLVM or not.
// Usage: split_file_seeds DIRECTORY
#include <fstream>
#include <map>
#include <string>

#include "tests/data/byte_writer.h"
#include "tests/fuzz/debug_sections.h"

using namespace pgo::test;

namespace {

constexpr uint64_t kId = 0x1122334455667788;

enum class Kind : uint8_t { kFile = 0, kPackage = 1 };

// The function f of 16 bytes at 0x1000, in a unit of DWARF 5.
ByteVector unit() {
  ByteVector rest;
  put(rest, uint16_t{5});
  rest.insert(rest.end(), {5, 8});  // DW_UT_split_compile
  put32(rest, 0);                   // .debug_abbrev
  put64(rest, kId);
  rest.insert(rest.end(), {1, 4, 2, 'f', 0});
  put64(rest, 0x1000);
  rest.insert(rest.end(), {16, 0});
  ByteVector all;
  put32(all, static_cast<uint32_t>(rest.size()));
  put_bytes(all, rest);
  return all;
}

// Two slots, one of which has the unit, and its places in .debug_info and .debug_abbrev.
ByteVector index(size_t info_size, size_t abbreviations_size) {
  ByteVector bytes;
  for (uint32_t number : {5u, 2u, 1u, 2u}) put32(bytes, number);
  put64(bytes, kId);
  put64(bytes, 0);
  for (uint32_t number : {1u, 0u, 1u, 3u, 0u, 0u}) put32(bytes, number);
  put32(bytes, static_cast<uint32_t>(info_size));
  put32(bytes, static_cast<uint32_t>(abbreviations_size));
  return bytes;
}

ByteVector seed(Kind kind, uint8_t form) {
  std::map<std::string, ByteVector> sections;
  // DW_TAG_compile_unit with DW_AT_language; DW_TAG_subprogram with linkage name, low and high pc.
  ByteVector abbreviations{1, 0x11, 1, 0x13, form, 0, 0};
  put_bytes(abbreviations, ByteVector{2, 0x2e, 0, 0x6e, 8, 0x11, 1, 0x12, 0x0b, 0, 0, 0});
  sections[".debug_info"] = unit();
  sections[".debug_abbrev"] = abbreviations;
  ByteVector bytes;
  put64(bytes, kId);
  bytes.push_back(static_cast<uint8_t>(kind));
  auto put_section = [&](const ByteVector& section) {
    put(bytes, static_cast<uint16_t>(section.size()));
    put_bytes(bytes, section);
  };
  for (const char* name : kDebugSections) put_section(sections[name]);
  if (kind == Kind::kPackage)
    put_section(index(sections[".debug_info"].size(), abbreviations.size()));
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (Kind kind : {Kind::kFile, Kind::kPackage})
    for (uint8_t form : std::initializer_list<uint8_t>{0x0b, 0x0f, 0x16, 0x2d}) {
      ByteVector bytes = seed(kind, form);
      std::string name = std::string(argv[1]) + "/seed" + std::to_string(static_cast<int>(kind)) +
                         "_" + std::to_string(form);
      std::ofstream file(name, std::ios::binary);
      if (!file.write(reinterpret_cast<const char*>(bytes.data()),
                      static_cast<std::streamsize>(bytes.size())))
        return 1;
    }
}
