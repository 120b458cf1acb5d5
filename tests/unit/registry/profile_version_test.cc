#include "pgo/registry/profile_version.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "pgo/base/time_text.h"

namespace pgo::profile_version_test {
namespace {

const std::string kA = "sha256:" + std::string(64, 'a'), kB = "sha256:" + std::string(64, 'b');

ProfileFile llvm_file() {
  ProfileFile file;
  file.kind = FileKind::kLlvm;
  file.media_type = media_type_of(FileForm::kLlvmProf);
  file.name = "server.prof";
  file.digest = kA;
  file.size = 1000;
  file.of_builds = {"02", "01"};
  file.evidence = Evidence::kBranchRecords;
  file.quality = Quality::kGood;
  file.density = 70.06;
  file.split_half_overlap = 0.98765;
  file.samples = 12345;
  return file;
}

ProfileFile bolt_file() {
  ProfileFile file;
  file.kind = FileKind::kBolt;
  file.media_type = media_type_of(FileForm::kBoltFdata);
  file.name = "server.fdata";
  file.digest = kB;
  file.size = 2000;
  file.configuration = "clang-lto";
  file.bolt_of = "0102";
  file.of_builds = {"03", "04"};
  file.of_libraries = {"04"};
  return file;
}

ProfileVersion small_version() {
  ProfileVersion version;
  version.service = "queryd";
  version.window = TimeWindow{*parse_time("2026-11-19"), *parse_time("2026-11-26")};
  version.sources = {"s3://profiles/queryd"};
  version.files = {llvm_file(), bolt_file()};
  normalize(version);
  return version;
}

TEST(ProfileVersion, IsAnArtifact) {
  const OciManifest manifest = manifest_of(small_version());
  EXPECT_EQ(manifest.artifact_type, "application/vnd.prodpgo.profile.v1");
  EXPECT_EQ(manifest.config, oci_empty_descriptor());
  EXPECT_EQ(manifest.annotations,
            (Labels{{"dev.prodpgo.builds", "01,02,03,04"},
                    {"dev.prodpgo.density", "70.1"},
                    {"dev.prodpgo.evidence", "branch-records"},
                    {"dev.prodpgo.quality", "good"},
                    {"dev.prodpgo.samples", "12345"},
                    {"dev.prodpgo.service", "queryd"},
                    {"dev.prodpgo.sources", "s3://profiles/queryd"},
                    {"dev.prodpgo.split-half-overlap", "0.988"},
                    {"dev.prodpgo.window.from", "2026-11-19T00:00:00Z"},
                    {"dev.prodpgo.window.to", "2026-11-26T00:00:00Z"},
                    {"org.opencontainers.image.created", "2026-11-26T00:00:00Z"}}));
  ASSERT_EQ(manifest.layers.size(), 2u);
  EXPECT_EQ(manifest.layers[1],
            (OciDescriptor{"application/vnd.prodpgo.bolt-fdata.v1",
                           kB,
                           2000,
                           "",
                           {{"dev.prodpgo.bolt-of", "0102"},
                            {"dev.prodpgo.builds", "03,04"},
                            {"dev.prodpgo.configuration", "clang-lto"},
                            {"dev.prodpgo.libraries", "04"},
                            {"org.opencontainers.image.title", "server.fdata"}}}));
  EXPECT_EQ(read_profile_version(manifest, "V").value(), small_version());
}

TEST(ProfileVersion, SaysWhichLibraryABoltProfileIsOf) {
  ProfileVersion version = small_version();
  ProfileFile library = bolt_file();
  library.name = "a.fdata";
  library.library = "libq.so";
  version.files.push_back(library);
  normalize(version);
  EXPECT_EQ(version.files[1].library, "");  // the program's is the first
  OciManifest manifest = manifest_of(version);
  EXPECT_EQ(manifest.layers[2].annotations.at("dev.prodpgo.library"), "libq.so");
  EXPECT_EQ(read_profile_version(manifest, "V").value(), version);
  manifest.layers[2].annotations["dev.prodpgo.library"] = "libq.so.1";
  EXPECT_EQ(read_profile_version(manifest, "V").error().message,
            "V: is a damaged profile: the annotation dev.prodpgo.library of layer 3 (a.fdata) is "
            "not the name of a library");
}

TEST(ProfileVersion, IsTheSameInAnyOrder) {
  ProfileVersion other = small_version();
  std::reverse(other.files.begin(), other.files.end());
  normalize(other);
  EXPECT_EQ(oci_manifest_text(manifest_of(other)), oci_manifest_text(manifest_of(small_version())));
}

TEST(ProfileVersion, HasNoTimeWithoutAWindow) {
  ProfileVersion version;
  version.files = {bolt_file()};
  EXPECT_EQ(manifest_of(version).annotations, (Labels{{"dev.prodpgo.builds", "03,04"}}));
}

TEST(ProfileVersion, KeepsFilesOfLaterVersions) {
  OciManifest manifest = manifest_of(small_version());
  manifest.layers[1].media_type = "application/vnd.prodpgo.future.v1";
  const ProfileVersion version = read_profile_version(manifest, "V").value();
  EXPECT_EQ(version.files[1].kind, FileKind::kOther);
  EXPECT_EQ(version.files[1].media_type, "application/vnd.prodpgo.future.v1");
}

std::string error_of(const OciManifest& manifest) {
  Result<ProfileVersion> version = read_profile_version(manifest, "V");
  EXPECT_FALSE(version);
  return version ? "" : version.error().message;
}

TEST(ProfileVersion, RefusesWhatIsNone) {
  OciManifest image;
  EXPECT_EQ(error_of(image),
            "V: is not a profile: its artifact type is not given, and that of profiles is "
            "application/vnd.prodpgo.profile.v1");
  // A name that leads out of the directory that files are pulled into.
  for (const char* name : {"", ".", "..", "../x", "/x", "a/b", "a\n", "\x7f"}) {
    OciManifest manifest = manifest_of(small_version());
    manifest.layers[0].annotations[kOciTitle] = name;
    EXPECT_EQ(error_of(manifest),
              "V: is a damaged profile: the annotation org.opencontainers.image.title of layer 1 "
              "is not the name of a file");
  }
  OciManifest twice = manifest_of(small_version());
  twice.layers[1].annotations[kOciTitle] = "server.prof";
  EXPECT_EQ(error_of(twice),
            "V: is a damaged profile: layer 2 (server.prof) has the name of another, server.prof");
  OciManifest dense = manifest_of(small_version());
  dense.layers[0].annotations["dev.prodpgo.density"] = "nan";
  EXPECT_EQ(
      error_of(dense),
      "V: is a damaged profile: the annotation dev.prodpgo.density of layer 1 (server.prof) is "
      "not a number from 0 to 1000000000000");
  OciManifest early = manifest_of(small_version());
  early.annotations["dev.prodpgo.window.from"] = "yesterday";
  EXPECT_EQ(error_of(early),
            "V: is a damaged profile: the annotation dev.prodpgo.window.from of the manifest is "
            "not a time such as 2026-11-26T13:00:00Z");
  OciManifest other = manifest_of(small_version());
  other.layers[0].digest = "sha512:ab";
  EXPECT_EQ(error_of(other),
            "V: is a damaged profile: the digest of layer 1 (server.prof) is not sha256");
}

TEST(ProfileVersion, FindsWhatCouldNotBeReadAgain) {
  ProfileVersion version = small_version();
  EXPECT_EQ(unreadable_part(version), std::nullopt);
  version.files[0].density = 2e12;
  EXPECT_EQ(unreadable_part(version),
            "the annotation dev.prodpgo.density of layer 1 (server.prof) is not a number from 0 to "
            "1000000000000");
  version.files[0].density = 1e12;
  EXPECT_EQ(unreadable_part(version), std::nullopt);
  version.files[0].split_half_overlap = 1.2;
  EXPECT_EQ(
      unreadable_part(version),
      "the annotation dev.prodpgo.split-half-overlap of layer 1 (server.prof) is not a number "
      "from 0 to 1");
}

}  // namespace
}  // namespace pgo::profile_version_test
