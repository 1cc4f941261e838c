// How `tictactoe-server ctl` prints an answer.
#pragma once

#include <ostream>

#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::app {

/// Prints lines for people.
void print(std::ostream& out, const admin::v1::Response& response);
/// Prints one line, so that programs can read several pages, or --watch, line by line.
void print_json(std::ostream& out, const admin::v1::Response& response);

}  // namespace tictactoe::app
