#include "server/records/postgres/connection.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <vector>

#include "common/text/hex.hpp"

namespace tictactoe::records {

namespace {

// A message of libpq in one line, without its hints, which are indented.
std::string one_line(std::string_view message) {
  std::string line;
  while (!message.empty()) {
    const std::size_t end = std::min(message.find('\n'), message.size());
    std::string_view part = message.substr(0, end);
    message.remove_prefix(std::min(end + 1, message.size()));
    if (part.empty() || part.front() == '\t') continue;
    if (part.back() == '.') part.remove_suffix(1);
    line.append(line.empty() ? "" : "; ").append(part);
  }
  return line;
}

// Comes before the URL, which overrides it. The other end closes a connection that is dead as fast
// as this one does, so that the locks of a lost machine do not stay.
constexpr std::array keywords{"connect_timeout",
                              "tcp_user_timeout",
                              "keepalives_idle",
                              "keepalives_interval",
                              "keepalives_count",
                              "target_session_attrs",
                              "fallback_application_name",
                              "client_encoding",
                              "options",
                              "dbname",
                              static_cast<const char*>(nullptr)};

constexpr const char* session_options =
    "-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3 "
    "-c tcp_user_timeout=10000";

}  // namespace

void PostgresArray::add(std::string_view bytes) {
  next() += "\"\\\\x" + text::to_hex(bytes) + '"';
}

std::uint64_t PostgresRows::number(int row, int column) const {
  std::uint64_t number = 0;
  for (const char byte : bytes(row, column))
    number = number << 8 | static_cast<unsigned char>(byte);
  return number;
}

std::size_t PostgresRows::changed() const {
  const std::string_view text = PQcmdTuples(result_.get());
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

Result<std::string> PostgresConnection::name_of(const std::string& url) {
  char* error = nullptr;
  const std::unique_ptr<PQconninfoOption, void (*)(PQconninfoOption*)> options(
      PQconninfoParse(url.c_str(), &error), PQconninfoFree);
  PQfreemem(error);  // it may repeat the password
  Fault no_url{Fault::Kind::unusable,
               "The address of the record store is not a URL such as "
               "postgresql://USER@HOST/DATABASE. In a password, write @ as %40, / as %2F, "
               "and % as %25."};
  if (!options) return no_url;
  std::string host;
  std::string port;
  std::string database;
  for (const PQconninfoOption* option = options.get(); option->keyword != nullptr; ++option) {
    const std::string_view keyword = option->keyword;
    const std::string value = option->val == nullptr ? "" : option->val;
    if (keyword == "host") host = value;
    if (keyword == "port") port = value;
    if (keyword == "dbname") database = value;
  }
  // A password that is not escaped ends in the wrong part.
  if ((host + database).find('@') != std::string::npos ||
      port.find_first_not_of("0123456789,") != std::string::npos) {
    return no_url;
  }
  if (!port.empty()) port.insert(0, ":");
  if (port.find(',') != std::string::npos) port.clear();
  return "postgresql://" + host + port + "/" + database;
}

bool PostgresConnection::ensure() {
  if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return false;
  const std::array values{"5",
                          "10000",
                          "5",
                          "2",
                          "3",
                          "read-write",
                          "tictactoe-server",
                          "UTF8",
                          session_options,
                          url_.c_str(),
                          static_cast<const char*>(nullptr)};
  connection_.reset();
  connection_.reset(PQconnectdbParams(keywords.data(), values.data(), 1));
  if (!connection_ || PQstatus(connection_.get()) != CONNECTION_OK) {
    std::string reason = connection_ ? one_line(PQerrorMessage(connection_.get())) : "no memory";
    connection_.reset();
    throw PostgresFailure{{Fault::Kind::unusable, std::move(reason)}};
  }
  PQsetNoticeReceiver(connection_.get(), receive_notice, this);
  if (PQsetnonblocking(connection_.get(), 1) != 0) lose("no memory");
  set_up();
  return true;
}

void PostgresConnection::lose(std::string reason) {
  connection_.reset();
  throw PostgresFailure{{Fault::Kind::unusable, std::move(reason)}};
}

// Announced records must be durable, whatever the settings of the role or the database. PostgreSQL
// gives up a statement before this end does, so the connection survives and no backend waits for a
// lock on behalf of a client that has left. Neither limit ends the wait for a standby. A program
// that freezes within a transaction keeps its locks for seconds, however patient its statements
// are.
void PostgresConnection::set_up() {
  const auto limit_of = [](std::chrono::milliseconds patience) {
    return std::to_string(std::max<long>(1, patience.count() * 4 / 5));
  };
  const std::string limit = limit_of(patience_);
  const std::string max_rest = limit_of(std::min(patience_, default_patience));
  run("SELECT set_config('client_min_messages', 'warning', false), "
      "set_config('lock_timeout', $1, false), set_config('statement_timeout', $1, false), "
      "set_config('idle_in_transaction_session_timeout', $2, false), "
      "set_config('synchronous_commit', CASE current_setting('synchronous_commit') "
      "WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)",
      {limit, max_rest});
}

void PostgresConnection::be_patient(std::chrono::milliseconds patience) {
  if (patience == patience_) return;
  patience_ = patience;
  if (connection_) set_up();
}

// Statements --------------------------------------------------------------------------------------

PostgresRows PostgresConnection::run(const std::string& sql,
                                     std::initializer_list<PostgresParameter> parameters) {
  std::vector<const char*> values;
  std::vector<int> sizes;
  std::vector<int> formats;
  for (const PostgresParameter& parameter : parameters) {
    values.push_back(parameter.data());
    sizes.push_back(parameter.size());
    formats.push_back(parameter.format());
  }
  warning_.clear();
  if (PQsendQueryParams(connection_.get(), sql.c_str(), static_cast<int>(values.size()), nullptr,
                        values.data(), sizes.data(), formats.data(), 1) == 0) {
    lose(one_line(PQerrorMessage(connection_.get())));
  }
  return checked(answer());
}

void PostgresConnection::run_script(std::string_view sql) {
  warning_.clear();
  if (PQsendQuery(connection_.get(), std::string(sql).c_str()) == 0) {
    lose(one_line(PQerrorMessage(connection_.get())));
  }
  checked(answer());
}

void PostgresConnection::receive_notice(void* connection, const PGresult* notice) {
  const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  const char* text = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
  if (severity == nullptr || std::string_view(severity) != "WARNING") return;
  static_cast<PostgresConnection*>(connection)->warning_ = text == nullptr ? "a warning" : text;
}

// The last result of what was sent.
PostgresRows PostgresConnection::answer() {
  PGconn* connection = connection_.get();
  PostgresRows last(nullptr);
  for (;;) {
    for (int unsent = PQflush(connection);
         unsent >= 0 && (unsent == 1 || PQisBusy(connection) == 1); unsent = PQflush(connection)) {
      wait_for_server(unsent == 1);
      if (PQconsumeInput(connection) == 0) break;
    }
    PGresult* next = PQgetResult(connection);
    if (next == nullptr) return last;
    last = PostgresRows(next);
    if (PQstatus(connection) != CONNECTION_OK) return last;
  }
}

// No request to cancel is sent: it could end the wait for a standby.
void PostgresConnection::wait_for_server(bool to_write) {
  pollfd descriptor{PQsocket(connection_.get()),
                    static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN), 0};
  int ready = 0;
  do {
    ready = ::poll(&descriptor, 1, static_cast<int>(patience_.count()));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) lose("the database does not answer");
}

PostgresRows PostgresConnection::checked(PostgresRows rows) {
  const PGresult* result = rows.result();
  const ExecStatusType status = PQresultStatus(result);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
    if (!warning_.empty()) throw PostgresFailure{{Fault::Kind::unusable, one_line(warning_)}};
    return rows;
  }
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const char* primary = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
  // The primary part only: details repeat the content of rows.
  std::string reason = one_line(primary != nullptr ? primary : PQerrorMessage(connection_.get()));
  // A server that must not be written to may have been replaced by another one of the URL.
  const bool is_read_only = state != nullptr && std::string_view(state) == "25006";
  if (is_read_only || PQstatus(connection_.get()) != CONNECTION_OK) connection_.reset();
  const bool is_duplicate = state != nullptr && std::string_view(state) == "23505";
  throw PostgresFailure{{Fault::Kind::unusable, std::move(reason)}, is_duplicate};
}

void PostgresConnection::roll_back() {
  if (!connection_ || PQtransactionStatus(connection_.get()) == PQTRANS_IDLE) return;
  try {
    run("ROLLBACK");
  } catch (const PostgresFailure&) {
    connection_.reset();
  }
}

}  // namespace tictactoe::records
