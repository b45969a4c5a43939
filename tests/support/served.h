// `elapid serve` for tests, on a free port of loopback: over a given state, or one of its own.
#pragma once

#include <httplib.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/temporary_folder.h"
#include "tests/support/wait_until.h"
#include "tests/watch/child.h"

namespace elapid {

/// A service, from its start to the end of this object.
class Service {
 public:
  /// Waits until it says its address. `options` beside port and state.
  explicit Service(const std::string& state, const std::vector<std::string>& options = {})
      : told_(state + ".told-" + std::to_string(count_++)),
        child_(arguments_of(state, options), told_) {
    constexpr std::string_view kBefore = "serves at ";
    std::string text;
    REQUIRE(wait_until([&] { return (text = content_of(told_)).ends_with('\n'); }));
    INFO(text);
    REQUIRE(text.find(kBefore) != std::string::npos);
    address_ = text.substr(text.find(kBefore) + kBefore.size());
    address_.pop_back();
  }

  [[nodiscard]] const std::string& address() const { return address_; }

  [[nodiscard]] int port() const { return std::stoi(address_.substr(address_.rfind(':') + 1)); }

  [[nodiscard]] httplib::Client client() const {
    httplib::Client client(address_);
    client.set_read_timeout(std::chrono::seconds(60));
    return client;
  }

  /// As a power cut would, but for the disk.
  void kill() {
    child_.signal(SIGKILL);
    child_.wait();
  }

  /// SIGTERM; the exit code.
  int stop() {
    child_.signal(SIGTERM);
    return child_.wait();
  }

 private:
  static std::vector<std::string> arguments_of(const std::string& state,
                                               const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"serve", "--port", "0", "--state", state};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }

  static inline int count_ = 0;

  std::string told_;
  Child child_;
  std::string address_ = {};
};

/// A service with a state of its own.
class Served {
 public:
  explicit Served(std::vector<std::string> options = {}) : options_(std::move(options)) { start(); }

  /// Again, over the same state.
  void start() { service_ = std::make_unique<Service>(folder_ / "state", options_); }

  void kill() { service_->kill(); }

  int stop() { return service_->stop(); }

  [[nodiscard]] const std::string& address() const { return service_->address(); }

  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  [[nodiscard]] httplib::Client client() const { return service_->client(); }

 private:
  std::vector<std::string> options_;
  TemporaryFolder folder_;
  std::unique_ptr<Service> service_ = {};
};

}  // namespace elapid
