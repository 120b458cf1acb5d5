// Signatures of versions: pushed, verified, listed, and required by lock files; on layouts in a
// directory.
#include "pgo/versions/version_signature.h"

#include <gtest/gtest.h>

#include <functional>

#include "pgo/base/sha256.h"
#include "pgo/registry/oci_layout.h"
#include "pgo/versions/lost_parts.h"
#include "pgo/versions/pin.h"
#include "pgo/versions/pull.h"
#include "pgo/versions/push.h"
#include "pgo/versions/version_list.h"
#include "tests/data/forwarding_registry.h"
#include "tests/data/layout_opener.h"
#include "tests/data/temporary_files.h"

namespace pgo::version_signature_test {
namespace {

namespace fs = std::filesystem;
using test::open_layout;

// Made by `minisign -G -W`.
constexpr const char* kSecretText =
    "untrusted comment: minisign encrypted secret key\n"
    "RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+BqVzyZP1h5K6hMnYQo6+"
    "fG5lB0K1cyGmZDhbFilGhcAQbk1J3ugd9eX+sXjI8da2MCH3J7qXGI+Fg5wBvNZPn+"
    "tkC2N5nr3AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=\n";
constexpr const char* kPublicText = "RWT4GpXPJk/WHteX+sXjI8da2MCH3J7qXGI+Fg5wBvNZPn+tkC2N5nr3";
constexpr const char* kId = "1ED64F26CF951AF8";
constexpr const char* kOtherId = "1ED64F26CF951AF9";

minisign::SecretKey secret_key() {
  auto key = minisign::parse_secret_key(kSecretText, "k.key", []() -> Result<std::string> {
    return fail(ErrorKind::kUsage, "asked for a password");
  });
  EXPECT_TRUE(key);
  return std::move(*key);
}
// The same key by another ID.
minisign::SecretKey other_secret_key() {
  minisign::SecretKey key = secret_key();
  key.id[0]++;
  return key;
}
minisign::PublicKey public_key() { return minisign::public_key_of(secret_key()); }
minisign::PublicKey other_public_key() { return minisign::public_key_of(other_secret_key()); }

// A layout that lists tags only, as registries in the network do.
class TagsOnly final : public test::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;

