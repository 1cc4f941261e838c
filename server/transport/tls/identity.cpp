#include "server/transport/tls/identity.hpp"

#include <fcntl.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "common/posix/file.hpp"

namespace tictactoe::transport {

namespace asio = boost::asio;

namespace {

template <auto release>
struct Release {
  template <class T>
  void operator()(T* pointer) const {
    release(pointer);
  }
};
using KeyPointer = std::unique_ptr<EVP_PKEY, Release<EVP_PKEY_free>>;
using CertificatePointer = std::unique_ptr<X509, Release<X509_free>>;
using ExtensionPointer = std::unique_ptr<X509_EXTENSION, Release<X509_EXTENSION_free>>;
using BioPointer = std::unique_ptr<BIO, Release<BIO_free_all>>;

constexpr const char* own_name = "tictactoe-server";
// macOS and iOS accept at most 825 days, for certificates of any kind.
constexpr int valid_days = 824;
constexpr int days_before = 1;  // for slow clocks
constexpr int renewed_before_days = 365;

struct KeyAndCertificate {
  KeyPointer key;
  CertificatePointer certificate;
};

std::string system_reason() {
  return std::generic_category().message(errno);
}

// Why OpenSSL failed: its first error is the cause of the others. `wanted`: what it looked for.
std::string tls_reason(const char* wanted = "data") {
  const unsigned long code = ERR_peek_error();
  const int reason_code = ERR_GET_REASON(code);
  if ((ERR_GET_LIB(code) == ERR_LIB_PEM && reason_code == PEM_R_NO_START_LINE) ||
      (ERR_GET_LIB(code) == ERR_LIB_OSSL_DECODER && reason_code == ERR_R_UNSUPPORTED)) {
    return std::string("it has no ") + wanted + " in PEM";
  }
  if (reason_code == ERR_R_INTERRUPTED_OR_CANCELLED) {  // by no_passphrase()
    return "it is encrypted; remove its passphrase with `openssl pkey -in OLD -out NEW`";
  }
  if (ERR_SYSTEM_ERROR(code)) return std::generic_category().message(ERR_GET_REASON(code));
  const char* const reason = ERR_reason_error_string(code);
  return reason == nullptr ? "unknown error" : reason;
}

// Without it OpenSSL would prompt at the terminal.
int no_passphrase(char* /*space*/, int /*size*/, int /*writing*/, void* /*unused*/) {
  return -1;
}

std::shared_ptr<asio::ssl::context> new_context() {
  auto context = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_server);
  SSL_CTX* const native = context->native_handle();
  SSL_CTX_set_min_proto_version(native, TLS1_2_VERSION);
  SSL_CTX_set_cipher_list(native, "ECDHE+AESGCM:ECDHE+CHACHA20");
  SSL_CTX_set_options(native, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_NO_TICKET |
                                  SSL_OP_CIPHER_SERVER_PREFERENCE | SSL_OP_PRIORITIZE_CHACHA);
  SSL_CTX_set_session_cache_mode(native, SSL_SESS_CACHE_OFF);
  SSL_CTX_set_num_tickets(native, 0);
  SSL_CTX_set_mode(native, SSL_MODE_RELEASE_BUFFERS);
  // OpenSSL keeps this much for a peer that does not read. Longer records would only save tags.
  constexpr std::size_t max_record_bytes = std::size_t{4} * 1024;
  SSL_CTX_set_max_send_fragment(native, max_record_bytes);
  SSL_CTX_set_default_passwd_cb(native, no_passphrase);
  return context;
}

// Dates only matter to browsers: clients that know the key ignore them.
std::string warning_about(const X509& certificate, const std::string& shown) {
  if (X509_cmp_current_time(X509_get0_notAfter(&certificate)) < 0) {
    return "The certificate in " + shown + " has expired.";
  }
  if (X509_cmp_current_time(X509_get0_notBefore(&certificate)) > 0) {
    return "The certificate in " + shown + " is not valid yet.";
  }
  return {};
}

// Requires a context with its key and certificate.
TlsIdentityRead identity_of(std::shared_ptr<asio::ssl::context> context, const std::string& shown) {
  const X509* const certificate = SSL_CTX_get0_certificate(context->native_handle());
  const auto fingerprint = tls::fingerprint_of(*certificate);
  if (!fingerprint) return "Can't use the key in " + shown + ": " + tls_reason() + ".";
  return TlsIdentity{std::move(context), *fingerprint, warning_about(*certificate, shown)};
}

// The names by which this machine can always be reached.
std::string alternative_names() {
  std::string names = "DNS:localhost,IP:127.0.0.1,IP:::1";
  std::array<char, 256> host{};
  if (::gethostname(host.data(), host.size() - 1) != 0) return names;
  const std::string_view name = host.data();
  constexpr std::string_view usual =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.";
  const bool is_name = !name.empty() && name.find_first_not_of(usual) == std::string_view::npos;
  return is_name ? names + ",DNS:" + std::string(name) : names;
}

bool add_extension(X509& certificate, int kind, const std::string& value) {
  const ExtensionPointer extension(X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()));
  return extension && X509_add_ext(&certificate, extension.get(), -1) == 1;
}

