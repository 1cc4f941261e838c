#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/thread-watch.h>
#include <spdlog/spdlog.h>

#include <utility>

#include "common/wire/text.hpp"
#include "server/net/announcement.hpp"

namespace tictactoe::net {
namespace {

// A label of DNS has 63 bytes.
constexpr std::size_t longest_name = 63;

std::string label(const std::string& name) {
  std::size_t code_points = name.size();
  std::string_view start = name;
  while (start.size() > longest_name) start = wire::first_code_points(name, --code_points);
  return std::string(start);
}

// All callbacks come in the poll's thread, which the destructor ends first.
class AvahiAnnouncement final : public Announcement {
 public:
  AvahiAnnouncement(const std::string& name, std::uint16_t port)
      : name_(label(name)), port_(port), poll_(avahi_threaded_poll_new()) {
    if (poll_ != nullptr) connect();
    if (client_ != nullptr) avahi_threaded_poll_start(poll_);
  }

  ~AvahiAnnouncement() override {
    if (poll_ == nullptr) return;
    avahi_threaded_poll_stop(poll_);
    if (client_ != nullptr) avahi_client_free(client_);  // with its group
    avahi_threaded_poll_free(poll_);
  }

 private:
  static void warn(const char* why) {
    spdlog::warn("Avahi does not announce this server: {}", why);
  }

  void connect() {
    int error = 0;
    // on_client() is called within this call already, and stores the pointer.
    AvahiClient* const client = avahi_client_new(avahi_threaded_poll_get(poll_),
                                                 AVAHI_CLIENT_NO_FAIL, on_client, this, &error);
    if (client == nullptr) warn(avahi_strerror(error));
    client_ = client;
  }

  static void on_client(AvahiClient* client, AvahiClientState state, void* self) {
    static_cast<AvahiAnnouncement*>(self)->client_changed(client, state);
  }
  static void on_group(AvahiEntryGroup* group, AvahiEntryGroupState state, void* self) {
    static_cast<AvahiAnnouncement*>(self)->group_changed(group, state);
  }

  void client_changed(AvahiClient* client, AvahiClientState state) {
    client_ = client;
    if (state == AVAHI_CLIENT_S_RUNNING) {
      group_ = avahi_entry_group_new(client, on_group, this);
      if (group_ == nullptr) return warn(avahi_strerror(avahi_client_errno(client)));
      return commit();
    }
    if (state != AVAHI_CLIENT_FAILURE) {
      if (group_ != nullptr) avahi_entry_group_free(std::exchange(group_, nullptr));
      return;
    }
    group_ = nullptr;
    if (avahi_client_errno(client) != AVAHI_ERR_DISCONNECTED) {
      return warn(avahi_strerror(avahi_client_errno(client)));
    }
    // The daemon has ended; another may start.
    avahi_client_free(client);
    client_ = nullptr;
    connect();
  }

  void group_changed(AvahiEntryGroup* group, AvahiEntryGroupState state) {
    group_ = group;
    if (state == AVAHI_ENTRY_GROUP_COLLISION) return choose_another_name();
    if (state == AVAHI_ENTRY_GROUP_ESTABLISHED) spdlog::info("Avahi announces \"{}\"", name_);
    if (state == AVAHI_ENTRY_GROUP_FAILURE) {
      warn(avahi_strerror(avahi_client_errno(avahi_entry_group_get_client(group))));
    }
  }

  void choose_another_name() {
    char* const other = avahi_alternative_service_name(name_.c_str());
    name_ = other;
    avahi_free(other);
    avahi_entry_group_reset(group_);
    commit();
  }

  void commit() {
    int error = avahi_entry_group_add_service(group_, AVAHI_IF_UNSPEC, AVAHI_PROTO_UNSPEC, {},
                                              name_.c_str(), "_tictactoe._tcp", nullptr, nullptr,
                                              port_, "protocol=1", nullptr);
    if (error == AVAHI_ERR_COLLISION) return choose_another_name();
    if (error == 0) error = avahi_entry_group_commit(group_);
    if (error != 0) warn(avahi_strerror(error));
  }

  std::string name_;
  std::uint16_t port_;
  AvahiThreadedPoll* poll_;
  AvahiClient* client_ = nullptr;
  AvahiEntryGroup* group_ = nullptr;
};

}  // namespace

std::unique_ptr<Announcement> announce(const std::string& name, std::uint16_t port) {
  return std::make_unique<AvahiAnnouncement>(name, port);
}

}  // namespace tictactoe::net
