#include "server/records/postgres/database.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <variant>
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

// 64-bit numbers, and truths, which are numbers of one byte.
class PostgresRow final : public SqlRow {
 public:
  PostgresRow(const PGresult* rows, int row) : rows_(rows), row_(row) {}
  bool is_null(int column) const override { return PQgetisnull(rows_, row_, column) == 1; }
  std::uint64_t number(int column) const override {
    std::uint64_t number = 0;
    for (const char byte : bytes(column)) number = number << 8 | static_cast<unsigned char>(byte);
    return number;
  }
  std::string_view bytes(int column) const override {
    return {PQgetvalue(rows_, row_, column),
            static_cast<std::size_t>(PQgetlength(rows_, row_, column))};
  }

 private:
  const PGresult* rows_;
  int row_;
};

// Statements are written with the parameters of SQLite.
std::string with_dollars(std::string sql) {
  for (std::size_t i = 0; i + 1 < sql.size(); ++i) {
    if (sql[i] == '?' && sql[i + 1] >= '0' && sql[i + 1] <= '9') sql[i] = '$';
  }
  return sql;
}

// The parameters of a statement, as libpq wants them.
struct Parameters {
  explicit Parameters(Values values) {
    texts.reserve(values.size());
    for (const Value& value : values) {
      if (const auto* number = std::get_if<std::uint64_t>(&value)) {
        texts.push_back(std::to_string(static_cast<std::int64_t>(*number)));
        add(texts.back().c_str(), 0, 0);
      } else if (const auto* text = std::get_if<std::string>(&value)) {
        // PostgreSQL's text has no NUL. Names and chat have none either.
        add(text->c_str(), 0, 0);
      } else if (const auto* bytes = std::get_if<Bytes>(&value)) {
        add(bytes->bytes.data(), static_cast<int>(bytes->bytes.size()), 1);
      } else {
        add(nullptr, 0, 0);
      }
    }
  }
  void add(const char* value, int size, int format) {
    values.push_back(value);
    sizes.push_back(size);
    formats.push_back(format);
  }
  std::vector<std::string> texts;
  std::vector<const char*> values;
  std::vector<int> sizes;
  std::vector<int> formats;
};

// Statements that may be sent before their outcomes are waited for.
constexpr std::size_t max_sent = 2'000;

}  // namespace

void PostgresArray::add(std::string_view bytes) {
  next() += "\"\\\\x" + text::to_hex(bytes) + '"';
}

