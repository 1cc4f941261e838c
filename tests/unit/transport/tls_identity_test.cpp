#include "server/transport/tls/identity.hpp"

#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/stat.h>

#include <array>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/support/tls_files.hpp"

namespace tictactoe::test::tls_identity_tests {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

const X509& certificate_of(const transport::TlsIdentity& identity) {
  return *SSL_CTX_get0_certificate(identity.context->native_handle());
}

/// From the first time to the second; null is now.
int days_between(const ASN1_TIME* from, const ASN1_TIME* to) {
  int days = 0;
  int seconds = 0;
  EXPECT_EQ(ASN1_TIME_diff(&days, &seconds, from, to), 1);
  return days;
}

mode_t mode_of(const fs::path& path) {
  struct stat found{};
  EXPECT_EQ(::stat(path.c_str(), &found), 0);
  return found.st_mode & 0777U;
}

TEST(Fingerprint, has_one_text) {
  tls::Fingerprint fingerprint{};
  fingerprint.front() = 255;
  const std::string text = tls::to_text(fingerprint);
  EXPECT_EQ(text, "SHA256:/wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
  EXPECT_EQ(tls::fingerprint_from_text(text), fingerprint);
  for (const std::string& other :
       {std::string(), text + "=", text.substr(1), text.substr(0, 49), "MD5:" + text.substr(7),
        text.substr(0, 49) + "B", text.substr(0, 49) + "!"}) {
    EXPECT_EQ(tls::fingerprint_from_text(other), std::nullopt) << other;
  }
  EXPECT_EQ(tls::fingerprint_from_bytes(tls::to_bytes(fingerprint)), fingerprint);
  EXPECT_EQ(tls::fingerprint_from_bytes("short"), std::nullopt);
}

TEST(OwnIdentity, is_created_once_for_its_owner_alone) {
  const TemporaryFolder folder;
  const auto first = transport::own_tls_identity(folder.path());
  ASSERT_TRUE(first) << first.error();
  EXPECT_EQ(first->warning, "");
  EXPECT_EQ(mode_of(folder / "tls.pem"), 0600U);
  const auto again = transport::own_tls_identity(folder.path());
  ASSERT_TRUE(again) << again.error();
  EXPECT_EQ(again->fingerprint, first->fingerprint);
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(OwnIdentity, is_for_this_machine_and_for_as_long_as_browsers_allow) {
  const TemporaryFolder folder;
  const auto identity = transport::own_tls_identity(folder.path());
  ASSERT_TRUE(identity) << identity.error();
  X509& certificate = const_cast<X509&>(certificate_of(*identity));
  EXPECT_EQ(X509_check_host(&certificate, "localhost", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_ip_asc(&certificate, "127.0.0.1", 0), 1);
  EXPECT_EQ(X509_check_host(&certificate, "example.org", 0, 0, nullptr), 0);
  EXPECT_GT(days_between(nullptr, X509_get0_notAfter(&certificate)), 800);
  EXPECT_LE(days_between(X509_get0_notBefore(&certificate), X509_get0_notAfter(&certificate)), 824);
}

/// Signs the certificate of a server's file again, so that it is valid until then.
void sign_until(const fs::path& path, const char* end) {
  std::FILE* file = std::fopen(path.c_str(), "r");
  ASSERT_NE(file, nullptr);
  EVP_PKEY* const key = PEM_read_PrivateKey(file, nullptr, nullptr, nullptr);
  X509* const certificate = PEM_read_X509(file, nullptr, nullptr, nullptr);
  ASSERT_EQ(ASN1_TIME_set_string(X509_getm_notAfter(certificate), end), 1);
  ASSERT_GT(X509_sign(certificate, key, EVP_sha256()), 0);
  std::fclose(file);
  file = std::fopen(path.c_str(), "w");
  ASSERT_EQ(PEM_write_PKCS8PrivateKey(file, key, nullptr, nullptr, 0, nullptr, nullptr), 1);
  ASSERT_EQ(PEM_write_X509(file, certificate), 1);
  std::fclose(file);
  X509_free(certificate);
  EVP_PKEY_free(key);
}

TEST(OwnIdentity, is_signed_again_with_the_same_key_in_time) {
  const TemporaryFolder folder;
  const auto first = transport::own_tls_identity(folder.path());
  ASSERT_TRUE(first) << first.error();
  const std::string fresh = text_of(folder / "tls.pem");
  ASSERT_TRUE(transport::own_tls_identity(folder.path()));
  EXPECT_EQ(text_of(folder / "tls.pem"), fresh) << "there is time enough";
  const std::time_t soon = std::time(nullptr) + 300 * 24 * 60 * 60;
  std::array<char, 32> in_300_days{};
  std::strftime(in_300_days.data(), in_300_days.size(), "%Y%m%d%H%M%SZ", std::gmtime(&soon));
  // The first versions of this program signed for ever.
  for (const char* end : std::initializer_list<const char*>{"99991231235959Z", "20200101000000Z",
                                                            in_300_days.data()}) {
    sign_until(folder / "tls.pem", end);
    const auto again = transport::own_tls_identity(folder.path());
    ASSERT_TRUE(again) << again.error();
    EXPECT_EQ(again->fingerprint, first->fingerprint);
    EXPECT_EQ(again->warning, "");
    const int days = days_between(nullptr, X509_get0_notAfter(&certificate_of(*again)));
    EXPECT_TRUE(days > 800 && days <= 824) << end << ": " << days;
    EXPECT_EQ(mode_of(folder / "tls.pem"), 0600U);
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 1);
}

TEST(OwnIdentity, of_somebody_else_is_not_signed_again) {
  const TemporaryFolder folder;
  const TlsFiles files(folder.path(), "a", 3600);
  std::ofstream(folder / "tls.pem") << text_of(files.key) << text_of(files.certificate);
  ASSERT_EQ(::chmod((folder / "tls.pem").c_str(), 0600), 0);
  const std::string before = text_of(folder / "tls.pem");
  ASSERT_TRUE(transport::own_tls_identity(folder.path()));
  EXPECT_EQ(text_of(folder / "tls.pem"), before);
}

TEST(OwnIdentity, of_servers_that_start_together_is_one) {
  const TemporaryFolder folder;
  std::vector<std::string> found(8);
  std::vector<std::thread> servers;
  for (std::string& fingerprint : found) {
    servers.emplace_back([&] {
      const auto identity = transport::own_tls_identity(folder.path());
      fingerprint = identity ? tls::to_text(identity->fingerprint) : identity.error();
    });
  }
  for (std::thread& server : servers) server.join();
  for (const std::string& fingerprint : found) EXPECT_EQ(fingerprint, found.front());
}

TEST(OwnIdentity, is_refused_if_others_can_read_it) {
  const TemporaryFolder folder;
  ASSERT_TRUE(transport::own_tls_identity(folder.path()));
  ASSERT_EQ(::chmod((folder / "tls.pem").c_str(), 0640), 0);
  const auto identity = transport::own_tls_identity(folder.path());
  ASSERT_FALSE(identity);
  EXPECT_NE(identity.error().find("others can read it"), std::string::npos) << identity.error();
}

TEST(OwnIdentity, may_be_a_link) {
  const TemporaryFolder folder;
  fs::create_directory(folder / "secrets");
  const auto first = transport::own_tls_identity(folder / "secrets");
  fs::create_symlink("secrets/tls.pem", folder / "tls.pem");
  const auto linked = transport::own_tls_identity(folder.path());
  ASSERT_TRUE(linked) << linked.error();
  EXPECT_EQ(linked->fingerprint, first->fingerprint);
  EXPECT_EQ(transport::fault_of_own_tls_identity(folder.path()), "");
}

TEST(OwnIdentity, behind_a_link_to_nothing_is_not_made_anew) {
  const TemporaryFolder folder;
  fs::create_symlink("not_mounted", folder / "tls.pem");
  const auto identity = transport::own_tls_identity(folder.path());
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error(), "Can't use the key in " + (folder / "tls.pem") +
                                  ": it is a symbolic link to " + (folder / "not_mounted") +
                                  ", which does not exist.");
  EXPECT_FALSE(fs::exists(folder / "not_mounted"));
}

TEST(OwnIdentity, that_is_damaged_is_not_replaced) {
  const TemporaryFolder folder;
  std::ofstream(folder / "tls.pem") << "no key\n";
  ASSERT_EQ(::chmod((folder / "tls.pem").c_str(), 0600), 0);
  const auto identity = transport::own_tls_identity(folder.path());
  ASSERT_FALSE(identity);
  EXPECT_NE(identity.error().find(folder / "tls.pem"), std::string::npos) << identity.error();
  EXPECT_EQ(text_of(folder / "tls.pem"), "no key\n");
}

TEST(OwnIdentity, needs_a_directory) {
  const TemporaryFolder folder;
  const auto identity = transport::own_tls_identity(folder / "none");
  ASSERT_FALSE(identity);
  EXPECT_NE(identity.error().find("No such file"), std::string::npos) << identity.error();
}

TEST(TemporaryIdentity, is_another_each_time) {
  const auto one = transport::temporary_tls_identity();
  const auto other = transport::temporary_tls_identity();
  ASSERT_TRUE(one && other);
  EXPECT_NE(one->fingerprint, other->fingerprint);
}

TEST(Identity, is_read_from_two_files) {
  const TemporaryFolder folder;
  const TlsFiles files(folder.path(), "a", 3600);
  const auto identity = transport::read_tls_identity(files.certificate, files.key);
  ASSERT_TRUE(identity) << identity.error();
  EXPECT_EQ(identity->warning, "");
}

TEST(Identity, that_has_expired_only_warns) {
  const TemporaryFolder folder;
  const TlsFiles files(folder.path(), "a", -60);
  const auto identity = transport::read_tls_identity(files.certificate, files.key);
  ASSERT_TRUE(identity) << identity.error();
  EXPECT_EQ(identity->warning, "The certificate in " + files.certificate + " has expired.");
}

TEST(Identity, needs_the_key_of_its_certificate) {
  const TemporaryFolder folder;
  const TlsFiles files(folder.path(), "a", 3600);
  const TlsFiles others(folder.path(), "b", 3600);
  const auto identity = transport::read_tls_identity(files.certificate, others.key);
  ASSERT_FALSE(identity);
  EXPECT_EQ(identity.error(), "The key in " + others.key +
                                  " does not belong to the certificate in " + files.certificate +
                                  ".");
}

TEST(Identity, names_a_file_that_cannot_be_used) {
  const TemporaryFolder folder;
  const TlsFiles files(folder.path(), "a", 3600);
  const std::string empty = folder / "empty";
  std::ofstream(empty).flush();
  const auto read_with = [&](const std::string& certificate, const std::string& key) {
    const auto identity = transport::read_tls_identity(certificate, key);
    return identity ? std::string() : identity.error();
  };
  EXPECT_EQ(read_with(folder / "none", files.key),
            "Can't use the certificate in " + (folder / "none") + ": No such file or directory.");
  EXPECT_EQ(read_with(empty, files.key),
            "Can't use the certificate in " + empty + ": it has no certificate in PEM.");
  EXPECT_EQ(read_with(files.certificate, empty),
            "Can't use the key in " + empty + ": it has no key in PEM.");
  const std::string directory = folder / "directory";
  fs::create_directory(directory);
  const std::string link = folder / "link";
  fs::create_symlink("none", link);
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), S_IRUSR | S_IWUSR), 0);
  for (const auto& [path, why] :
       {std::pair(directory, std::string("it is a directory.")),
        std::pair(link,
                  "it is a symbolic link to " + (folder / "none") + ", which does not exist."),
        std::pair(pipe, std::string("it is a pipe, but it is read more than once."))}) {
    EXPECT_EQ(read_with(path, files.key), "Can't use the certificate in " + path + ": " + why);
    EXPECT_EQ(read_with(files.certificate, path), "Can't use the key in " + path + ": " + why);
  }
  EXPECT_EQ(read_with(files.certificate, folder / "none"),
            "Can't use the key in " + (folder / "none") + ": No such file or directory.");
  EXPECT_NE(read_with(files.certificate, empty).find("Can't use the key in " + empty),
            std::string::npos);
  const std::string encrypted = files.key_with_passphrase();
  EXPECT_EQ(read_with(files.certificate, encrypted),
            "Can't use the key in " + encrypted +
                ": it is encrypted; remove its passphrase with `openssl pkey -in OLD -out NEW`.");
}

TEST(Handshakes, of_slow_kinds_of_keys_have_a_turn_each) {
  const TemporaryFolder folder;
  const auto at_once = [&](EVP_PKEY* key) {
    const TlsFiles files(folder.path(), "den", 3600, key);
    return transport::handshakes_at_once(
        *transport::read_tls_identity(files.certificate, files.key));
  };
  EXPECT_EQ(at_once(EVP_EC_gen("P-256")), 4u);
  EXPECT_EQ(at_once(EVP_EC_gen("P-384")), 1u);
  EXPECT_EQ(at_once(EVP_RSA_gen(2048)), 1u);
}

}  // namespace
}  // namespace tictactoe::test::tls_identity_tests
