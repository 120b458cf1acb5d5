#include "tests/data/tls_identity.h"

#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdio>
#include <cstdlib>

namespace pgo::test {
namespace {

void add_extension(X509* certificate, X509* issuer, int kind, const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  if (!extension || X509_add_ext(certificate, extension, -1) != 1) std::abort();
  X509_EXTENSION_free(extension);
}

// Without an issuer: of an authority, which signs itself.
X509* make_certificate(EVP_PKEY* key, const char* name, X509* issuer, EVP_PKEY* issuer_key) {
  X509* certificate = X509_new();
  X509_set_version(certificate, X509_VERSION_3);
  ASN1_INTEGER_set(X509_get_serialNumber(certificate), issuer ? 2 : 1);
  X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
  X509_set_pubkey(certificate, key);
  X509_NAME_add_entry_by_txt(X509_get_subject_name(certificate), "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  X509_set_issuer_name(certificate, X509_get_subject_name(issuer ? issuer : certificate));
  add_extension(certificate, issuer ? issuer : certificate, NID_basic_constraints,
                issuer ? "CA:FALSE" : "critical,CA:TRUE");
  if (issuer) add_extension(certificate, issuer, NID_subject_alt_name, "IP:127.0.0.1");
  if (X509_sign(certificate, issuer_key ? issuer_key : key, EVP_sha256()) == 0) std::abort();
  return certificate;
}

std::string write_pem(const std::string& path, X509* certificate, EVP_PKEY* key) {
  FILE* file = std::fopen(path.c_str(), "w");
  if (!file) std::abort();
  if (certificate) PEM_write_X509(file, certificate);
  if (key) PEM_write_PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr);
  std::fclose(file);
  return path;
}

}  // namespace

TlsFiles make_tls_files(const std::string& directory) {
  EVP_PKEY* authority_key = EVP_EC_gen("P-256");
  X509* authority = make_certificate(authority_key, "Authority of a test", nullptr, nullptr);
  TlsFiles files;
  files.authority = write_pem(directory + "/authority.pem", authority, nullptr);
  for (ServerIdentity* identity : {&files.server, &files.client}) {
    const std::string name = identity == &files.server ? "server" : "client";
    EVP_PKEY* key = EVP_EC_gen("P-256");
    X509* certificate = make_certificate(key, name.c_str(), authority, authority_key);
    identity->certificate = write_pem(directory + "/" + name + ".pem", certificate, nullptr);
    identity->key = write_pem(directory + "/" + name + ".key", nullptr, key);
    X509_free(certificate);
    EVP_PKEY_free(key);
  }
  X509_free(authority);
  EVP_PKEY_free(authority_key);
  return files;
}

}  // namespace pgo::test
