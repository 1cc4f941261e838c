// How `tictactoe-server ctl` prints an answer.
#pragma once

#include <ostream>

#include "tictactoe/admin/v1/admin.pb.h"

namespace tictactoe::app {

/// Prints lines for people. A list has headings on its first page, and an empty one says so.
void print(std::ostream& out, const admin::v1::Response& response, bool is_first_page = true);
/// Prints one line, so that programs can read several pages, or --watch, line by line.
void print_json(std::ostream& out, const admin::v1::Response& response);

}  // namespace tictactoe::app
