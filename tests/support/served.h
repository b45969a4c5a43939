// `elapid serve` for tests: on a free port of loopback, with a state of its own.
#pragma once

#include <httplib.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/wait_until.h"
#include "tests/unit/parsers/temporary_folder.h"
#include "tests/watch/child.h"

namespace elapid {

class Served {
 public:
  /// `options` beside port and state.
  explicit Served(std::vector<std::string> options = {}) : options_(std::move(options)) { start(); }

  /// Again, over the same state.
  void start() {
    const std::string told = folder_ / ("told-" + std::to_string(starts_++));
    std::vector<std::string> arguments = {"serve", "--port", "0", "--state", folder_ / "state"};
    arguments.insert(arguments.end(), options_.begin(), options_.end());
    child_ = std::make_unique<Child>(arguments, told);
    constexpr std::string_view kBefore = "serves at ";
    std::string text;
    REQUIRE(wait_until([&] { return (text = content_of(told)).ends_with('\n'); }));
    INFO(text);
    REQUIRE(text.find(kBefore) != std::string::npos);
    address_ = text.substr(text.find(kBefore) + kBefore.size());
    address_.pop_back();
  }

  /// As a power cut would, but for the disk.
  void kill() {
    child_->signal(SIGKILL);
    child_->wait();
  }

  /// The exit code.
  int stop() {
    child_->signal(SIGTERM);
    return child_->wait();
  }

  [[nodiscard]] const std::string& address() const { return address_; }

  [[nodiscard]] const TemporaryFolder& folder() const { return folder_; }

  [[nodiscard]] httplib::Client client() const {
    httplib::Client client(address_);
    client.set_read_timeout(std::chrono::seconds(60));
    return client;
  }

 private:
  std::vector<std::string> options_;
  TemporaryFolder folder_;
  std::string address_ = {};
  std::unique_ptr<Child> child_ = {};
  int starts_ = 0;
};

}  // namespace elapid
