// Waiting for an event that another thread or process brings about.
#pragma once

#include <chrono>
#include <thread>

namespace elapid {

/// Asks every millisecond whether `has_come()`. False after 60 s, which no machine is slow enough
/// to need: then it does not come at all.
template <class Predicate>
bool wait_until(Predicate has_come) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!has_come()) {
    if (std::chrono::steady_clock::now() > end) {
      return false;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

}  // namespace elapid
