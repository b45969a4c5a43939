// The address of a database: `rocksdb:`, `sqlite:/tmp/test.db?journal=wal&begin=immediate`,
// `postgres://me@localhost:5432/test?lists=rows`.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/result.h"

namespace elapid {

struct DatabaseUri {
  std::string text = {};             ///< as it was given, but for its password: to be shown
  std::string scheme = {};           ///< `sqlite`
  std::string address = {};          ///< between the colon and the question mark, `%41` being `A`
  std::string encoded_address = {};  ///< the same as it was given
  std::vector<std::pair<std::string, std::string>> parameters = {};

  /// A parameter's value, or this default.
  [[nodiscard]] std::string_view parameter(std::string_view name,
                                           std::string_view otherwise) const {
    const auto found =
        std::ranges::find(parameters, name, &decltype(parameters)::value_type::first);
    return found == parameters.end() ? otherwise : std::string_view(found->second);
  }
};

/// The address of a database with `***` for a password: what stands between `//USER:` and the last
/// `@`, and parameters that are called so. What is shown, recorded or repeated is this.
[[nodiscard]] std::string without_password(std::string_view address);

/// Error kUsage: what has no scheme, parameters without a name or twice, `%` without two digits.
[[nodiscard]] Result<DatabaseUri> parse_database_uri(std::string_view text);

}  // namespace elapid
