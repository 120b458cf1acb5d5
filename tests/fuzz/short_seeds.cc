// Writes files of formats that have no other builder, for the targets of their readers and of
// `pgo show` to start from: each small, with all that its format can hold.
// Usage: short_seeds DIRECTORY READER...
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "converters/pprof/pprof_writer.h"
#include "pgo/base/gzip.h"
#include "pgo/base/zstd.h"
#include "tests/data/elf_builder.h"
#include "tests/fuzz/hostile_programs.h"

using namespace pgo;

namespace {

struct Seed {
  std::string reader, name, bytes;
};

// Deeper than any report is.
const std::string kDeep = std::string(2000, '[') + std::string(2000, ']');

std::vector<Seed> text_seeds() {
  return {
      {"folded", "stacks", "main;work 5\nmain;\x1b[31m\xff;{top} 7\n"},
      {"fdata", "branches", "1 main 0 1 work 4 0 7\n1 work 8 1 main c 1 3\n"},
      {"fdata", "bolted",
       "boltedcollection\n1 main 0 1 work/a.c/1 4 0 7\n0 [unknown] 0 1 x 0 0 1\n"},
      {"fdata", "no_lbr", "no_lbr cycles:u:\n1 main 4 7\n1 work 8 3\n"},
      {"preaggregated", "traces",
       "T 1000 1010 1020 5\nB 1000 1010 3 1\nR 1000 1010 1020 2\nF 1010 1020 7\nf X:0 1010 1020 1\n"
       "r 1010 1020 1\nS 1234 3\nE cycles:u\nT 0102030405060708:1000 X:0 0 9\n"},
      {"bolt_yaml", "profile",
       "---\nheader:\n  profile-version: 1\n  binary-name:     'server'\n"
       "  binary-build-id: '0102030405060708'\n  profile-flags:   [ lbr ]\n"
       "  profile-origin:  branch profile reader\nfunctions:\n"
       "  - name:            main\n    fid:             1\n    hash:            0x1\n"
       "    exec:            3\n    nblocks:         2\n    blocks:\n"
       "      - bid:             0\n        insns:           4\n        hash:            0x2\n"
       "        exec:            3\n        succ:            [ { bid: 1, cnt: 7, mis: 1 } ]\n"
       "        calls:           [ { off: 0x4, fid: 1, cnt: 2 } ]\n...\n"},
      {"convert_report", "report",
       R"({"evidence": "branch-records", "quality": "good", "density": 70.5, "warnings": [],
"samples": {"seen": 5, "used": 4, "dropped": {"kernel": 1}}, "branches": {"seen": 9, "used": 9,
"dropped": {}}, "lost": 0, "binaries": [{"path": "a\n", "build_id": "01", "traces": 3}],
"outputs": [{"path": "{top}", "size": 3}], "not_used": [{"path": "b", "reason": "c"}]})"},
      {"convert_report", "deep", R"({"evidence": "branch-records", "samples": )" + kDeep + "}"},
      {"config", "sections",
       "[verify]\nlimit = 1.0\nexpect = 3\nfunction-limit = 20.0\nmin-share = 0.5\n"
       "[owners]\ncodeowners = \".github/CODEOWNERS\"\n"
       "[owners.paths]\n\"src/**\" = \"core\"\n\"/src/storage/*.cc\" = 'storage'\n"
       "[owners.functions]\n\"leveldb::*\" = \"storage\"\n"
       "[cost]\ncores = 1200\ncore-hour = 0.04\ncurrency = \"USD\"\n"},
      {"config", "codeowners",
       "# all\n* @all\n/src/**/test/ @a @b # both\nmy\\ dir/*\n!x @c\n[ab] @d\n"},
      {"staleness_statistics", "entries",
       "\x16NumMismatchedCallsites\x04Mw==\x16TotalProfiledCallsites\x04MzU=\x03key\x04Mw=="}};
}

