# The first release with a profile arranges the helpers of a sort in another way. That is no regression; but one that
# was planted in an inlined helper of that release is, and in one of a release without a profile.
. "$(dirname "$0")/../prelude.sh"
need clang++-22 perf

cat > service.cc <<'END'
// A service with helpers that every build inlines: a sort of records, and a parser.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

struct Record {
  std::string key;
  uint64_t value;
};

class Reader {
 public:
  explicit Reader(const std::string& text) : at_(text.data()), end_(at_ + text.size()) {}
  bool next(uint64_t& number) {
    while (at_ != end_ && (*at_ < '0' || *at_ > '9')) at_++;
    if (at_ == end_) return false;
    number = 0;
    while (at_ != end_ && *at_ >= '0' && *at_ <= '9') number = number * 10 + uint64_t(*at_++ - '0');
    return true;
  }
 private:
  const char* at_;
  const char* end_;
};

static inline uint64_t mix(uint64_t x) {
#ifdef ROUNDS
  for (int i = 0; i < ROUNDS; i++) x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9;
#endif
  return (x ^ (x >> 31)) * 0x94d049bb133111eb;
}

static bool comes_before(const Record* a, const Record* b) {
  if (a->value != b->value) return a->value > b->value;
  return std::lexicographical_compare(a->key.begin(), a->key.end(), b->key.begin(), b->key.end());
}

__attribute__((noinline)) uint64_t scan(const std::vector<Record>& records, uint64_t which) {
  std::vector<const Record*> found;
  for (const Record& record : records)
    if (mix(record.value + which) % 3 == 0) found.push_back(&record);
  std::sort(found.begin(), found.end(), comes_before);
  uint64_t sum = 0;
  for (const Record* record : found) sum = sum * 31 + record->value;
  return sum;
}

__attribute__((noinline)) uint64_t parse(const std::string& text) {
  Reader reader(text);
  uint64_t number = 0, sum = 0;
  while (reader.next(number)) sum = mix(sum + number);
  return sum;
}

int main(int, char** arguments) {
  const uint64_t requests = std::strtoull(arguments[1], nullptr, 10);
  uint64_t state = std::strtoull(arguments[2], nullptr, 10), sum = 0;
  std::vector<Record> records;
  for (int i = 0; i < 3000; i++) {
    state = mix(state + 7);
    records.push_back({"user:" + std::to_string(state % 977), state % 50});
  }
  std::string text;
  for (int i = 0; i < 1500; i++) text += "id=" + std::to_string(mix(state + i) % 100000) + ";";
  for (uint64_t i = 0; i < requests; i++) sum = sum * 33 + scan(records, i) + parse(text) * 3;
  std::printf("%llu\n", static_cast<unsigned long long>(sum));
}
END
build() { # NAME FLAG...
  clang++-22 -std=c++20 -O2 -gline-tables-only -fdebug-info-for-profiling -fuse-ld=lld -Wl,--build-id "${@:2}" \
    service.cc -o service.$1
}
record() { # NAME: as hosts, three runs
  mkdir -p $1
  for host in 1 2 3; do
    "$pgo" record --engine clock --period "$(period 100003)" -o $1/host$host.data -- ./service.$1 3000 $host > $1.log 2>&1 ||
      { cat $1.log; fail "cannot record"; }
  done
}
build base
record base
"$pgo" convert base/ --binary service.base -o service.prof > said 2>&1 || { cat said; fail "no profile"; }
build profiled -fprofile-sample-use=service.prof
build profiled_slow -fprofile-sample-use=service.prof -DROUNDS=4
build slow -DROUNDS=4
for release in profiled profiled_slow slow; do record $release; done

verify() { # RELEASE
  status=0
  "$pgo" verify base/ $1/ --path-template '{host}.data' --binary service.base --binary service.$1 --json > $1.json 2> said ||
    status=$?
}
show() { python3 -c 'import json, sys; print([row["name"] for row in json.load(open(sys.argv[1]))["functions"][sys.argv[2]]])' "$@"; }
verify profiled
[ $status -eq 0 ] || [ $status -eq 3 ] || { cat said; fail "fails a release with a profile: $(show profiled.json grown)"; }
[ "$(show profiled.json shifted)" != "[]" ] || fail "no helper seems to have grown: this tests nothing"
for release in profiled_slow slow; do
  verify $release
  [ $status -eq 1 ] || { cat said; fail "$release: exit code $status instead of 1"; }
  case $(show $release.json grown) in
    "['mix(unsigned long)'"*) ;;
    *) fail "$release: names $(show $release.json grown)" ;;
  esac
done
