#include "server/logging.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace tictactoe {

namespace {

/// Formats lines and queues them. Colours the level if standard error is a terminal, as spdlog's
/// own sinks do.
class QueueSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  QueueSink(std::shared_ptr<hosting::LogWriter> writer, hosting::LogFormat format)
      : writer_(std::move(writer)), format_(format), has_colours_(::isatty(STDERR_FILENO) == 1) {}

 private:
  static std::string_view colour(spdlog::level::level_enum level) {
    switch (level) {
      case spdlog::level::debug:
        return "\033[36m";  // cyan
      case spdlog::level::info:
        return "\033[32m";  // green
      case spdlog::level::warn:
        return "\033[33m\033[1m";  // yellow
      default:
        return "\033[31m\033[1m";  // red
    }
  }

  void sink_it_(const spdlog::details::log_msg& message) override {
    if (format_ != hosting::LogFormat::text) {
      const std::string_view text(message.payload.data(), message.payload.size());
      return writer_->push(hosting::to_line(format_, message.level, message.time, text));
    }
    line_.clear();
    const std::string text = hosting::to_text({message.payload.data(), message.payload.size()});
    spdlog::details::log_msg shown(message);
    shown.payload = text;
    shown.color_range_start = 0;
    shown.color_range_end = 0;
    formatter_->format(shown, line_);
    std::string_view plain(line_.data(), line_.size());
    if (!has_colours_ || shown.color_range_end <= shown.color_range_start) {
      return writer_->push(plain);
    }
    coloured_.assign(plain.substr(0, shown.color_range_start));
    coloured_ += colour(shown.level);
    coloured_ +=
        plain.substr(shown.color_range_start, shown.color_range_end - shown.color_range_start);
    coloured_ += "\033[m";
    coloured_ += plain.substr(shown.color_range_end);
    writer_->push(coloured_);
  }
  void flush_() override {}  // only the end of the program waits for the writer

  std::shared_ptr<hosting::LogWriter> writer_;
  hosting::LogFormat format_;
  bool has_colours_;
  spdlog::memory_buf_t line_;  // reused
  std::string coloured_;       // reused
};

// How complaints are written: as the log is, once that is known.
std::atomic<hosting::LogFormat>& complaint_format() {
  static std::atomic format = hosting::usual_log_format();
  return format;
}

std::string complaint(hosting::LogFormat format, const std::string& sentence) {
  return format == hosting::LogFormat::text
             ? "tictactoe-server: " + sentence + "\n"
             : hosting::to_line(format, spdlog::level::err, spdlog::log_clock::now(), sentence);
}

}  // namespace

Logging::Logging(const std::string& level, hosting::LogFormat format) : format_(format) {
  complaint_format() = format;
  spdlog::set_level(spdlog::level::from_str(level));
  if (spdlog::get_level() == spdlog::level::off) return;
  writer_ = std::make_shared<hosting::LogWriter>(
      hosting::write_to_standard_error, hosting::LogWriter::default_queue_bytes,
      [format](std::uint64_t dropped) {
        const std::string sentence = hosting::LogWriter::dropped_lines(dropped);
        return format == hosting::LogFormat::text
                   ? sentence + "\n"
                   : hosting::to_line(format, spdlog::level::warn, spdlog::log_clock::now(),
                                      sentence);
      });
  auto logger = std::make_shared<spdlog::logger>("tictactoe-server",
                                                 std::make_shared<QueueSink>(writer_, format));
  logger->set_level(spdlog::get_level());
  spdlog::set_default_logger(std::move(logger));
}

Logging::~Logging() {
  if (writer_) writer_->finish(std::chrono::seconds(2));
}

void Logging::report(const std::string& sentence) const {
  const std::string line = complaint(format_, sentence);
  writer_ ? writer_->push(line) : hosting::report_to_standard_error(line);
}

void complain(const std::string& sentence) {
  hosting::report_to_standard_error(complaint(complaint_format(), sentence));
}

}  // namespace tictactoe