// What stores and registries answer, and what is kept of it.
std::vector<Seed> store_seeds() {
  return {
      {"minisign", "public",
       "untrusted comment: minisign public key 1ED64F26CF951AF8\n"
       "RWT4GpXPJk/WHteX+sXjI8da2MCH3J7qXGI+Fg5wBvNZPn+tkC2N5nr3\n"},
      {"minisign", "secret",
       "untrusted comment: minisign encrypted secret key\n"
       "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+"
       "BqVzyZP1h5K6hMnYQo6+fG5lB0K1cyGmZDhbFilGhcAQbk1J3ugd9eX+sXjI8da2MCH3J7qXGI+Fg5wBvNZPn+"
       "tkC2N5nr3AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n"},
      {"minisign", "hashed",
       "untrusted comment: for people\n"
       "RUT4GpXPJk/"
       "WHlLUxw+IUJhcP5bn2Vwf04T52bBx5StgB80cICHUmY9DxLIeFVlvO2M1yGQyjnwNlB4v1JrifXJzVMUlQiYFZgE=\n"
       "trusted comment: of server, 2026-11-20\n"
       "S4LXaKspVARdIBzFz63zmnNfIExnMtcLLEG1ZT3Xz0jZXnAXZE3O1oHcbOIyisoqY32lmVXpncqwJzRG5EHODQ=="
       "\n"},
      {"auth_challenge", "bearer",
       "Bearer realm=\"https://a/token\",service=\"r\",scope=\"repository:a:pull\""},
      {"auth_challenge", "link", "</v2/a/tags/list?last=b>; rel=\"next\""},
      {"aws_ini", "config",
       "# mine\n[default]\nregion = eu-west-1 # here\ns3 =\n  addressing_style = path\n"
       "[profile queryd]\naws_access_key_id=A\naws_secret_access_key=S\n"},
      {"s3_answers", "list",
       "<?xml version=\"1.0\"?><ListBucketResult><IsTruncated>true</IsTruncated>"
       "<NextContinuationToken>a/b==</NextContinuationToken><EncodingType>url</EncodingType>"
       "<Contents><Key>p/a%20b&amp;&#x41;</Key><LastModified>2013-05-24T00:00:00.123Z</"
       "LastModified>"
       "<ETag>&#34;0123-2&#34;</ETag><Size>12</Size></Contents></ListBucketResult>"},
      {"s3_answers", "error",
       "<Error><Code>AccessDenied</Code><Message>No.</Message><Region>eu-west-1</Region></Error>"},
      {"s3_answers", "sts",
       "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
       "<AccessKeyId>A</AccessKeyId><SecretAccessKey>S</SecretAccessKey><SessionToken>T"
       "</SessionToken><Expiration>2026-01-01T00:00:00Z</Expiration></Credentials>"
       "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"},
      {"s3_answers", "keys",
       R"({"AccessKeyId": "A", "SecretAccessKey": "S", "Token": "T",
"Expiration": "2026-01-01T00:00:00Z"})"},
      {"live_hosts", "url", "https://Web-1:6060/a?b#c"},
      {"live_hosts", "hosts", "web-1:6060,[::1]:80,dns+web,@hosts/debug/pprof/heap?seconds=5&x"},
      {"live_hosts", "lines", "# all\nweb-1:6060 zone=a b=c\nsd+http://sd/x?job=web zone=b\n"},
      {"live_hosts", "discovery",
       R"([{"targets": ["10.0.0.1:6060"], "labels": {"zone": "a", "__meta_x": "b"}}])"},
      {"bundle", "members",
       R"({"version": 1, "tool_version": "pgo 1.0", "sources": ["s3://b/p"], "query": {"service": "q"},
"weight_denominator": 12, "members": [{"path": "web-1/a.pb.gz", "size": 12, "digest":
"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "source": "s3://b/p",
"object": "a", "labels": {"host": "web-1"}, "window": {"from": "2026-11-26T13:00:00Z",
"to": "2026-11-26T14:00:00.5+01:30", "evidence": "name"}, "weight": 9, "builds": ["0102"],
"samples": 7, "accounting": {"seen": 7, "used": 4, "pending": 1, "dropped": {"kernel": 2}}}]})"},
      {"bundle", "empty",
       R"({"version": 1, "tool_version": "", "sources": [], "query": {}, "weight_denominator": 1,
"members": []})"},
      {"bundle", "deep", R"({"version": 1, "query": )" + kDeep + "}"},
      {"grpc_answer", "message", std::string("\0\0\0\0\3abc\x80\0\0\0\x10grpc-status: 0\r\n", 29)},
      {"grpc_answer", "refusal",
       std::string("\x80\0\0\0\x24grpc-status: 5\r\ngrpc-message: a%0A\r\n", 41)},
      // The first character chooses the answer.
      {"store_answers", "types", "2\x0a\3\x0a\1t"},
      {"store_answers", "series", "4\x12\x09\x0a\x07\x0a\1h\x12\2w1"},
      {"store_answers", "error", R"(,{"code":"unauthenticated","message":"no org id"})"},
      {"store_answers", "points", "8\x0a\x0a\x12\x08\x0a\4\x08\7\x10\5\x10\x09"},
      {"store_answers", "profiles",
       R"(0{"body":[{"id":"dc0","labels":"a=b","created_at":"2026-11-26T13:00:00Z"}]})"},
      {"range_answer", "series",
       R"({"status": "success", "warnings": ["partial"], "data": {"resultType": "matrix",
"result": [{"metric": {"instance": "web-1:9100"}, "values": [[0, "1"], [15, "2.5"], [30, "1e3"]]},
{"metric": {}, "values": [[0, "7"]]}]}})"},
      {"range_answer", "error",
       R"({"status": "error", "errorType": "bad_data", "error": "1:5: parse error"})"}};
}