// Null if OpenSSL has failed.
CertificatePointer self_signed(EVP_PKEY* key) {
  CertificatePointer certificate(X509_new());
  X509* const made = certificate.get();
  if (made == nullptr) return nullptr;
  X509_NAME* const name = X509_get_subject_name(made);
  std::array<unsigned char, 8> serial{};
  BIGNUM* const number = BN_new();
  const bool numbered = number != nullptr && BN_rand(number, 8 * serial.size() - 1, 0, 0) == 1 &&
                        BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made)) != nullptr;
  BN_free(number);
  const bool good =
      numbered && X509_set_version(made, X509_VERSION_3) == 1 &&
      X509_time_adj_ex(X509_getm_notBefore(made), -days_before, 0, nullptr) != nullptr &&
      X509_time_adj_ex(X509_getm_notAfter(made), valid_days - days_before, 0, nullptr) != nullptr &&
      X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                                 reinterpret_cast<const unsigned char*>(own_name), -1, -1,
                                 0) == 1 &&
      X509_set_issuer_name(made, name) == 1 && X509_set_pubkey(made, key) == 1 &&
      add_extension(*made, NID_basic_constraints, "critical,CA:FALSE") &&
      add_extension(*made, NID_ext_key_usage, "serverAuth") &&
      add_extension(*made, NID_subject_alt_name, alternative_names()) &&
      X509_sign(made, key, EVP_sha256()) > 0;
  return good ? std::move(certificate) : nullptr;
}

boost::system::result<KeyAndCertificate, std::string> new_key() {
  ERR_clear_error();
  KeyPointer key(EVP_EC_gen("P-256"));
  CertificatePointer certificate = key ? self_signed(key.get()) : nullptr;
  if (!certificate) return "Can't create a TLS key: " + tls_reason() + ".";
  return KeyAndCertificate{std::move(key), std::move(certificate)};
}

