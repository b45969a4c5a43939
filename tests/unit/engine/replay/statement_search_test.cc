// Orders of transactions whose operations each have a place of their own.
#include "engine/replay/statement_search.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "engine/certify/rows/rows_witness.h"
#include "tests/oracle/random_rows.h"

namespace elapid::replay {
namespace {

/// Whether an order is found; it is certified.
bool has_order(const History& history, Stale stale) {
  StatementSearch search(history, stale);
  ReplayBudget budget = {.work = 1'000'000, .states = 1'000'000};
  if (!search.run(budget)) {
    return false;
  }
  const Model model = stale == Stale::kAllReads ? Model::kPl2 : Model::kPl299;
  CHECK(
      check_rows_of_old_versions(history, model, {.order = search.order(), .taken = search.taken()})
          .value_or("")
          .empty());
  return true;
}

TEST_CASE("statement search: what commits between two operations is found by the second") {
  const History history = rows_history(
      "0@1-6: [:rp :true {}] [:up :true {:a 1} 2]\n"
      "1@2-3: [:insert 1 {:a 0}] [:insert 2 {:a 0}]\n"
      "2@7-8: [:rp :true {1 {:a 1} 2 {:a 1}}]\n");
  CHECK(has_order(history, Stale::kAllReads));
  CHECK(has_order(history, Stale::kPredicates));
}

TEST_CASE("statement search: a row read by key may change before its reader commits, or may not") {
  const History history = rows_history(
      "0@1-2: [:insert 1 {:a 0}]\n"
      "1@3-8: [:r 1 {:a 0}] [:r 1 {:a 1}]\n"
      "2@4-5: [:update 1 {:a 1}]\n");
  CHECK(has_order(history, Stale::kAllReads));
  CHECK_FALSE(has_order(history, Stale::kPredicates));
}

TEST_CASE("statement search: two deletes by one predicate take a row each") {
  const History history = rows_history(
      "0@1-2: [:insert 1 {:a 5}] [:insert 2 {:a 6}]\n"
      "1@3-9: [:rp [:key 9 9] {}] [:dp [:in :a 5 6] 1]\n"
      "2@4-8: [:rp [:key 8 8] {}] [:dp [:in :a 5 6] 1]\n"
      "3@10-11: [:insert 1 {:a 7}] [:insert 2 {:a 8}]\n");
  CHECK(has_order(history, Stale::kAllReads));
}

/// A table of `a` by row, and clients of it at read committed: each operation finds committed rows
/// and its transaction's own writes. Written rows are locked until the commit.
class Store {
 public:
  explicit Store(std::uint64_t seed) : chance_(seed) {}

  /// The history of so many steps, in the notation of rows_history().
  std::string run(std::size_t steps) {
    for (std::size_t step = 0; step < steps; ++step) {
      const std::size_t session = chance_() % clients_.size();
      Client& client = clients_[session];
      if (client.text.empty()) {
        client.began = ++now_;
      }
      if (client.operations < 3 && chance_() % 4 != 0) {
        operate(session, client);
      } else {
        commit(session, client);
      }
    }
    for (std::size_t session = 0; session < clients_.size(); ++session) {
      commit(session, clients_[session]);
    }
    return text_;
  }

 private:
  using Cell = std::optional<int>;  // nothing: the row is gone

  struct Client {
    std::map<int, Cell> own = {};
    std::string text = {};
    int operations = 0;
    int began = 0;
  };

  void operate(std::size_t session, Client& client) {
    ++client.operations;
    std::map<int, Cell> seen = committed_;
    for (const auto& [row, cell] : client.own) {
      seen[row] = cell;
    }
    const int low = static_cast<int>(chance_() % 60);
    const std::string range = "[:key " + std::to_string(low) + " " + std::to_string(low + 9) + "]";
    std::vector<int> found;
    for (auto at = seen.lower_bound(low); at != seen.end() && at->first <= low + 9; ++at) {
      if (at->second) {
        found.push_back(at->first);
      }
    }
    const std::uint64_t kind = chance_() % 6;
    const auto is_held = [&](int row) { return holder_.contains(row) && holder_[row] != session; };
    if (kind >= 3 && kind < 6 && (std::ranges::any_of(found, is_held) || is_held(low))) {
      return;
    }
    const int value = ++last_value_;
    if (kind < 3) {
      client.text += "[:rp " + range + " {";
      for (const int row : found) {
        client.text += std::to_string(row) + " {:a " + std::to_string(*seen[row]) + "} ";
      }
      client.text += "}] ";
    } else if (kind == 3) {
      if (!seen[low]) {
        client.text += "[:insert " + std::to_string(low) + " {:a " + std::to_string(value) + "}] ";
        write(session, client, low, value);
      }
    } else {
      const bool is_delete = kind == 5;
      client.text += is_delete ? "[:dp " + range + " "
                               : "[:up " + range + " {:a " + std::to_string(value) + "} ";
      client.text += std::to_string(found.size()) + "] ";
      for (const int row : found) {
        write(session, client, row, is_delete ? Cell() : Cell(value));
      }
    }
  }

  void write(std::size_t session, Client& client, int row, Cell cell) {
    client.own[row] = cell;
    holder_[row] = session;
  }

  void commit(std::size_t session, Client& client) {
    if (!client.text.empty()) {
      text_ += std::to_string(session) + "@" + std::to_string(client.began) + "-" +
               std::to_string(++now_) + ": " + client.text + "\n";
    }
    for (const auto& [row, cell] : client.own) {
      committed_[row] = cell;
      holder_.erase(row);
    }
    client = {};
  }

  std::mt19937_64 chance_;
  std::map<int, Cell> committed_;
  std::map<int, std::size_t> holder_;  // sessions by row
  std::array<Client, 8> clients_;
  std::string text_;
  int now_ = 0;
  int last_value_ = 0;
};

TEST_CASE("statement search: runs of a store at read committed have orders") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    CHECK(has_order(rows_history(Store(seed).run(3000)), Stale::kAllReads));
  }
}

}  // namespace
}  // namespace elapid::replay