// Of registries and lock files.
std::vector<Seed> version_seeds() {
  return {
      {"lock_file", "profiles",
       R"({"version": 1, "profiles": {"server": {"reference": "oci-dir:/p:v1", "manifest":
"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "previous":
"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "window":
"2026-11-19T00:00:00Z/2026-11-26T00:00:00Z", "source": "s3://b/p", "tool": "pgo 1.0", "files": [
{"kind": "llvm", "path": "a.prof", "digest":
"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "size": 5,
"of_builds": ["01"], "evidence": "pc-samples", "quality": "fair", "density": 70.5,
"split_half_overlap": 0.98, "samples": 7}, {"kind": "bolt", "path": "a.fdata", "digest":
"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdee", "size": 6,
"configuration": "lto", "library": "libq.so", "bolt_of": "0102"}]}}})"},
      {"lock_file", "remote",
       R"({"version": 1, "profiles": {"a": {"reference": "oci://[::1]:5000/a/b-c:v1", "manifest":
"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "files": []}}})"},
      {"oci_manifest", "profile",
       R"({"schemaVersion": 2, "artifactType": "application/vnd.prodpgo.profile.v1", "config":
{"mediaType": "application/vnd.oci.empty.v1+json", "digest":
"sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", "size": 2}, "layers": [
{"mediaType": "application/vnd.prodpgo.llvm-prof.v1", "digest":
"sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef", "size": 5, "annotations":
{"org.opencontainers.image.title": "a.prof", "dev.prodpgo.builds": "02,01",
"dev.prodpgo.density": "70.55", "dev.prodpgo.split-half-overlap": "0.9876",
"dev.prodpgo.samples": "7", "dev.prodpgo.evidence": "pc-samples", "dev.prodpgo.quality": "good",
"dev.prodpgo.bolt-of": "0102", "dev.prodpgo.library": "libq.so", "dev.prodpgo.configuration": "lto"}}], "subject": {"mediaType":
"application/vnd.oci.image.manifest.v1+json", "digest": "sha512:ab", "size": 1}, "annotations":
{"dev.prodpgo.window.from": "2026-11-19", "dev.prodpgo.window.to": "2026-11-26T00:00:00Z",
"dev.prodpgo.service": "q", "dev.prodpgo.sources": "s3://b/p\ndir:x"}})"},
      {"oci_manifest", "index",
       R"({"schemaVersion": 2, "manifests": [{"mediaType": "a/b", "digest": "sha512:ab", "size": 1,
"platform": {"os": "linux"}, "annotations": {"org.opencontainers.image.ref.name": "v1"}}], "x": 1})"}};
}

// A stack of a function inlined into another, with labels of both kinds.
std::string pprof_message() {
  StackProfile profile;
  auto text = [&](const char* words) { return profile.strings.add(words); };
  profile.sample_types = {{text("samples"), text("count")}, {text("cpu"), text("nanoseconds")}};
  StackMapping mapping{text("/bin/server"), text("0102030405060708"), RuntimeAddr{0x400000},
                       RuntimeAddr{0x500000}, FileOffset{0x1000}};
  mapping.has_functions = mapping.has_line_numbers = true;
  MappingId server = profile.add_mapping(mapping);
  FunctionId work = profile.add_function({text("work(int)"), text("_Z4worki"), text("a.cc"), 7});
  FunctionId main = profile.add_function({text("main"), {}, text("b.cc"), 1});
  LocationId leaf = profile.add_location({server, RuntimeAddr{0x400010}}, {{work, 9}, {main, 3}});
  LocationId caller = profile.add_location({server, RuntimeAddr{0x400110}}, {{main, 4, 2}});
  LabelsId labels =
      profile.add_labels({{text("thread"), text("io")}, {text("bytes"), {}, text("bytes"), -5}});
  profile.add_sample({profile.add_stack({leaf, caller}), labels}, {3, 30'000'000});
  profile.add_sample({profile.add_stack({caller}), profile.add_labels({})}, {1, 10'000'000});
  profile.period_type = {text("cpu"), text("nanoseconds")};
  profile.period = 10'000'000;
  profile.time = profile.duration = 1'000'000'000;
  profile.comments = {text("a comment")};
  profile.drop_frames = text("work|sleep.*");
  profile.keep_frames = text("work");
  profile.normalize();
  return write_pprof(profile);
}

// The words of a CPU profile of gperftools, of 8 bytes each, and the maps behind them.
std::string gperftools_profile() {
  test::ByteVector bytes;
  for (uint64_t word : std::initializer_list<uint64_t>{0, 3, 0, 10000, 0, 2, 2, 0x401000, 0x401050,
                                                       1, 1, 0x7f0010, 0, 1, 0})
    test::put64(bytes, word);
  test::put_bytes(bytes, "00400000-00402000 r-xp 00000000 08:01 5     /bin/a b\nbuild=x\n");
  return {bytes.begin(), bytes.end()};
}

