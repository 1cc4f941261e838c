#include "client/screen/start_screen.hpp"

#include <algorithm>

namespace tictactoe::screen {

using Name = Key::Name;

void StartScreen::offer(std::vector<ServerEntry> servers, bool looking) {
  const bool typing = selected_ >= servers_.size() && !servers_.empty();
  const std::string chosen = selected_ < servers_.size() ? servers_[selected_].address : "";
  servers_ = std::move(servers);
  looks_ = looking;
  selected_ = typing || (!address_.empty() && chosen.empty()) ? servers_.size() : 0;
  const auto again = std::ranges::find(servers_, chosen, &ServerEntry::address);
  if (!chosen.empty() && again != servers_.end()) {
    selected_ = static_cast<std::size_t>(again - servers_.begin());
  }
}

void StartScreen::choose_the_only_one() {
  if (std::ranges::count(servers_, true, &ServerEntry::found) != 1 || touched_ || choice_) return;
  choice_ = servers_.front().address;
  was_only_one_ = true;
}

void StartScreen::select_again(const std::string& address) {
  const auto chosen = std::ranges::find(servers_, address, &ServerEntry::address);
  const bool stays = chosen != servers_.end() || !address_.empty();
  selected_ = stays ? static_cast<std::size_t>(chosen - servers_.begin()) : 0;
}

void StartScreen::press(const Key& key) {
  const bool typing = selected_ >= servers_.size();
  if (key.name == Name::enter) {
    const std::string address = typing ? address_.text() : servers_[selected_].address;
    if (!address.empty()) choice_ = address;
    return;
  }
  if (key.name == Name::tab) {
    selected_ = typing ? 0 : selected_ + 1;
    return;
  }
  const bool in_line = typing && (key.name == Name::home || key.name == Name::end);
  if (key.name != Name::letter && !in_line && move_selection(selected_, key, servers_.size() + 1)) {
    return;
  }
  selected_ = servers_.size();
  address_.press(key);
}

void StartScreen::paste(std::string_view text) {
  address_.paste(text);
  selected_ = servers_.size();
}

}  // namespace tictactoe::screen
