#include "server/internet/upnp_process.hpp"

#include <chrono>
#include <system_error>
#include <utility>

#include "common/engines/confinement.hpp"
#include "common/engines/process.hpp"

namespace tictactoe::app {

namespace {

namespace fs = std::filesystem;
using transport::UpnpAnswer;
using transport::UpnpRequest;

constexpr std::chrono::seconds time_to_open{4};
constexpr std::chrono::milliseconds time_to_close{600};

UpnpAnswer run(const fs::path& program, const UpnpRequest& request, const std::stop_token& stop) {
  engines::Command command{"tictactoe-upnp", {program.string()}};
  for (std::string& word : upnp_arguments(request)) command.words.push_back(std::move(word));
  engines::Limits limits;
  limits.network = true;
  limits.memory = std::size_t{64} << 20;
  const bool closes = request.lifetime.count() == 0;
  const auto until = std::chrono::steady_clock::now() +
                     (closes ? std::chrono::milliseconds(time_to_close) : time_to_open);
  try {
    engines::Process process(command, limits);
    if (const auto line = process.receive(until, stop)) return read_upnp_line(*line, request);
    return process.is_late() ? std::string("no answer in time") : "failed: " + process.fault();
  } catch (const std::system_error& error) {
    return "failed: " + error.code().message();
  }
}

}  // namespace

std::optional<fs::path> upnp_program() {
  // Never without the confinement.
  if (!engines::can_confine()) return std::nullopt;
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  for (const fs::path& place : {folder, folder.parent_path() / "libexec" / "tictactoe"}) {
    if (fs::exists(place / "tictactoe-upnp", error)) return place / "tictactoe-upnp";
  }
  return std::nullopt;
}

UpnpProcess::UpnpProcess(boost::asio::io_context& io, fs::path program)
    : program_(std::move(program)), worker_(io, {"asking a router by UPnP", 1, 2, {}}) {}

void UpnpProcess::call(const UpnpRequest& request, std::function<void(const UpnpAnswer&)> done) {
  if (request.lifetime.count() == 0) {
    stop_.request_stop();
    stop_ = std::stop_source();
  }
  worker_.give([program = program_, request,
                token = stop_.get_token()] { return run(program, request, token); },
               [done = std::move(done)](const UpnpAnswer& answer) { done(answer); });
}

void UpnpProcess::stop() {
  stop_.request_stop();
  worker_.stop();
}

}  // namespace tictactoe::app
