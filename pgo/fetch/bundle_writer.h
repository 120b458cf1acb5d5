// Writes a bundle: a directory that appears whole or not at all.
//
//   PGO_CHECK(check_bundle_target("queryd.bundle"));     before any work
//   DeferredTermination termination;
//   PGO_TRY(BundleWriter writer, BundleWriter::begin("queryd.bundle"));
//   PGO_CHECK(writer.add_file("profiles/1.pb.gz", blob.path));
//   PGO_CHECK(writer.commit(bundle));
//
// It is put together in a directory beside the target, which it then replaces. Its files are
// ordinary ones, with the permissions that the umask leaves: copies, so editing one does not
// change the cache, and using the cache does not change the times of a bundle. Where the file
// system allows it, a copy shares its blocks with the cache.
#pragma once

#include <string>
#include <string_view>

#include "pgo/base/result.h"
#include "pgo/base/temporary_directory.h"
#include "pgo/source/bundle.h"

namespace pgo {

// A bundle may be replaced that has no other files in it, and an empty directory. Errors: kUsage
// for anything else that is there; kIo for a directory that cannot be read or written to. O(files).
Result<void> check_bundle_target(const std::string& path);

class BundleWriter {
 public:
  // Error: kIo.
  static Result<BundleWriter> begin(const std::string& target);

  // `name` is BundleMember::path. Several threads may add. Error: kIo.
  Result<void> add_file(const std::string& name, const std::string& from);
  Result<void> add_contents(const std::string& name, std::string_view contents);
  // Where the files are until commit().
  std::string directory() const { return staging_.path(); }
  // Writes bundle.json and moves the directory into place. Errors: kIo; kUsage as of
  // check_bundle_target().
  Result<void> commit(const Bundle& bundle);

 private:
  BundleWriter(std::string target, TemporaryDirectory staging)
      : target_(std::move(target)), staging_(std::move(staging)) {}

  std::string target_;
  TemporaryDirectory staging_;
};

// The path of a member: a part of a digest, which makes it unique, and its name in its source, so
// that path templates fit, too. Characters that shells or file systems take for something else
// become '_'. The digest is of the source and the directory there; where a name had to be changed
// or shortened, of the source and the name.
std::string member_path(const std::string& source, const std::string& object);

}  // namespace pgo