// Both in one file, so that they can't be mixed up. Empty if OpenSSL has failed.
std::string pem_of(const KeyAndCertificate& made) {
  const BioPointer text(BIO_new(BIO_s_mem()));
  if (!text ||
      PEM_write_bio_PKCS8PrivateKey(text.get(), made.key.get(), nullptr, nullptr, 0, nullptr,
                                    nullptr) != 1 ||
      PEM_write_bio_X509(text.get(), made.certificate.get()) != 1) {
    return {};
  }
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(text.get(), &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

enum class Existing { kept, replaced };

constexpr const char* no_permissions =
    "its file system (such as FAT or exFAT) has no permissions, so others could read the key; "
    "mount it with umask=077, or choose another directory with --data-dir";

// Renames a file unless the name exists. FAT and exFAT have no links. Returns whether it exists.
bool name_first(const std::string& temporary, const std::filesystem::path& path) {
  if (::link(temporary.c_str(), path.c_str()) == 0 || errno == EEXIST) return true;
  if (errno != EPERM && errno != ENOTSUP && errno != ENOSYS) return false;
#ifdef RENAME_NOREPLACE
  return ::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0 ||
         errno == EEXIST;
#else
  return false;
#endif
}

// Writes `text` to a file, completely or not at all. Returns why that is impossible.
std::string put(const std::filesystem::path& path, std::string_view text, Existing existing) {
  std::string temporary = path.string() + ".XXXXXX";
  const int file = ::mkostemp(temporary.data(), O_CLOEXEC);  // readable only by its owner
  if (file < 0) return system_reason();
  struct stat made{};
  std::string fault;
  if (::fstat(file, &made) == 0 && (made.st_mode & 077U) != 0) {
    fault = no_permissions;
  } else if (!posix::write_all(file, text) || ::fsync(file) != 0 ||
             !(existing == Existing::replaced ? ::rename(temporary.c_str(), path.c_str()) == 0
                                              : name_first(temporary, path))) {
    fault = system_reason();
  }
  ::close(file);
  ::unlink(temporary.c_str());
  if (!fault.empty()) return fault;
  const std::error_code lost = posix::sync_name(path.string());
  return lost ? lost.message() : std::string();
}

// Nothing if the file has no key and certificate.
std::optional<KeyAndCertificate> read_own(const std::filesystem::path& path) {
  const BioPointer file(BIO_new_file(path.c_str(), "r"));
  if (!file) return std::nullopt;
  KeyPointer key(PEM_read_bio_PrivateKey(file.get(), nullptr, no_passphrase, nullptr));
  CertificatePointer certificate(PEM_read_bio_X509(file.get(), nullptr, no_passphrase, nullptr));
  if (!key || !certificate) return std::nullopt;
  return KeyAndCertificate{std::move(key), std::move(certificate)};
}

// The owner may have put another one there.
bool is_signed_by_us(const X509& certificate) {
  X509_NAME* const subject = X509_get_subject_name(&certificate);
  std::array<char, 64> name{};
  X509_NAME_get_text_by_NID(subject, NID_commonName, name.data(), name.size());
  return X509_NAME_cmp(subject, X509_get_issuer_name(&certificate)) == 0 &&
         std::string_view(name.data()) == own_name;
}

bool is_to_be_renewed(const X509& certificate) {
  const ASN1_TIME* const end = X509_get0_notAfter(&certificate);
  int left = 0;
  int whole = 0;
  int seconds = 0;
  return ASN1_TIME_diff(&left, &seconds, nullptr, end) != 1 ||
         ASN1_TIME_diff(&whole, &seconds, X509_get0_notBefore(&certificate), end) != 1 ||
         left < renewed_before_days || whole > valid_days;
}

// Signs the certificate again if it is time to, with the same key, so that clients that know the
// key notice nothing. Returns why that is impossible.
std::string renew(const std::filesystem::path& path) {
  std::optional<KeyAndCertificate> own = read_own(path);
  if (!own || !is_signed_by_us(*own->certificate) || !is_to_be_renewed(*own->certificate)) {
    return {};
  }
  ERR_clear_error();
  own->certificate = self_signed(own->key.get());
  const std::string text = own->certificate ? pem_of(*own) : std::string();
  return text.empty() ? tls_reason() : put(path, text, Existing::replaced);
}

// Returns why the file can't be used, in a few words; empty if it can.
std::string fault_of_own(const std::filesystem::path& path) {
  struct stat found{};
  if (::stat(path.c_str(), &found) != 0) return system_reason();
  if ((found.st_mode & 077U) != 0) {
    return "others can read it and may have copied the key; remove it to get a new key, or "
           "restrict it with chmod 600";
  }
  return {};
}

// The file with the server's own key. The name in the directory may be a link, as container
// managers mount secrets.
struct OwnFile {
  explicit OwnFile(const std::filesystem::path& folder)
      : name(folder / tls_file_name), path(posix::target_of(name.string())) {}
  // Whether there is a file or a link. A link to nothing may be a secret that is not mounted.
  bool is_named() const {
    std::error_code ignored;  // then reading it fails
    return std::filesystem::exists(std::filesystem::symlink_status(name, ignored));
  }
  // Returns why it can't be used, in a few words; empty if it can.
  std::string fault() const {
    if (std::string what = posix::why_not_regular(name.string()); !what.empty()) return what;
    const std::string why = fault_of_own(path);
    return why.empty() || path == name ? why : why + "; it is a symbolic link to " + path.string();
  }

  std::filesystem::path name;
  std::filesystem::path path;
};

}  // namespace

std::size_t handshakes_at_once(const TlsIdentity& identity) {
  constexpr std::size_t of_quick_kinds = 4;
  const EVP_PKEY* key = SSL_CTX_get0_privatekey(identity.context->native_handle());
  const bool is_p256 = EVP_PKEY_is_a(key, "EC") == 1 && EVP_PKEY_get_bits(key) <= 256;
  return is_p256 || EVP_PKEY_is_a(key, "ED25519") == 1 ? of_quick_kinds : 1;
}

TlsIdentityRead read_tls_identity(const std::filesystem::path& certificate,
                                  const std::filesystem::path& key) {
  const auto unusable = [](const char* what, const std::filesystem::path& file,
                           const std::string& why) {
    return std::string("Can't use the ") + what + " in " + file.string() + ": " + why + ".";
  };
  if (const auto why = posix::why_not_regular(certificate.string()); !why.empty()) {
    return unusable("certificate", certificate, why);
  }
  if (const auto why = posix::why_not_regular(key.string()); !why.empty()) {
    return unusable("key", key, why);
  }
  auto context = new_context();
  SSL_CTX* const native = context->native_handle();
  ERR_clear_error();
  if (SSL_CTX_use_certificate_chain_file(native, certificate.c_str()) != 1) {
    return unusable("certificate", certificate, tls_reason("certificate"));
  }
  ERR_clear_error();
  if (SSL_CTX_use_PrivateKey_file(native, key.c_str(), SSL_FILETYPE_PEM) != 1) {
    if (ERR_GET_REASON(ERR_peek_last_error()) == X509_R_KEY_VALUES_MISMATCH) {
      return "The key in " + key.string() + " does not belong to the certificate in " +
             certificate.string() + ".";
    }
    return unusable("key", key, tls_reason("key"));
  }
  return identity_of(std::move(context), certificate.string());
}

std::string fault_of_own_tls_identity(const std::filesystem::path& folder) {
  const OwnFile own(folder);
  if (!own.is_named()) return {};
  const std::string fault = own.fault();
  if (!fault.empty() || read_own(own.path)) return fault;
  return "it does not hold a key and a certificate in PEM";
}

TlsIdentityRead own_tls_identity(const std::filesystem::path& folder) {
  const OwnFile own(folder);
  const std::filesystem::path& path = own.path;
  const std::string shown = path.string();
  if (!own.is_named()) {
    const auto made = new_key();
    if (!made) return made.error();
    const std::string text = pem_of(*made);
    if (text.empty()) return "Can't write " + shown + ": " + tls_reason() + ".";
    const std::string fault = put(path, text, Existing::kept);
    if (!fault.empty()) return "Can't write " + shown + ": " + fault + ".";
  }
  const std::string fault = own.fault();
  if (!fault.empty()) return "Can't use the key in " + own.name.string() + ": " + fault + ".";
  const std::string not_renewed = renew(path);
  TlsIdentityRead identity = read_tls_identity(path, path);
  if (identity && !not_renewed.empty()) {
    identity->warning = "Can't renew the certificate in " + shown + ": " + not_renewed + ".";
  }
  return identity;
}

TlsIdentityRead temporary_tls_identity() {
  const auto made = new_key();
  if (!made) return made.error();
  auto context = new_context();
  SSL_CTX* const native = context->native_handle();
  if (SSL_CTX_use_certificate(native, made->certificate.get()) != 1 ||
      SSL_CTX_use_PrivateKey(native, made->key.get()) != 1) {
    return "Can't use a new TLS key: " + tls_reason() + ".";
  }
  return identity_of(std::move(context), "memory");
}

}  // namespace tictactoe::transport
