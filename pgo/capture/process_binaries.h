// ProcessBinaries: the files whose code processes have mapped, held open, so that they can be read
// when a process has ended or an update has replaced its files.
//
//   ProcessBinaries binaries = ProcessBinaries::open(processes, "/proc");
//   for (const HeldBinary& one : binaries.find("/usr/bin/queryd")) ElfImage::open(one.readable)
//
// A process of a container sees other files at the same paths: they are opened as the process sees
// them, through /proc/PID.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pgo/base/unique_fd.h"
#include "pgo/capture/service_processes.h"

namespace pgo {

struct HeldBinary {
  std::string path;         // as the process names it, and so the recording; without " (deleted)"
  std::string readable;     // where this process can read it
  bool is_program = false;  // and no library
  bool is_deleted = false;  // or replaced: the process has another file than its path
  // The file that is mapped, for certain; or else the one that has its path now.
  bool is_certain = true;
};

class ProcessBinaries {
 public:
  // Leaves out what cannot be opened. `proc` is /proc.
  static ProcessBinaries open(const std::vector<ServiceProcess>& processes,
                              const std::string& proc);

  // Nothing is held: there were no processes to look at, or they may not be looked at.
  bool empty() const { return binaries_.empty(); }
  // There were more files than can be held open (512), or more mappings than are read.
  bool is_limited() const { return is_limited_; }
  // Of this path: one, or several when processes see different files there. Where a recording names
  // a file that was deleted ("/bin/queryd (deleted)"), such files come first, else last.
  std::vector<HeldBinary> find(const std::string& recorded_path) const;

 private:
  std::vector<HeldBinary> binaries_;
  std::vector<std::unique_ptr<UniqueFd>> files_;
  bool is_limited_ = false;
};

// An executable mapping of a file in /proc/PID/maps.
struct FileMapping {
  std::string range;  // "7f0000000000-7f0000001000"
  std::string file;   // device and inode
  std::string path;   // without " (deleted)"
  bool is_deleted = false;

  bool operator==(const FileMapping&) const = default;
};

std::vector<FileMapping> parse_mappings(std::string_view maps);

}  // namespace pgo
