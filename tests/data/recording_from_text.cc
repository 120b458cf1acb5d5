// Writes the recordings that hardware and emulators seldom make: text on standard input, one line
// per record in the order of the file, becomes a perf.data.
//
//   recording_from_text [--pipe] OUT < TEXT
//
//   event name=cycles config=0 type=ip,tid,time,branch branch=user,any flags=sample_id_all ids=7,8
//   event software=1 name=cpu-clock config=0 ...       not of the hardware
//   comm pid=10 time=1 exec=1 name=server
//   mmap2 pid=10 time=2 addr=0x400000 len=0x1000 pgoff=0 prot=r-xp build_id=0011aabb path=/bin/a b
//   fork pid=11 parent=10 time=3
//   sample pid=11 time=4 ip=0x400100 callchain=0x400100,0x400200 branches=0x400120/0x400100
//   0x400110/0x40011c/M 0x400110/0x40011c/C12     mispredicted; 12 cycles after the branch before
//   shift by=0x10000     from here on, added to the addresses of maps and samples
//   start_compressed, end_compressed plain=100 compressed=50, finished_round, event_desc,
//   exit, lost, mmap, build_id id=0011aabb path=/bin/a
//
// A line is a word and KEY=VALUE pairs; the values of path=, name= and branches= go to the end of
// the line. Numbers are decimal or 0x hexadecimal. Lines that start with # are skipped. It checks
// the grammar, not the sense: what is written may be nonsense on purpose.
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "tests/data/perf_data_builder.h"

namespace pgo::test {
namespace {

using Bits = std::map<std::string, uint64_t>;

const Bits kSampleBits = {{"ip", PERF_SAMPLE_IP},
                          {"tid", PERF_SAMPLE_TID},
                          {"time", PERF_SAMPLE_TIME},
                          {"addr", PERF_SAMPLE_ADDR},
                          {"read", PERF_SAMPLE_READ},
                          {"callchain", PERF_SAMPLE_CALLCHAIN},
                          {"id", PERF_SAMPLE_ID},
                          {"cpu", PERF_SAMPLE_CPU},
                          {"period", PERF_SAMPLE_PERIOD},
                          {"stream_id", PERF_SAMPLE_STREAM_ID},
                          {"raw", PERF_SAMPLE_RAW},
                          {"branch", PERF_SAMPLE_BRANCH_STACK},
                          {"weight", PERF_SAMPLE_WEIGHT},
                          {"data_src", PERF_SAMPLE_DATA_SRC},
                          {"identifier", PERF_SAMPLE_IDENTIFIER}};
const Bits kBranchBits = {
    {"user", PERF_SAMPLE_BRANCH_USER},         {"kernel", PERF_SAMPLE_BRANCH_KERNEL},
    {"any", PERF_SAMPLE_BRANCH_ANY},           {"call_stack", PERF_SAMPLE_BRANCH_CALL_STACK},
    {"hw_index", PERF_SAMPLE_BRANCH_HW_INDEX}, {"counters", kBranchCounters}};
const Bits kFlagBits = {{"frequency", kFlagFrequency}, {"sample_id_all", kFlagSampleIdAll}};

[[noreturn]] void die(const std::string& message) {
  std::cerr << "recording_from_text: " << message << '\n';
  std::exit(2);
}

uint64_t to_number(const std::string& text) {
  char* end = nullptr;
  uint64_t value = std::strtoull(text.c_str(), &end, text.starts_with("0x") ? 16 : 10);
  if (text.empty() || *end != '\0') die("not a number: " + text);
  return value;
}

// The values of one line.
class Line {
 public:
  explicit Line(const std::string& text) {
    std::istringstream in(text);
    in >> word_;
    std::string pair;
    while (in >> pair) {
      size_t equals = pair.find('=');
      if (equals == std::string::npos) die("no KEY=VALUE: " + text);
      std::string key = pair.substr(0, equals), value = pair.substr(equals + 1), rest;
      if (key == "path" || key == "branches") {
        std::getline(in, rest);
        value += rest;
      }
      values_[key] = value;
    }
  }

  const std::string& word() const { return word_; }

  std::string text(const std::string& key) { return take(key, ""); }
  uint64_t number(const std::string& key, uint64_t otherwise = 0) {
    std::string value = take(key, "");
    return value.empty() ? otherwise : to_number(value);
  }
  uint32_t number32(const std::string& key, uint32_t otherwise = 0) {
    return static_cast<uint32_t>(number(key, otherwise));
  }
  std::vector<std::string> list(const std::string& key) {
    std::vector<std::string> items;
    std::istringstream in(take(key, ""));
    for (std::string item; std::getline(in, item, ',');) items.push_back(item);
    return items;
  }
  uint64_t bits(const std::string& key, const Bits& names) {
    uint64_t sum = 0;
    for (const std::string& name : list(key)) {
      auto it = names.find(name);
      if (it == names.end()) die(key + "=" + name + " is unknown");
      sum |= it->second;
    }
    return sum;
  }
  // A key that nobody asked for is a typing error in a test.
  void check_all_used() const {
    for (const auto& [key, value] : values_) die(word_ + ": what is " + key + "=" + value + "?");
  }

 private:
  std::string take(const std::string& key, const std::string& otherwise) {
    auto it = values_.find(key);
    if (it == values_.end()) return otherwise;
    std::string value = it->second;
    values_.erase(it);
    return value;
  }

