// InputBytes: a file that is read, its contents, and which format they are. What is compressed is
// inflated once, whoever asks.
//
//   PGO_TRY(InputBytes input, InputBytes::open("hosts/a.pb.gz"));
//   if (input.format() == Format::kPprof) parse_pprof(input.contents(), input.path(), ...);
//   else return input.unknown();
#pragma once

#include <optional>
#include <string>

#include "converters/format.h"
#include "pgo/base/inflate.h"
#include "pgo/base/mapped_file.h"
#include "pgo/base/result.h"

namespace pgo {

class InputBytes {
 public:
  // "-" is standard input. Errors: kIo for what cannot be opened. Contents that cannot be inflated
  // are an error of who needs them: damage().
  static Result<InputBytes> open(const std::string& path) { return open(path, path); }
  // The same for a file that messages call `name`.
  static Result<InputBytes> open(const std::string& path, const std::string& name);

  // As messages call it.
  const std::string& path() const { return name_; }
  // As stored.
  Bytes file() const { return file_.bytes(); }
  // Inflated, if need be (an address profile, which is compressed by its own format, is not); empty
  // when damaged, and no more than kKindBytes of compressed contents that are not read.
  Bytes contents() const { return inflated_.bytes(); }
  Compression compression() const { return compression_; }
  // Why the contents cannot be inflated.
  const std::optional<Error>& damage() const { return damage_; }
  // Nothing when it is not recognized, or compressed and of a format that is not read so.
  std::optional<Format> format() const { return format_; }

  // "PATH: is a perf.data recording" and `wanted`, which says what is needed instead (", and ...").
  // For an unknown format, what unknown() says.
  std::string describe(const std::string& wanted) const;
  // Of a file without a format. Errors: kInput when it is empty or damaged, else kUnsupported.
  Failure unknown() const;

 private:
  InputBytes(MappedFile file, std::string name);

  MappedFile file_;
  std::string name_;
  InflatedBytes inflated_;
  Compression compression_ = Compression::kNone;
  std::optional<Error> damage_;
  std::optional<Format> format_, inner_format_;  // inner: of compressed contents
};

}  // namespace pgo
