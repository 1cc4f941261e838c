// Why a journal can't be used.
#pragma once

#include <boost/system/result.hpp>
#include <cstdint>
#include <string>

namespace tictactoe::records {

struct Fault {
  enum class Kind : std::uint8_t {
    unusable,       // can't be opened, read or written: the owner of the machine has to act
    in_use,         // by another server
    other_version,  // of the tables: another version or another program has written it
    damaged,        // no database, or its content has changed on the disk
    sync_failed,    // the system could not write accepted data to the disk. It reports this only
                    // once, so a retry proves nothing. Final
  };
  Kind kind = Kind::unusable;
  std::string reason;  // for people: what is wrong, in one line
};

template <class Value>
using Result = boost::system::result<Value, Fault>;

}  // namespace tictactoe::records