  std::string word_;
  std::map<std::string, std::string> values_;
};

uint32_t to_protection(const std::string& letters) {
  if (letters.empty()) return 5;
  uint32_t bits = 0;
  for (char letter : letters)
    bits |= letter == 'r' ? 1u : letter == 'w' ? 2u : letter == 'x' ? 4u : 0;
  return bits;
}

std::vector<Branch> to_branches(const std::string& text, uint64_t shift) {
  std::vector<Branch> branches;
  std::istringstream in(text);
  for (std::string entry; in >> entry;) {
    size_t slash = entry.find('/');
    size_t second = entry.find('/', slash + 1);
    if (slash == std::string::npos) die("not FROM/TO: " + entry);
    Branch branch{to_number(entry.substr(0, slash)),
                  to_number(entry.substr(slash + 1, second - slash - 1))};
    const std::string more = second == std::string::npos ? "" : entry.substr(second + 1);
    if (more.starts_with('M')) branch.flags = kMispredicted;
    if (more.starts_with('C')) branch.cycles = to_number(more.substr(1));
    if (branch.from != 0) branch.from += shift;
    if (branch.to != 0) branch.to += shift;
    branches.push_back(branch);
  }
  return branches;
}

class RecordingWriter {
 public:
  void add(Line line) {
    const std::string& word = line.word();
    if (word == "event")
      add_event(line);
    else if (word == "mmap" || word == "mmap2")
      add_map(line);
    else if (word == "sample")
      add_sample(line);
    else if (word == "comm" || word == "fork" || word == "exit")
      add_task(line);
    else if (word == "lost")
      perf_.lost({.lost = line.number("lost"), .time = line.number("time")});
    else if (word == "build_id")
      perf_.build_id({.id = line.text("id"), .path = line.text("path")});
    else if (word == "auxtrace")
      perf_.auxtrace(std::string(line.number("size"), 'x'));
    else if (word == "event_desc")
      perf_.event_desc();
    else if (word == "finished_round")
      perf_.finished_round();
    else if (word == "start_compressed")
      perf_.start_compressed();
    else if (word == "end_compressed")
      perf_.end_compressed(
          {.plain = line.number("plain"), .compressed = line.number("compressed")});
    else if (word == "shift")
      shift_ = line.number("by");
    else
      die("what is " + word + "?");
    line.check_all_used();
  }

  ByteVector finish(bool as_pipe) const { return as_pipe ? perf_.pipe() : perf_.file(); }

 private:
  void add_event(Line& line) {
    Event event;
    event.size = line.number32("size", event.size);
    event.config = line.number("config", event.config);
    if (line.number("software") != 0) event.type = PERF_TYPE_SOFTWARE;
    event.sample_period = line.number("period", 1);
    event.sample_type = line.bits("type", kSampleBits);
    event.branch_sample_type = line.bits("branch", kBranchBits);
    event.flags = line.bits("flags", kFlagBits);
    for (const std::string& id : line.list("ids")) event.ids.push_back(to_number(id));
    event.name = line.text("name");
    perf_.event(event);
  }

  void add_map(Line& line) {
    Mmap2 map;
    map.pid = line.number32("pid");
    map.time = line.number("time");
    map.addr = line.number("addr") + shift_;
    map.len = line.number("len");
    map.pgoff = line.number("pgoff");
    map.prot = to_protection(line.text("prot"));
    map.build_id = line.text("build_id");
    map.path = line.text("path");
    if (line.word() == "mmap2") {
      perf_.mmap2(map);
    } else {
      perf_.mmap({.pid = map.pid,
                  .time = map.time,
                  .addr = map.addr,
                  .len = map.len,
                  .pgoff = map.pgoff,
                  .path = map.path});
    }
  }

  void add_task(Line& line) {
    uint32_t pid = line.number32("pid"), tid = line.number32("tid");
    uint64_t time = line.number("time");
    if (line.word() == "comm") {
      uint16_t misc = line.number("exec") != 0 ? PERF_RECORD_MISC_COMM_EXEC : 0;
      perf_.comm({.pid = pid, .tid = tid, .time = time, .name = line.text("name"), .misc = misc});
      return;
    }
    Task task{.pid = pid, .parent = line.number32("parent"), .tid = tid, .time = time};
    if (line.word() == "fork")
      perf_.fork(task);
    else
      perf_.exit(task);
  }

  void add_sample(Line& line) {
    Sample sample;
    sample.pid = line.number32("pid");
    sample.tid = line.number32("tid");
    sample.time = line.number("time");
    sample.ip = line.number("ip") + shift_;
    sample.event = line.number("event");
    sample.period = line.number("period", 1);
    for (const std::string& ip : line.list("callchain")) {
      sample.callchain.push_back(to_number(ip) + shift_);
    }
    sample.branches = to_branches(line.text("branches"), shift_);
    perf_.sample(sample);
  }

  PerfDataBuilder perf_;
  uint64_t shift_ = 0;
};

int run(int argc, char** argv) {
  bool as_pipe = argc > 1 && std::string(argv[1]) == "--pipe";
  if (argc != (as_pipe ? 3 : 2)) die("usage: recording_from_text [--pipe] OUT < TEXT");
  RecordingWriter writer;
  for (std::string text; std::getline(std::cin, text);) {
    if (!text.empty() && text[0] != '#') writer.add(Line(text));
  }
  ByteVector bytes = writer.finish(as_pipe);
  std::ofstream out(argv[argc - 1], std::ios::binary);
  out.write(reinterpret_cast<const char*>(bytes.data()),
            static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) die(std::string("cannot write ") + argv[argc - 1]);
  return 0;
}

}  // namespace
}  // namespace pgo::test

int main(int argc, char** argv) { return pgo::test::run(argc, argv); }
