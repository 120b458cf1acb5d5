// What a file is, by its contents and never its name. Of what is not known, the error says what was
// found: that it is compressed, what it begins with, or whose it is.
#pragma once

#include <string>

#include "pgo/base/bytes.h"
#include "pgo/base/result.h"
#include "pgo/cli/description.h"
#include "pgo/elf/elf_image.h"

namespace pgo {

struct FileKind {
  const char* name;          // "recording"
  const char* with_article;  // "a recording"
  bool (*is)(Bytes bytes);
  Result<Description> (*describe)(Bytes bytes, const std::string& path,
                                  const DescribeOptions& options);
};

// Null when it is none of those that are known, compressed recordings among them.
const FileKind* find_file_kind(Bytes bytes);

// Does pgo convert take files of this kind? Of profiles of stacks not the folded ones, which have
// neither addresses nor lines.
bool is_convertible(Bytes bytes, const FileKind* kind);

// "PATH: is a recording" and `after`; of a file without a kind what unknown_file() says.
std::string tell_file(Bytes bytes, const std::string& path, const std::string& after);

// Why pgo convert and pgo bolt do not take a file, and what to do.
std::string tell_inconvertible_file(Bytes bytes, const std::string& path);

// Where a program or a library is needed. Of another file the error says what it is: arguments were
// swapped, perhaps.
Result<ElfImage> open_elf(const std::string& path);

// Of a file without a kind. Errors: kInput when it is empty or damaged, else kUnsupported.
Failure unknown_file(Bytes bytes, const std::string& path);

}  // namespace pgo
