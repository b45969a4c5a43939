// The map of a Jepsen test, which is in the store beside the history: the parameters of the test,
// for example the accounts of its bank.
//
//   read_test_map("store/bank/1/history.edn")   {{":accounts", "[0 1]"}, {":total-amount", "100"}}
//
// The map is in test.jepsen, or in a test.edn with one map. The map of a test.fressian is not read,
// because it may come after the history.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace elapid {

/// Keys with their colon, and values in canonical EDN.
using TestMap = std::map<std::string, std::string, std::less<>>;

/// The parameters that checks need from the test of the history in this file: accounts,
/// total-amount, sub-via, ww-deps, key-count, availability and consistency-models. The map is in
/// the file itself if it is a test.jepsen. Otherwise, if the file is named `history.*`, it is in a
/// test.jepsen or test.edn beside it. Empty if there is no such file or it cannot be read.
[[nodiscard]] TestMap read_test_map(const std::string& history);

}  // namespace elapid