// The table of tests/unit/elf/bolt/address_translation_test.cc: a function of three blocks, one of
// them in a cold fragment.
std::string address_translation() {
  const std::string hash(8, 'Z');
  std::string table;
  auto put = [&](std::initializer_list<uint8_t> numbers) {
    table.append(numbers.begin(), numbers.end());
  };
  put({1, 0x80, 0x80, 0x80, 2});
  table += hash;
  put({3, 1, 4, 2, 2, 0});
  table += hash;
  put({0, 3, 2, 9});
  table += hash;
  put({2, 1, 3, 8, 1, 0xfa, 0xff, 0x3f, 0, 4, 2, 1, 0, 0});
  table += hash;
  put({1, 2, 7});
  return ElfBuilder::note("BOLT", 1, table);
}

// What bolt_check_fuzz makes a file of: sizes of parts and a place of a segment, then the parts.
std::string dynamic_parts() {
  // At 1: libc.so, at 9: libm.so, at 17: parse, at 23: free.
  const std::string names("\0libc.so\0libm.so\0parse\0free\0", 28);
  const std::vector<Elf64_Dyn> dynamic{
      {DT_NEEDED, {1}}, {DT_NEEDED, {9}},  {DT_SYMTAB, {0x2000}}, {DT_STRTAB, {0x4000}},
      {DT_STRSZ, {28}}, {DT_SYMENT, {24}}, {DT_VERSYM, {0x3000}}, {DT_NULL, {0}}};
  const uint8_t function = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
  const std::vector<Elf64_Sym> symbols{
      {}, {17, function, 0, 5, 0x5000, 4}, {23, function, 0, 0, 0, 0}};
  test::ByteVector bytes;
  for (size_t size : {dynamic.size() * sizeof dynamic[0], symbols.size() * sizeof symbols[0],
                      symbols.size() * sizeof(Elf64_Half), names.size()})
    bytes.push_back(static_cast<uint8_t>(size));
  test::put32(bytes, 0x200);  // the other byte
  test::put64(bytes, PF_R);
  for (uint64_t number : std::initializer_list<uint64_t>{0, 0x100, 0x6000})
    test::put64(bytes, number);
  for (const Elf64_Dyn& entry : dynamic) {
    test::put64(bytes, static_cast<uint64_t>(entry.d_tag));
    test::put64(bytes, entry.d_un.d_val);
  }
  test::put_bytes(bytes, std::string_view(reinterpret_cast<const char*>(symbols.data()),
                                          symbols.size() * sizeof symbols[0]));
  for (uint16_t version = 0; version < 3; version++) test::put(bytes, version);
  test::put_bytes(bytes, names);
  test::put_bytes(bytes, "code");
  return {bytes.begin(), bytes.end()};
}

// By gzip, by zstd, and by gzip twice.
Result<std::vector<Seed>> compressed(const Seed& seed) {
  PGO_TRY(std::string by_gzip, gzip(seed.bytes));
  PGO_TRY(std::string by_zstd, zstd(seed.bytes));
  PGO_TRY(std::string twice, gzip(by_gzip));
  return std::vector<Seed>{{seed.reader, seed.name + ".gz", by_gzip},
                           {seed.reader, seed.name + ".zst", by_zstd},
                           {seed.reader, seed.name + ".gz.gz", twice}};
}

Result<std::vector<Seed>> all_seeds() {
  std::vector<Seed> seeds = text_seeds();
  for (Seed& seed : store_seeds()) seeds.push_back(std::move(seed));
  for (Seed& seed : version_seeds()) seeds.push_back(std::move(seed));
  const Seed pprof{"pprof", "profile", pprof_message()};
  seeds.push_back(pprof);
  PGO_TRY(std::vector<Seed> packed, compressed(pprof));
  seeds.insert(seeds.end(), packed.begin(), packed.end());
  seeds.push_back({"gperftools_cpu", "profile", gperftools_profile()});
  seeds.push_back({"address_translation", "table", address_translation()});
  seeds.push_back({"bolt_check", "parts", dynamic_parts()});
  return seeds;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) return 2;
  Result<std::vector<Seed>> seeds = all_seeds();
  if (!seeds) return 1;
  for (int i = 2; i < argc; i++) {
    size_t written = 0;
    for (const Seed& seed : *seeds) {
      if (seed.reader != argv[i]) continue;
      test::ByteVector bytes;
      test::put_bytes(bytes, seed.bytes);
      test::write_file(std::string(argv[1]) + "/" + seed.reader + "_" + seed.name, bytes);
      written++;
    }
    if (written == 0) return 2;
  }
}
