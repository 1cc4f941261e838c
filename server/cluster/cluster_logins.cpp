// Logins in a shared lobby: the player of an account is found by name, on whatever server it is.
#include <utility>

#include "server/cluster/cluster_directory.hpp"

namespace tictactoe::cluster {

namespace {

// Another server may claim the name between a question and a claim. The next question finds it.
constexpr int max_log_ins = 3;

}  // namespace

struct ClusterDirectory::LogIn {
  std::string name;
  std::string token_hash;
  server::Origin from;
  server::Time until;  // wait until then for a server to adopt the player
  Answer<LocatedPlayer> answer;
  int attempt = 1;

  void answer_unknown(server::Time now) const {
    LocatedPlayer player;
    player.is_unknown_now = true;
    answer(std::move(player), now);
  }
};

void ClusterDirectory::log_in(const std::string& name, const std::string& token_hash,
                              server::Origin from, server::Time now, Answer<LocatedPlayer> answer) {
  const LogIn login{name, token_hash, from, now + max_wait, std::move(answer)};
  if (!ask_for_account(login)) login.answer_unknown(now);
}

bool ClusterDirectory::ask_for_account(const LogIn& login) {
  return ask_(login.from, [this, login](records::SharedNames& names) -> Continuation {
    auto found = names.find_named(keyed_name(login.name));
    return [this, login, found = std::move(found)](server::Time then) {
      found_account(login, found, then);
    };
  });
}

// The store compares keys, and only a player's server knows the name. So a player of another server
// is left to that server, even if the name only looks like the account's.
void ClusterDirectory::found_account(const LogIn& login,
                                     const records::Result<records::FoundPlayer>& found,
                                     server::Time now) {
  using Place = records::Whereabouts::Place;
  if (!found) return login.answer_unknown(now);
  if (found->where.place == Place::unknown) {
    if (!claim_account(login, 0)) login.answer_unknown(now);
    return;
  }
  LocatedPlayer player;
  if (found->where.place == Place::elsewhere) {
    player.elsewhere = server_of(found->where.stream);
    if (player.elsewhere) return login.answer(std::move(player), now);
  }
  if (found->where.place == Place::here) {
    player.id = found->id;
    player.adopted = found->arrived;
    const std::string name = player.adopted ? player.adopted->name() : local_->name_of(found->id);
    // Reports a look-alike that was just adopted, so that the next question finds it.
    player.is_unknown_now = player.adopted && name != login.name;
    if (player.adopted || name == login.name) return login.answer(std::move(player), now);
    if (!name.empty()) {
      if (!claim_account(login, found->id)) login.answer_unknown(now);
      return;
    }
  }
  const auto answer_here = [this, login, id = found->id](bool is_over, server::Time then) {
    const bool is_here = local_->name_of(id) == login.name;
    if (!is_here && !is_over) return false;
    LocatedPlayer here;
    here.id = is_here ? id : 0;
    here.is_unknown_now = !is_here;
    login.answer(std::move(here), then);
    return true;
  };
  const auto again = [this, login] { return ask_for_account(login); };
  if (!wait({login.until, now + asked_again_after, answer_here, again})) login.answer_unknown(now);
}

bool ClusterDirectory::claim_account(const LogIn& login, server::PlayerId look_alike) {
  return ask_(login.from, [this, login, look_alike](records::SharedNames& names) -> Continuation {
    auto id = names.claim_account(keyed_name(login.name), login.token_hash, look_alike);
    return [this, login = login, id = std::move(id)](server::Time then) mutable {
      if (id && *id) {
        if (local_->register_player({**id, login.name}, login.token_hash)) {
          LocatedPlayer player;
          player.id = **id;
          return login.answer(std::move(player), then);
        }
        drop_player(**id);
      }
      const bool is_taken = id && !*id;
      if (is_taken && login.attempt++ < max_log_ins && ask_for_account(login)) return;
      login.answer_unknown(then);
    };
  });
}

}  // namespace tictactoe::cluster
