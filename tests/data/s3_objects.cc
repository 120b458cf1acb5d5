// A store of S3 as pgo reaches it, for end-to-end tests: by the environment, as pgo itself.
//
//   s3_objects list URL                names, sizes and versions, one object a line
//   s3_objects get URL DIRECTORY       writes each object below DIRECTORY; on standard output what
//                                      went wrong
//   s3_objects put URL KEY FILE [PART_SIZE]
//   s3_objects put_new URL KEY FILE [PART_SIZE]    only if there is none; prints "new" or "taken"
//
// An error is "ERROR: message; advice" on standard error, and exit status 1.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>

#include "pgo/base/mapped_file.h"
#include "pgo/stores/s3/s3_source.h"
#include "pgo/stores/s3/s3_writer.h"

namespace pgo::test {
namespace {

std::string variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value ? value : "";
}

net::HttpOptions http_options() {
  net::HttpOptions options;
  options.first_pause = .05;
  return options;
}

std::string text_of(const Error& error) {
  return error.message + (error.advice.empty() ? "" : "; " + error.advice);
}

// Writes what arrives to files, each open only while its object is on its way.
class FileSink : public ObjectSink {
 public:
  FileSink(std::span<const SourceObject> objects, std::filesystem::path directory)
      : objects_(objects), directory_(std::move(directory)) {}

  Result<void> begin(size_t object) override {
    const std::filesystem::path path = directory_ / objects_[object].name;
    std::filesystem::create_directories(path.parent_path());
    files_[object] = std::ofstream(path, std::ios::binary);
    return files_[object] ? ok() : fail(ErrorKind::kIo, "cannot write " + path.string());
  }
  Result<void> append(size_t object, Bytes bytes) override {
    files_[object] << as_text(bytes);
    return ok();
  }
  void end(size_t object, Result<void> outcome) override {
    files_.erase(object);
    if (outcome) return;
    std::cout << text_of(outcome.error()) << "\n";
    all_arrived = false;
  }

  bool all_arrived = true;

 private:
  std::span<const SourceObject> objects_;
  std::filesystem::path directory_;
  std::map<size_t, std::ofstream> files_;
};

Result<void> list_or_get(const std::vector<std::string>& arguments) {
  PGO_TRY(std::unique_ptr<Source> source,
          s3::open_s3_source(arguments[1], variable, http_options()));
  Diagnostics diagnostics;
  PGO_TRY(const std::vector<SourceObject> objects, source->list({}, diagnostics));
  if (arguments[0] == "list") {
    for (const SourceObject& object : objects)
      std::cout << object.name << " " << object.size.value_or(0) << " " << object.version << "\n";
    return ok();
  }
  FileSink sink(objects, arguments[2]);
  source->fetch(objects, sink);
  if (!sink.all_arrived) return fail(ErrorKind::kIo, "not all objects arrived");
  return ok();
}

Result<void> put(const std::vector<std::string>& arguments) {
  PGO_TRY(s3::S3Address address, s3::parse_s3_url(arguments[1]));
  PGO_TRY(s3::S3Bucket bucket, s3::S3Bucket::open(std::move(address), variable, http_options()));
  PGO_TRY(const MappedFile file, MappedFile::open(arguments[3]));
  s3::S3WriterOptions options;
  if (arguments.size() > 4) options.part_size = std::stoull(arguments[4]);
  s3::S3Writer writer(bucket, options);
  const std::string type = "application/octet-stream";
  if (arguments[0] == "put") return writer.put(arguments[2], file.bytes(), type);
  PGO_TRY(const bool is_new, writer.put_new(arguments[2], file.bytes(), type));
  std::cout << (is_new ? "new\n" : "taken\n");
  return ok();
}

}  // namespace
}  // namespace pgo::test

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  const size_t count = arguments.size();
  const std::string command = count == 0 ? "" : arguments[0];
  const bool is_usage = (command == "list" && count == 2) || (command == "get" && count == 3) ||
                        (command.starts_with("put") && (count == 4 || count == 5));
  if (!is_usage) {
    std::cerr << "usage: s3_objects list URL | get URL DIRECTORY | put[_new] URL KEY FILE "
                 "[PART_SIZE]\n";
    return 2;
  }
  const pgo::Result<void> outcome =
      command.starts_with("put") ? pgo::test::put(arguments) : pgo::test::list_or_get(arguments);
  if (outcome) return 0;
  std::cerr << "ERROR: " << pgo::test::text_of(outcome.error()) << "\n";
  return 1;
}
