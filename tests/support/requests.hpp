// Makes requests.
#pragma once

#include <string>

#include "common/rules/types.hpp"
#include "tictactoe/v1/client.pb.h"

namespace tictactoe::test {

inline v1::ClientMessage create_request(const std::string& name, const std::string& password = {}) {
  v1::ClientMessage message;
  message.mutable_create_room()->set_name(name);
  message.mutable_create_room()->set_password(password);
  return message;
}

inline v1::ClientMessage create_request(const std::string& name, rules::Rules rules) {
  v1::ClientMessage message = create_request(name);
  v1::Rules& wanted = *message.mutable_create_room()->mutable_rules();
  wanted.set_rows(static_cast<std::uint32_t>(rules.rows));
  wanted.set_cols(static_cast<std::uint32_t>(rules.cols));
  wanted.set_k(static_cast<std::uint32_t>(rules.k));
  wanted.set_exact(!rules.overline_wins);
  return message;
}

/// A room in which two people get hints, too.
inline v1::ClientMessage with_hints(v1::ClientMessage create) {
  create.mutable_create_room()->mutable_options()->set_hints(true);
  return create;
}

inline v1::ClientMessage join_request(const std::string& name, v1::Mark seat = v1::MARK_NONE,
                                      const std::string& password = {}) {
  v1::ClientMessage message;
  message.mutable_join_room()->set_name(name);
  message.mutable_join_room()->set_seat(seat);
  message.mutable_join_room()->set_password(password);
  return message;
}

inline v1::ClientMessage watch_request(const std::string& name, const std::string& password = {}) {
  v1::ClientMessage message;
  message.mutable_watch_room()->set_name(name);
  message.mutable_watch_room()->set_password(password);
  return message;
}

inline v1::ClientMessage move_request(std::uint32_t row, std::uint32_t col) {
  v1::ClientMessage message;
  message.mutable_move()->mutable_cell()->set_row(row);
  message.mutable_move()->mutable_cell()->set_col(col);
  return message;
}

inline v1::ClientMessage add_ai_request(v1::Mark seat, const std::string& level = {}) {
  v1::ClientMessage message;
  message.mutable_add_ai()->set_seat(seat);
  message.mutable_add_ai()->set_level(level);
  return message;
}

inline v1::ClientMessage remove_ai_request(v1::Mark seat) {
  v1::ClientMessage message;
  message.mutable_remove_ai()->set_seat(seat);
  return message;
}

inline v1::ClientMessage chat_request(const std::string& text) {
  v1::ClientMessage message;
  message.mutable_chat()->set_text(text);
  return message;
}

inline v1::ClientMessage list_request(const std::string& after = {}, bool open_only = false) {
  v1::ClientMessage message;
  message.mutable_list_rooms()->set_after(after);
  message.mutable_list_rooms()->set_open_only(open_only);
  return message;
}

inline v1::ClientMessage players_request(const std::string& after = {}) {
  v1::ClientMessage message;
  message.mutable_list_players()->set_after(after);
  return message;
}

inline v1::ClientMessage lobby_chat_request(const std::string& text) {
  v1::ClientMessage message;
  message.mutable_say_in_lobby()->set_text(text);
  return message;
}

inline v1::ClientMessage watch_lobby_request(bool stop = false) {
  v1::ClientMessage message;
  message.mutable_watch_lobby()->set_stop(stop);
  return message;
}

inline v1::ClientMessage hello_request(const std::string& name) {
  v1::ClientMessage message;
  message.mutable_hello()->add_protocol_versions(1);
  message.mutable_hello()->set_name(name);
  return message;
}

/// The request without anything in it that `Mutable` chooses.
template <auto Mutable>
v1::ClientMessage bare_request() {
  v1::ClientMessage message;
  (message.*Mutable)();
  return message;
}
inline constexpr auto ping_request = bare_request<&v1::ClientMessage::mutable_ping>;
inline constexpr auto play_request = bare_request<&v1::ClientMessage::mutable_play>;
inline constexpr auto leave_request = bare_request<&v1::ClientMessage::mutable_leave_room>;
inline constexpr auto rematch_request = bare_request<&v1::ClientMessage::mutable_rematch>;
inline constexpr auto hint_request = bare_request<&v1::ClientMessage::mutable_hint>;
inline constexpr auto resign_request = bare_request<&v1::ClientMessage::mutable_resign>;
inline constexpr auto draw_request = bare_request<&v1::ClientMessage::mutable_offer_draw>;
inline constexpr auto takeback_request = bare_request<&v1::ClientMessage::mutable_ask_takeback>;
inline constexpr auto decline_request = bare_request<&v1::ClientMessage::mutable_decline>;
inline constexpr auto goodbye_request = bare_request<&v1::ClientMessage::mutable_goodbye>;
inline constexpr auto snapshot_request = bare_request<&v1::ClientMessage::mutable_get_snapshot>;

}  // namespace tictactoe::test
