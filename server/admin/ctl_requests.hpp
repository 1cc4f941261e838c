// What the words of `tictactoe-server ctl` ask for.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::app {

/// All actions.
std::vector<std::string> ctl_actions();

/// The request of an action with these words after it. One that no server carries out, as `backup`,
/// gives an empty request. A sentence if they do not fit. Requires one of the actions.
std::variant<admin::v1::Request, std::string> ctl_request(const std::string& action,
                                                          const std::vector<std::string>& words);

/// Whom to ban. An address or network, in IPv6 not narrower than /64; else the name of a player.
/// "player:" before a name that looks like an address says that it is one. A sentence if the word
/// looks like an address and is none.
std::variant<journal::v1::BanSubject, std::string> ban_subject(const std::string& word);

}  // namespace tictactoe::app
