// A key and a self-signed certificate in PEM files.
#pragma once

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

namespace tictactoe::test {

struct TlsFiles {
  /// The certificate ends in `seconds`; it may have ended. Owns the key.
  TlsFiles(const std::filesystem::path& folder, const std::string& name, long seconds,
           EVP_PKEY* key_to_use = EVP_EC_gen("P-256"))
      : certificate((folder / (name + ".crt")).string()),
        key((folder / (name + ".key")).string()),
        secret_(key_to_use, EVP_PKEY_free) {
    const std::unique_ptr<X509, decltype(&X509_free)> made(X509_new(), X509_free);
    X509_gmtime_adj(X509_getm_notBefore(made.get()), -3600);
    X509_gmtime_adj(X509_getm_notAfter(made.get()), seconds);
    X509_set_pubkey(made.get(), secret_.get());
    X509_sign(made.get(), secret_.get(), EVP_sha256());
    write(certificate, [&](std::FILE* file) { PEM_write_X509(file, made.get()); });
    write(key, [&](std::FILE* file) {
      PEM_write_PrivateKey(file, secret_.get(), nullptr, nullptr, 0, nullptr, nullptr);
    });
  }

  /// The same key in another file.
  std::string key_with_passphrase() const {
    const std::string path = key + ".secret";
    std::string passphrase = "secret";
    write(path, [&](std::FILE* file) {
      PEM_write_PrivateKey(file, secret_.get(), EVP_aes_128_cbc(),
                           reinterpret_cast<unsigned char*>(passphrase.data()),
                           static_cast<int>(passphrase.size()), nullptr, nullptr);
    });
    return path;
  }

  std::string certificate;
  std::string key;

 private:
  template <class Write>
  static void write(const std::string& path, Write write) {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    write(file);
    std::fclose(file);
  }

  std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> secret_;
};

}  // namespace tictactoe::test
