// What clients of `elapid serve` send and see.
#pragma once

#include <httplib.h>

#include <optional>
#include <string>

#include "tests/support/served.h"

namespace elapid {

/// A history of three transactions of list-append in which an update is lost, or none is. Those of
/// different numbers have different bytes.
[[nodiscard]] std::string small_history(bool is_valid, int number = 0);

/// What was posted: the id of the check; nothing where the service has gone.
[[nodiscard]] std::optional<std::string> post(httplib::Client& client, const std::string& history,
                                              const std::string& query = "");

/// The text of a key that has a string or a number: the first in the document.
[[nodiscard]] std::string field(const std::string& json, const std::string& key);

/// The document of a check, once it is neither queued nor running; the last one that was seen after
/// a minute.
[[nodiscard]] std::string await_answer(httplib::Client& client, const std::string& id);

}  // namespace elapid