  Result<std::vector<ManifestName>> list_manifests() override {
    PGO_TRY(std::vector<ManifestName> names, ForwardingRegistry::list_manifests());
    std::erase_if(names, [](const ManifestName& one) { return one.tag.empty(); });
    return names;
  }
  bool lists_untagged() const override { return false; }
};

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class VersionSignatureTest : public test::TemporaryFiles {
 protected:
  RegistryReference at(const std::string& tag) const {
    return {RegistryReference::Kind::kLayout, "", path("p"), tag, ""};
  }
  std::unique_ptr<Registry> layout() const {
    return open_layout(at(""), RegistryUse::kPush).value();
  }
  // A version whose profile has these counts.
  PushResult pushed(const std::string& tag, int count, const minisign::SecretKey* signer) {
    const std::string counts = std::to_string(count);
    PushRequest request;
    request.files.files = {write("s.proftext", "main:" + counts + ":10\n 1: " + counts + "\n")};
    request.to = at(tag);
    request.open = open_layout;
    request.signer = signer;
    Result<PushResult> result = push(request);
    EXPECT_TRUE(result) << text_of(result.error());
    return result ? *result : PushResult();
  }
  // A signature that somebody else attached, with this text. Returns its digest.
  std::string attach(const std::string& version, const std::string& text) {
    std::unique_ptr<Registry> registry = layout();
    OciManifest signature;
    signature.artifact_type = kSignatureArtifact;
    signature.config = oci_empty_descriptor();
    signature.layers.push_back({kSignatureLayer, Sha256::digest_of(bytes_of(text)), text.size()});
    signature.subject = OciDescriptor{kOciManifestType, version, 1};
    EXPECT_TRUE(registry->push_blob(signature.layers[0].digest, bytes_of(text)));
    const std::string bytes = oci_manifest_text(signature);
    EXPECT_TRUE(registry->push_manifest(bytes, ""));
    return Sha256::digest_of(bytes_of(bytes));
  }

  template <typename T>
  std::string error_of(const Result<T>& result) {
    EXPECT_FALSE(result);
    return result ? "" : text_of(result.error());
  }
  std::string refusal(const std::string& tag) {
    std::unique_ptr<Registry> registry = layout();
    return error_of(find_signature(*registry, get_manifest(*registry, tag).value(),
                                   {public_key(), "\xFF{verify}"}));
  }
  Result<PinResult> try_pin(const std::string& tag, std::optional<minisign::PublicKey> verify) {
    return pin({"server", at(tag), path("pgo.lock"), verify, open_layout});
  }
  Result<PinResult> try_pin_previous() {
    return pin({"server", std::nullopt, path("pgo.lock"), {}, open_layout});
  }
  Result<PullResult> try_pull(std::optional<minisign::PublicKey> verify = std::nullopt) {
    PullRequest request;
    request.lock = path("pgo.lock");
    if (verify) request.verify = RequiredSignature{*verify, "\xFF{verify}"};
    request.open = open_layout;
    request.cache = path("cache");
    return pull(request);
  }
};

TEST_F(VersionSignatureTest, SignsAgainWithTheSameBytes) {
  const minisign::SecretKey key = secret_key();
  const PushResult unsigned_push = pushed("v1", 100, nullptr);
  EXPECT_EQ(unsigned_push.signed_by, "");
  const PushResult first = pushed("v1", 100, &key);
  EXPECT_EQ(first.digest, unsigned_push.digest);
  EXPECT_FALSE(first.is_new);
  EXPECT_EQ(first.signed_by, kId);
  EXPECT_TRUE(first.is_signature_new);
  EXPECT_FALSE(pushed("v1", 100, &key).is_signature_new);
  EXPECT_EQ(layout()->list_referrers(first.digest).value().size(), 1u);

  const StoredManifest stored = get_manifest(*layout(), "v1").value();
  const std::string text = find_signature(*layout(), stored, {public_key(), "a test"}).value();
  EXPECT_EQ(minisign::verify(public_key(), text, bytes_of(stored.bytes), "s").value(),
            "prodpgo version " + first.digest);
  EXPECT_TRUE(
      text.starts_with("untrusted comment: signature of a version of a profile, by pgo push\n"));
}

TEST_F(VersionSignatureTest, ListsSigners) {
  const minisign::SecretKey key = secret_key(), other = other_secret_key();
  const std::string one = pushed("v1", 100, &key).digest, two = pushed("v2", 200, nullptr).digest;
  pushed("v1", 100, &other);
  attach(one, "no signature");
  std::unique_ptr<Registry> registry = layout();
  VersionList list = list_versions(*registry).value();
  ASSERT_EQ(list.versions.size(), 2u);
  ASSERT_TRUE(add_signers(*registry, list));
  for (const ListedVersion& version : list.versions)
    EXPECT_EQ(version.signers, version.digest == two
                                   ? std::vector<std::string>{}
                                   : (std::vector<std::string>{kId, kOtherId, "damaged"}));
}

TEST_F(VersionSignatureTest, ListsSignersOfRegistriesThatListTags) {
  const minisign::SecretKey key = secret_key();
  pushed("v1", 100, &key);
  TagsOnly registry(layout());
  VersionList list = list_versions(registry).value();
  ASSERT_TRUE(add_signers(registry, list));
  EXPECT_EQ(list.versions.at(0).signers, std::vector<std::string>{kId});
}

// The same, whose lists of referrers are damaged.
class DamagedReferrers final : public test::ForwardingRegistry {
 public:
  using ForwardingRegistry::ForwardingRegistry;

  bool lists_untagged() const override { return false; }
  Result<std::vector<std::string>> list_referrers(const std::string&) override {
    return fail(kind, "a list");
  }

