// RunWorkspace: the directory in which one run of `pgo refresh` for a service works, below the
// cache. Runs of one service wait for each other. Nothing in it is needed after a run: what was
// fetched is in the cache, and what was made follows from it. So a run that was killed leaves
// nothing behind but files that the next one removes.
#pragma once

#include <memory>
#include <string>

#include "pgo/base/progress.h"
#include "pgo/base/result.h"
#include "pgo/base/unique_fd.h"

namespace pgo {

class RunWorkspace {
 public:
  // `lock` and `name` say which service: its lock file, and its name there. Error: kIo.
  static Result<std::unique_ptr<RunWorkspace>> take(const std::string& cache,
                                                    const std::string& lock,
                                                    const std::string& name,
                                                    const ProgressFn& progress);

  std::string file(const std::string& name) const { return path_ + "/" + name; }

  RunWorkspace(const RunWorkspace&) = delete;
  RunWorkspace& operator=(const RunWorkspace&) = delete;
  ~RunWorkspace();

 private:
  RunWorkspace(std::string path, std::unique_ptr<UniqueFd> turn)
      : path_(std::move(path)), turn_(std::move(turn)) {}

  std::string path_;
  std::unique_ptr<UniqueFd> turn_;
};

// `to` is a path in the workspace; a file there is replaced. Error: kIo.
Result<void> copy_into_workspace(const std::string& from, const std::string& to);

}  // namespace pgo
