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
  std::string text = {};             ///< as given, without its password, for display
  std::string scheme = {};           ///< `sqlite`
  std::string address = {};          ///< between colon and question mark; `%41` is decoded to `A`
  std::string encoded_address = {};  ///< the same, not decoded
  std::vector<std::pair<std::string, std::string>> parameters = {};

  /// A parameter's value, or `otherwise`.
  [[nodiscard]] std::string_view parameter(std::string_view name,
                                           std::string_view otherwise) const {
    const auto found =
        std::ranges::find(parameters, name, &decltype(parameters)::value_type::first);
    return found == parameters.end() ? otherwise : std::string_view(found->second);
  }
};

/// An address with `***` in place of its password: the text between `//USER:` and the last `@`, and
/// parameters named so. Addresses are shown, recorded and repeated only in this form.
[[nodiscard]] std::string without_password(std::string_view address);

/// Error: kUsage for no scheme, unnamed or repeated parameters, `%` without two digits.
[[nodiscard]] Result<DatabaseUri> parse_database_uri(std::string_view text);

}  // namespace elapid
