// What a file is, by its contents and never its name. Of what is not known, the error says what was
// found: that it is compressed, what it begins with, or whose it is.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/cli/description.h"

namespace pgo {

struct FileKind {
  const char* name;  // "recording"
  bool (*is)(Bytes bytes);
  Result<Description> (*describe)(Bytes bytes, const std::string& path,
                                  const DescribeOptions& options);
};

// Null when it is none of those that are known, compressed recordings among them.
const FileKind* find_file_kind(Bytes bytes);

// Of a file without a kind. Errors: kInput when it is empty or damaged, else kUnsupported.
Failure unknown_file(Bytes bytes, const std::string& path);

}  // namespace pgo
