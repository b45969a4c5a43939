// The map of a Jepsen test, which lies in the store beside the history: what the test was told, as
// the accounts of its bank.
//
//   read_test_map("store/bank/1/history.edn", {":total-amount"})   {{":total-amount", "100"}}
//
// It is in test.jepsen, or in a test.edn with one map. The map of a test.fressian is not read: it
// may stand behind the history.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace elapid {

/// Keys with their colon, and values in canonical EDN.
using TestMap = std::vector<std::pair<std::string, std::string>>;

/// The entries with these keys of the test that the history in this file is of: the file itself if
/// it is a test.jepsen, else a test.jepsen or test.edn beside it if it is named `history.` and
/// something. Empty where there is no such file or it cannot be read: then it tells nothing.
[[nodiscard]] TestMap read_test_map(const std::string& history,
                                    std::span<const std::string_view> keys);

}  // namespace elapid