Result<std::string> PostgresDatabase::name_of(const std::string& url) {
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

// Connecting --------------------------------------------------------------------------------------

void PostgresDatabase::ensure() {
  if (connection_ && PQstatus(connection_.get()) == CONNECTION_OK) return;
  if (is_transacting_) lose("the connection to the database was lost");
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
  statements_.clear();
  sent_ = 0;
  connection_.reset();
  connection_.reset(PQconnectdbParams(keywords.data(), values.data(), 1));
  if (!connection_ || PQstatus(connection_.get()) != CONNECTION_OK) {
    lose(connection_ ? one_line(PQerrorMessage(connection_.get())) : "no memory");
  }
  PQsetNoticeReceiver(connection_.get(), receive_notice, this);
  if (PQsetnonblocking(connection_.get(), 1) != 0) lose("no memory");
  set_up();
  if (connected_) connected_();
}

void PostgresDatabase::lose(std::string reason) {
  connection_.reset();
  throw PostgresFailure{{Fault::Kind::unusable, std::move(reason)}};
}

// Announced records must be durable, whatever the settings of the role or the database. PostgreSQL
// gives up a statement before this end does, so the connection survives and no backend waits for a
// lock on behalf of a client that has left. Neither limit ends the wait for a standby. A program
// that freezes within a transaction keeps its locks for seconds, however patient its statements
// are.
void PostgresDatabase::set_up() {
  const auto limit_of = [](std::chrono::milliseconds patience) {
    return std::to_string(std::max<long>(1, patience.count() * 4 / 5));
  };
  static const std::string sql =
      "SELECT set_config('client_min_messages', 'warning', false), "
      "set_config('lock_timeout', ?1, false), set_config('statement_timeout', ?1, false), "
      "set_config('idle_in_transaction_session_timeout', ?2, false), "
      "set_config('synchronous_commit', CASE current_setting('synchronous_commit') "
      "WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, false)";
  const std::array<Value, 2> limits{limit_of(patience_),
                                    limit_of(std::min(patience_, default_patience))};
  execute(sql, limits);
}

void PostgresDatabase::be_patient(std::chrono::milliseconds patience) {
  if (patience == patience_) return;
  patience_ = patience;
  if (connection_) set_up();
}

// Transactions ------------------------------------------------------------------------------------

void PostgresDatabase::transact(Transaction kind, const std::function<void()>& work) {
  static const std::string begin = "BEGIN";
  static const std::string begin_whole = "BEGIN ISOLATION LEVEL REPEATABLE READ";
  // A large store is decoded between two statements.
  static const std::string pause = "SET LOCAL idle_in_transaction_session_timeout = '10min'";
  static const std::string commit = "COMMIT";
  ensure();
  is_transacting_ = true;
  try {
    run_soon(kind == Transaction::whole ? begin_whole : begin, {});
    if (kind == Transaction::whole) run_soon(pause, {});
    work();
    execute(commit, {});
    is_transacting_ = false;
  } catch (...) {
    roll_back();
    is_transacting_ = false;
    throw;
  }
}

// Statements that may not have been prepared are prepared again.
void PostgresDatabase::roll_back() {
  if (!connection_) return;
  try {
    if (sent_ > 0) finish_sent();
  } catch (const PostgresFailure&) {  // the transaction ends anyway
  }
  if (!connection_) return;
  try {
    if (PQtransactionStatus(connection_.get()) != PQTRANS_IDLE) run_script("ROLLBACK");
    statements_.clear();
    run_script("DEALLOCATE ALL");
  } catch (const PostgresFailure&) {
    connection_.reset();
  }
}

// Statements --------------------------------------------------------------------------------------

void PostgresDatabase::send(const std::string& sql, Values values) {
  PGconn* const connection = connection_.get();
  if (connection == nullptr) lose("the connection to the database was lost");
  if (PQpipelineStatus(connection) == PQ_PIPELINE_OFF) {
    warning_.clear();
    if (PQenterPipelineMode(connection) == 0) lose(one_line(PQerrorMessage(connection)));
  }
  auto prepared = statements_.find(sql);
  if (prepared == statements_.end()) {
    prepared = statements_.emplace(sql, "s" + std::to_string(++prepared_)).first;
    if (PQsendPrepare(connection, prepared->second.c_str(), with_dollars(sql).c_str(), 0,
                      nullptr) == 0) {
      lose(one_line(PQerrorMessage(connection)));
    }
  }
  const Parameters sent(values);
  if (PQsendQueryPrepared(connection, prepared->second.c_str(),
                          static_cast<int>(sent.values.size()), sent.values.data(),
                          sent.sizes.data(), sent.formats.data(), 1) == 0) {
    lose(one_line(PQerrorMessage(connection)));
  }
  ++sent_;
}

void PostgresDatabase::run_soon(const std::string& sql, Values values) {
  if (!is_transacting_) {
    run_now(sql, values);
    return;
  }
  send(sql, values);
  if (sent_ >= max_sent) finish_sent();
}

PostgresDatabase::Answer PostgresDatabase::execute(const std::string& sql, Values values) {
  send(sql, values);
  try {
    return finish_sent();
  } catch (const PostgresFailure& failure) {
    if (!is_transacting_ && !failure.is_duplicate) roll_back();
    throw;
  }
}

std::size_t PostgresDatabase::run_now(const std::string& sql, Values values) {
  ensure();
  const Answer answer = execute(sql, values);
  const std::string_view text = PQcmdTuples(answer.get());
  std::size_t count = 0;
  std::from_chars(text.data(), text.data() + text.size(), count);
  return count;
}

void PostgresDatabase::visit_rows(const std::string& sql, Values values,
                                  const std::function<bool(const SqlRow&)>& visit) {
  ensure();
  const Answer rows = execute(sql, values);
  for (int row = 0; row < PQntuples(rows.get()) && visit(PostgresRow(rows.get(), row)); ++row) {
  }
}

void PostgresDatabase::run_script(const std::string& sql) {
  ensure();
  if (sent_ > 0) finish_sent();
  warning_.clear();
  if (PQsendQuery(connection_.get(), sql.c_str()) == 0) {
    lose(one_line(PQerrorMessage(connection_.get())));
  }
  Answer last(nullptr, PQclear);
  while (Answer next = receive()) last = std::move(next);
  check(last.get());
}

// Answers -----------------------------------------------------------------------------------------

void PostgresDatabase::receive_notice(void* database, const PGresult* notice) {
  const char* severity = PQresultErrorField(notice, PG_DIAG_SEVERITY_NONLOCALIZED);
  const char* text = PQresultErrorField(notice, PG_DIAG_MESSAGE_PRIMARY);
  if (severity == nullptr || std::string_view(severity) != "WARNING") return;
  static_cast<PostgresDatabase*>(database)->warning_ = text == nullptr ? "a warning" : text;
}

// After the first failure, PostgreSQL skips everything up to the end of what was sent.
PostgresDatabase::Answer PostgresDatabase::finish_sent() {
  sent_ = 0;
  if (PQpipelineSync(connection_.get()) == 0) lose(one_line(PQerrorMessage(connection_.get())));
  Answer last(nullptr, PQclear);
  Answer failed(nullptr, PQclear);
  for (;;) {
    Answer next = receive();
    if (!next) continue;  // the end of one statement
    const ExecStatusType status = PQresultStatus(next.get());
    if (status == PGRES_PIPELINE_SYNC) break;
    if (PQstatus(connection_.get()) != CONNECTION_OK) {
      failed = std::move(next);
      break;
    }
    if (status == PGRES_PIPELINE_ABORTED) continue;
    const bool is_good = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
    (is_good || failed ? last : failed) = std::move(next);
  }
  if (PQstatus(connection_.get()) == CONNECTION_OK && PQexitPipelineMode(connection_.get()) == 0) {
    lose(one_line(PQerrorMessage(connection_.get())));
  }
  check(failed ? failed.get() : last.get());
  return last;
}

// The next result; null at the end of a statement.
PostgresDatabase::Answer PostgresDatabase::receive() {
  PGconn* connection = connection_.get();
  for (int unsent = PQflush(connection); unsent >= 0 && (unsent == 1 || PQisBusy(connection) == 1);
       unsent = PQflush(connection)) {
    wait_for_server(unsent == 1);
    if (PQconsumeInput(connection) == 0) break;
  }
  Answer next(PQgetResult(connection), PQclear);
  if (!next && PQstatus(connection) != CONNECTION_OK) lose(one_line(PQerrorMessage(connection)));
  return next;
}

// No request to cancel is sent: it could end the wait for a standby.
void PostgresDatabase::wait_for_server(bool to_write) {
  pollfd descriptor{PQsocket(connection_.get()),
                    static_cast<short>(to_write ? POLLIN | POLLOUT : POLLIN), 0};
  int ready = 0;
  do {
    ready = ::poll(&descriptor, 1, static_cast<int>(patience_.count()));
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) lose("the database does not answer");
}

void PostgresDatabase::check(const PGresult* answer) {
  const ExecStatusType status = PQresultStatus(answer);
  if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK) {
    if (!warning_.empty()) throw PostgresFailure{{Fault::Kind::unusable, one_line(warning_)}};
    return;
  }
  const char* state = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
  const char* primary = PQresultErrorField(answer, PG_DIAG_MESSAGE_PRIMARY);
  // The primary part only: details repeat the content of rows.
  std::string reason = one_line(primary != nullptr ? primary : PQerrorMessage(connection_.get()));
  // A server that must not be written to may have been replaced by another one of the URL.
  const bool is_read_only = state != nullptr && std::string_view(state) == "25006";
  if (is_read_only || PQstatus(connection_.get()) != CONNECTION_OK) connection_.reset();
  const bool is_duplicate = state != nullptr && std::string_view(state) == "23505";
  throw PostgresFailure{{Fault::Kind::unusable, std::move(reason)}, is_duplicate};
}

}  // namespace tictactoe::records
