// The map of a Jepsen test, which lies in the store beside the history: what the test was told, as
// the accounts of its bank.
//
//   read_test_map("store/bank/1/history.edn")   {{":accounts", "[0 1]"}, {":total-amount", "100"}}
//
// It is in test.jepsen, or in a test.edn with one map. The map of a test.fressian is not read: it
// may stand behind the history.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace elapid {

/// Keys with their colon, and values in canonical EDN.
using TestMap = std::map<std::string, std::string, std::less<>>;

/// What checks ask of the test that the history in this file is of: accounts, total-amount,
/// sub-via, ww-deps, key-count, availability and consistency-models. The map is in the file itself
/// if it is a test.jepsen, else in a test.jepsen or test.edn beside it if it is named `history.`
/// and something. Empty where there is no such file or it cannot be read: then it tells nothing.
[[nodiscard]] TestMap read_test_map(const std::string& history);

}  // namespace elapid
