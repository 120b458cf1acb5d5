// Writes files of each kind that has no other builder, and programs, for show_fuzz to start from.
// Usage: show_seeds DIRECTORY PROGRAM...
#include "tests/fuzz/hostile_programs.h"

using namespace pgo::test;

namespace {

constexpr std::pair<const char*, const char*> kTexts[] = {
    {"folded", "main;work 5\nmain;\x1b[31m\xff;{top} 7\n"},
    {"fdata", "1 main 0 1 work 4 0 7\n1 work 8 1 main c 1 3\n"},
    {"fdata.bolted", "boltedcollection\n1 main 0 1 work 4 0 7\n"},
    {"fdata.no_lbr", "no_lbr cycles:u:\n1 main 4 7\n1 work 8 3\n"},
    {"preagg", "T 1000 1010 1020 5\nB 1000 1010 3 1\nF 1010 1020 7\nS 1234 3\nE cycles:u\n"},
    {"yaml",
     "---\nheader:\n  profile-version: 1\n  binary-name:     'server'\n"
     "  binary-build-id: '0102030405060708'\n  profile-flags:   [ lbr ]\n"
     "  profile-origin:  branch profile reader\nfunctions:\n"
     "  - name:            main\n    fid:             1\n    hash:            0x1\n"
     "    exec:            3\n    nblocks:         2\n    blocks:\n"
     "      - bid:             0\n        insns:           4\n        hash:            0x2\n"
     "        exec:            3\n        succ:            [ { bid: 1, cnt: 7, mis: 1 } ]\n"
     "        calls:           [ { off: 0x4, fid: 1, cnt: 2 } ]\n...\n"},
    {"report",
     R"({"evidence": "branch-records", "quality": "good", "density": 70.5, "warnings": [],
"samples": {"seen": 5, "used": 4, "dropped": {"kernel": 1}}, "branches": {"seen": 9, "used": 9,
"dropped": {}}, "lost": 0, "binaries": [{"path": "a\n", "build_id": "01", "traces": 3}],
"outputs": [{"path": "{top}", "size": 3}], "not_used": [{"path": "b", "reason": "c"}]})"},
    {"profile.text", "main:1000:1\n 3: 1\n 4: 100 _ZL5inneri:100\n 5: work:7\n  1: 7\n"}};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  const std::string directory = std::string(argv[1]) + "/";
  for (const auto& [name, text] : kTexts) {
    ByteVector bytes;
    put_bytes(bytes, text);
    write_file(directory + name, bytes);
  }
  for (const auto& [name, program] : hostile_programs({argv + 2, argv + argc}))
    write_file(directory + name, program);
}
