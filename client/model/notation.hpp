// Places on the board as people write them, the same as in files of games.
#pragma once

#include "common/record/cell.hpp"

namespace tictactoe::client {

using record::Cell;
using record::cell_name;
using record::column_name;
using record::max_column_letters;
using record::parse_cell_name;
using record::parse_id;
using record::parse_number;

}  // namespace tictactoe::client
