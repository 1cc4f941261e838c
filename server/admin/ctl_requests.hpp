// Parses the words of `tictactoe-server ctl` into requests.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::app {

/// All actions.
std::vector<std::string> ctl_actions();

/// The request for an action and the words after it, or a sentence if they don't fit. An action
/// that no server carries out, such as `backup`, gives an empty request. Requires a known action.
std::variant<admin::v1::Request, std::string> ctl_request(const std::string& action,
                                                          const std::vector<std::string>& words);

/// Whom to ban: an address or network, in IPv6 not narrower than /64; otherwise the name of a
/// player. The prefix "player:" marks a name that looks like an address. Returns a sentence if the
/// word looks like an address but is none.
std::variant<journal::v1::BanSubject, std::string> ban_subject(const std::string& word);

}  // namespace tictactoe::app