  ErrorKind kind = ErrorKind::kInput;
};

TEST_F(VersionSignatureTest, ListsVersionsWhoseReferrersCannotBeRead) {
  pushed("v1", 100, nullptr);
  DamagedReferrers registry(layout());
  VersionList list = list_versions(registry).value();
  ASSERT_TRUE(add_signers(registry, list));
  EXPECT_EQ(list.versions.at(0).signers, std::vector<std::string>{"damaged"});
  registry.kind = ErrorKind::kIo;
  EXPECT_EQ(error_of(add_signers(registry, list)), "a list; ");
}

// A registry whose list of referrers has one that was deleted.
class WithLostReferrer final : public test::ForwardingRegistry {
 public:
  WithLostReferrer(std::unique_ptr<Registry> to, std::string lost)
      : ForwardingRegistry(std::move(to)), lost_(std::move(lost)) {}
  Result<std::vector<std::string>> list_referrers(const std::string& digest) override {
    PGO_TRY(std::vector<std::string> referrers, ForwardingRegistry::list_referrers(digest));
    referrers.push_back(lost_);
    return referrers;
  }
  bool lists_untagged() const override { return false; }

 private:
  const std::string lost_;
};

TEST_F(VersionSignatureTest, NamesSignaturesThatAreListedButMissing) {
  const minisign::SecretKey key = secret_key();
  const std::string version = pushed("v1", 100, nullptr).digest;
  const std::string lost = "sha256:" + std::string(64, 'a');
  WithLostReferrer registry(layout(), lost);
  const StoredManifest stored = get_manifest(registry, "v1").value();
  EXPECT_EQ(error_of(find_signature(registry, stored, {public_key(), "\xFF{verify}"})),
            "oci-dir:p@" + lost +
                ": is listed as a signature or another referrer, but missing; did the registry "
                "delete it as garbage?; \xFF{verify} requires a signature of " +
                version + " by the key " + kId);
  VersionList list = list_versions(registry).value();
  ASSERT_TRUE(add_signers(registry, list));
  EXPECT_EQ(list.versions.at(0).signers, std::vector<std::string>{"damaged"});
  pushed("v1", 100, &key);
  EXPECT_TRUE(find_signature(registry, stored, {public_key(), "a test"}));
}

TEST_F(VersionSignatureTest, SignsAgainWhereTheSignatureIsDamaged) {
  const minisign::SecretKey key = secret_key();
  const std::string version = pushed("v1", 100, &key).digest;
  const std::string signature = layout()->list_referrers(version).value().at(0);
  write("p/blobs/sha256/" + signature.substr(7), "{}");
  EXPECT_TRUE(pushed("v1", 100, &key).is_signature_new);
  EXPECT_EQ(layout()->list_referrers(version).value(), std::vector<std::string>{signature});
}

TEST_F(VersionSignatureTest, RefusesOtherSignatures) {
  const minisign::SecretKey key = secret_key(), other = other_secret_key();
  const std::string version = pushed("v1", 100, nullptr).digest;
  const std::string advice = "; 'pgo push' with \xFF{sign} signs a version";
  EXPECT_EQ(refusal("v1"),
            "oci-dir:p@" + version +
                ": is not signed, and \xFF{verify} requires a signature by the key " + kId +
                advice);
  pushed("v1", 100, &other);
  EXPECT_EQ(refusal("v1"), "oci-dir:p@" + version + ": is signed by " + kOtherId +
                               ", and \xFF{verify} requires a signature by the key " + kId +
                               advice);
  const std::string required =
      "; \xFF{verify} requires a signature of " + version + " by the key " + kId;
  const std::string wrong = attach(version, minisign::sign(key, bytes_of("{}"), "t", "u"));
  EXPECT_EQ(refusal("v1"), "oci-dir:p@" + wrong + ": is not a signature of this data by the key " +
                               kId + required);
  pushed("v1", 100, &key);
  std::unique_ptr<Registry> registry = layout();
  EXPECT_TRUE(
      find_signature(*registry, get_manifest(*registry, "v1").value(), {public_key(), "a test"}));
}

TEST_F(VersionSignatureTest, RefusesWhatIsNoSignature) {
  const std::string version = pushed("v1", 100, nullptr).digest;
  const std::string required =
      "; \xFF{verify} requires a signature of " + version + " by the key " + kId;
  OciManifest signature;
  signature.artifact_type = kSignatureArtifact;
  signature.config = oci_empty_descriptor();
  signature.subject = OciDescriptor{kOciManifestType, version, 1};
  const std::string bytes = oci_manifest_text(signature);
  ASSERT_TRUE(layout()->push_manifest(bytes, ""));
  EXPECT_EQ(refusal("v1"), "oci-dir:p@" + Sha256::digest_of(bytes_of(bytes)) +
                               ": is a signature without exactly one layer of type "
                               "application/vnd.prodpgo.minisig.v1" +
                               required);
}

TEST_F(VersionSignatureTest, PullsNothingThatIsNotSigned) {
  pushed("v1", 100, nullptr);
  PullRequest request;
  request.from = at("v1");
  request.verify = RequiredSignature{public_key(), "\xFF{verify}"};
  request.open = open_layout;
  request.cache = path("cache");
  request.output = path("out");
  EXPECT_FALSE(pull(request));
  EXPECT_FALSE(fs::exists(path("out")));
  EXPECT_TRUE(fs::is_empty(path("cache/blobs/sha256")));
  const minisign::SecretKey key = secret_key();
  pushed("v1", 100, &key);
  EXPECT_EQ(pull(request).value().verified_keys, std::set<std::string>{kId});
}

TEST_F(VersionSignatureTest, PinsWhatMustBeSigned) {
  const minisign::SecretKey key = secret_key();
  pushed("v1", 100, &key);
  const std::string unsigned_version = pushed("v2", 200, nullptr).digest;
  EXPECT_FALSE(try_pin("v1", other_public_key()));
  EXPECT_FALSE(fs::exists(path("pgo.lock")));
  EXPECT_EQ(try_pin("v1", public_key()).value().entry.signed_by, kPublicText);
  EXPECT_FALSE(try_pin("v1", std::nullopt).value().is_changed);
  EXPECT_EQ(error_of(try_pin("v2", std::nullopt)),
            "oci-dir:p@" + unsigned_version +
                ": is not signed, and pgo.lock requires a signature by the key " + kId +
                "; 'pgo push' with \xFF{sign} signs a version");
}

TEST_F(VersionSignatureTest, VerifiesLockedVersionsWithoutTheRegistry) {
  const minisign::SecretKey key = secret_key();
  const std::string version = pushed("v1", 100, &key).digest;
  ASSERT_TRUE(try_pin("v1", public_key()));
  ASSERT_TRUE(try_pull());
  EXPECT_TRUE(fs::exists(path("cache/pinned/" + version.substr(7))));
  fs::rename(path("p"), path("away"));
  EXPECT_EQ(try_pull().value().verified_keys, std::set<std::string>{kId});
  EXPECT_FALSE(try_pull(other_public_key()));
}

// The lock file names the files, and so it could name others than those that are signed.
TEST_F(VersionSignatureTest, VerifiesTheFilesOfLockFiles) {
  const minisign::SecretKey key = secret_key();
  const std::string version = pushed("v1", 100, &key).digest;
  LockFile lock;
  lock.profiles["server"] = try_pin("v1", public_key()).value().entry;
  const std::string wrong = "sha256:" + std::string(64, 'a');
  lock.profiles["server"].files[0].digest = wrong;
  write("pgo.lock", lock_file_text(lock));
  EXPECT_EQ(error_of(try_pull()), "pgo.lock: s.proftext with " + wrong +
                                      " is not in the version that is signed, oci-dir:p:v1@" +
                                      version + "; pin it again");
  lock.profiles["server"].signed_by = "RWQ";
  write("pgo.lock", lock_file_text(lock));
  EXPECT_EQ(error_of(try_pull()),
            "pgo.lock: server: 'signed_by': is not a minisign public key; minisign -G makes a pair "
            "of keys");
}

TEST_F(VersionSignatureTest, VerifiesWhatLockFilesSayOfFiles) {
  const minisign::SecretKey key = secret_key();
  const std::string version = pushed("v1", 100, &key).digest;
  LockFile lock;
  const LockEntry entry = try_pin("v1", public_key()).value().entry;
  const std::vector<std::function<void(ProfileFile&)>> changes = {
      [](ProfileFile& file) { file.kind = FileKind::kGcc; },
      [](ProfileFile& file) { file.configuration = "clang"; },
      [](ProfileFile& file) { file.library = "libq.so"; },
      [](ProfileFile& file) { file.bolt_of = "0102030405060708"; },
      [](ProfileFile& file) { file.evidence = Evidence::kBranchRecords; },
      [](ProfileFile& file) { file.quality = Quality::kGood; }};
  for (const auto& change : changes) {
    lock.profiles["server"] = entry;
    change(lock.profiles["server"].files[0]);
    write("pgo.lock", lock_file_text(lock));
    EXPECT_EQ(
        error_of(try_pull()),
        "pgo.lock: kind, configuration, library, bolt_of, evidence or quality of s.proftext differ "
        "from those in the signed version, oci-dir:p:v1@" +
            version + "; pin it again");
  }
}

// Another signature of the version does not replace it.
TEST_F(VersionSignatureTest, ALostSignatureIsPushedAgainFromTheCache) {
  const minisign::SecretKey key = secret_key(), other = other_secret_key();
  const std::string version = pushed("v1", 100, &key).digest;
  pushed("v1", 100, &other);
  const PinnedPlace place{try_pin("v1", public_key()).value().entry, path("pgo.lock"), "server",
                          open_layout, path("cache")};
  ASSERT_TRUE(find_lost_parts(place));  // keeps the signature in the cache
  fs::remove_all(path("p"));
  pushed("v1", 100, &other);
  LostParts lost = find_lost_parts(place).value();
  EXPECT_EQ(lost.first, "the signature of the pinned version " + version);
  ASSERT_TRUE(can_push_again(lost, place).value());
  ASSERT_TRUE(push_again(lost, place));
  EXPECT_FALSE(find_lost_parts(place).value().is_any());
  EXPECT_TRUE(find_signature(*layout(), get_manifest(*layout(), version).value(),
                             {public_key(), "a test"}));
  // No other key signs in its place.
  fs::remove_all(path("p"));
  fs::remove_all(path("cache"));
  pushed("v1", 100, &other);
  lost = find_lost_parts(place).value();
  EXPECT_TRUE(lost.is_signature);
  EXPECT_FALSE(can_push_again(lost, place).value());
}

TEST_F(VersionSignatureTest, PinsThePreviousVersionByTheKeyOfItsTime) {
  const minisign::SecretKey key = secret_key(), other = other_secret_key();
  pushed("v1", 100, &key);
  pushed("v2", 200, &other);
  const std::string unsigned_version = pushed("v3", 300, nullptr).digest;
  ASSERT_TRUE(try_pin("v1", public_key()));
  ASSERT_TRUE(try_pin("v2", other_public_key()));
  const LockEntry back = try_pin_previous().value().entry;
  EXPECT_EQ(back.signed_by, kPublicText);
  EXPECT_EQ(back.previous_signed_by, minisign::public_key_text(other_public_key()));
  ASSERT_TRUE(try_pull());
  // The way back is no way around the signature.
  fs::remove(path("pgo.lock"));
  ASSERT_TRUE(try_pin("v3", std::nullopt));
  ASSERT_TRUE(try_pin("v1", public_key()));
  EXPECT_EQ(error_of(try_pin_previous()),
            "oci-dir:p@" + unsigned_version +
                ": is not signed, and pgo.lock requires a signature by the key " + kId +
                "; 'pgo push' with \xFF{sign} signs a version");
}

}  // namespace
}  // namespace pgo::version_signature_test
