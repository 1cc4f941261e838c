#include "server/logging/logging.hpp"

#include <spdlog/spdlog.h>

#include <atomic>
#include <chrono>

namespace tictactoe::app {

namespace {

// The format of complaints: that of the log, once it is known.
std::atomic<LogFormat>& complaint_format() {
  static std::atomic format = usual_log_format();
  return format;
}

}  // namespace

Logging::Logging(const std::string& level, LogFormat format) {
  complaint_format() = format;
  spdlog::set_level(spdlog::level::from_str(level));
  if (spdlog::get_level() == spdlog::level::off) return;
  log_ = std::make_unique<AsyncLog>(write_to_standard_error, format);
  log_->logger()->set_level(spdlog::get_level());
  spdlog::set_default_logger(log_->logger());
}

Logging::~Logging() {
  if (!log_) return;
  spdlog::set_default_logger(std::make_shared<spdlog::logger>("ended"));  // writes nothing
  log_->finish(std::chrono::seconds(2));
}

void complain(const std::string& sentence) {
  const LogFormat format = complaint_format();
  report_to_standard_error(format == LogFormat::text ? "tictactoe-server: " + sentence + "\n"
                                                     : to_line(format, spdlog::level::err,
                                                               spdlog::log_clock::now(), sentence));
}

}  // namespace tictactoe::app
