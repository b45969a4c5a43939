// The checkers of docs/forks-and-orders.md answer as the plainest computation does
// (tests/reference/forks_and_orders.h), over random histories: a third of them changed at random.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "engine/check/check.h"
#include "engine/workloads/table.h"
#include "harness/generate/random.h"
#include "parsers/read.h"
#include "tests/reference/forks_and_orders.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

using reference::PlainAnswer;
using reference::PlainClients;

int below(Random& random, int n) {
  return static_cast<int>(random.below(static_cast<std::size_t>(n)));
}

std::string scalar_text(std::optional<int> value) {
  return value ? std::to_string(*value) : "nil";
}

/// A result value, events as `@` and their index, sets in order.
std::string text_of(const History& history, const ResultValue& value);

std::vector<std::string> texts_of(const History& history, const std::vector<ResultValue>& items) {
  std::vector<std::string> texts;
  for (const ResultValue& item : items) {
    texts.push_back(text_of(history, item));
  }
  return texts;
}

std::string joined(const std::string& open, const std::vector<std::string>& texts,
                   const std::string& close) {
  std::string all = open;
  for (const std::string& text : texts) {
    all += all.size() > open.size() ? " " : "";
    all += text;
  }
  return all + close;
}

std::string set_text(const History& history, std::vector<ResultValue> items) {
  std::ranges::sort(items, {}, [&](const ResultValue& item) {
    return history.values().as_integer(item.value).value_or(0);
  });
  return joined("#{", texts_of(history, items), "}");
}

std::string text_of(const History& history, const ResultValue& value) {
  switch (value.kind) {
    case ResultValue::Kind::kNil:
      return "nil";
    case ResultValue::Kind::kBoolean:
      return value.integer != 0 ? "true" : "false";
    case ResultValue::Kind::kInteger:
      return std::to_string(value.integer);
    case ResultValue::Kind::kString:
      return '"' + value.text + '"';
    case ResultValue::Kind::kKeyword:
      return ':' + value.text;
    case ResultValue::Kind::kForm:
      return value.text;
    case ResultValue::Kind::kValue:
      return history.text(value.value);
    case ResultValue::Kind::kEvent: {
      const std::string event =
          '@' + std::to_string(history.event(value.ref.txn, value.ref.kind).index);
      return value.items.empty() ? event : event + joined("{", texts_of(history, value.items), "}");
    }
    case ResultValue::Kind::kVector:
      return joined("[", texts_of(history, value.items), "]");
    case ResultValue::Kind::kList:
      return joined("(", texts_of(history, value.items), ")");
    case ResultValue::Kind::kSet:
      return set_text(history, value.items);
    case ResultValue::Kind::kMap:
      break;
  }
  return joined("{", texts_of(history, value.items), "}");
}

std::string entry_text(const History& history, const ResultEntry& entry) {
  if (const auto* number = std::get_if<std::int64_t>(&entry.value)) {
    return std::to_string(*number);
  }
  if (const auto* text = std::get_if<std::string>(&entry.value)) {
    return '"' + *text + '"';
  }
  const auto& value = std::get<ResultValue>(entry.value);
  if (entry.key != "forks") {
    return text_of(history, value);
  }
  std::vector<std::string> texts = texts_of(history, value.items);
  std::ranges::sort(texts);
  return joined("[", texts, "]");
}

/// Counts each verdict: all must come often.
struct Verdicts {
  std::map<std::string, std::size_t> count = {};
};

struct Case {
  std::string workload;
  reference::PlainHistory history;
  std::function<std::string(const reference::PlainEvent&)> value = {};
  PlainAnswer expected = {};
  bool elle_compat = false;
  WorkloadSettings settings = {};
};

using Look = std::function<void(const History&, const Verdict&)>;

/// The verdict on a case, after its validity and entries are those expected.
void compare(const Case& the, Verdicts& verdicts, const Look& look = {}) {
  const std::string text = reference::edn_of(the.history, the.value);
  INFO(the.workload << (the.elle_compat ? " as Jepsen\n" : "\n") << text);
  ReadOptions options;
  options.workload = find_workload(the.workload);
  REQUIRE(options.workload);
  options.elle_compat = the.elle_compat;
  const Result<LoadedHistory> loaded = read_history(memory_source("h.edn", text), options);
  if (!loaded) {
    FAIL(loaded.error().message);
  }
  CheckOptions how;
  how.assumptions.elle_compat = the.elle_compat;
  how.settings = the.settings;
  const History& history = loaded.value().history();
  const Result<Verdict> verdict = check(history, how);
  if (!verdict) {
    FAIL(verdict.error().message);
  }
  CHECK(validity_word(verdict.value().validity) == the.expected.validity);
  std::map<std::string, std::string> entries;
  for (const ResultEntry& entry : verdict.value().entries) {
    if (entry.key != "error" && entry.key != "cycles" && !entry.key.starts_with("elapid/")) {
      entries[entry.key] = entry_text(history, entry);
    }
  }
  CHECK(entries == the.expected.entries);
  CHECK((verdict.value().validity == Validity::kInvalid) == !verdict.value().findings.empty());
  CHECK((verdict.value().validity == Validity::kUnknown) ==
        verdict.value().unknown_because.has_value());
  if (look) {
    look(history, verdict.value());
  }
  ++verdicts.count[the.expected.validity];
}

/// The same for Elapid's rules and for Jepsen's, with what `expected` computes by each.
template <class Expected>
void compare_both(Case& the, Verdicts& verdicts, Expected expected, const Look& look = {}) {
  for (const bool elle_compat : {false, true}) {
    the.elle_compat = elle_compat;
    the.expected = expected(the.history, elle_compat);
    compare(the, verdicts, look);
  }
}

void require_variety(const Verdicts& verdicts, std::uint64_t cases) {
  for (const char* validity : {"valid", "invalid"}) {
    INFO(validity << " came " << verdicts.count.count(validity) << " times");
    CHECK((cases < 200 || verdicts.count.at(validity) > cases / 100));
  }
}

/// Runs `make` with each seed, for both kinds of verdict.
template <class Make>
void for_all(Make make) {
  const std::uint64_t cases = case_count(2000);
  Verdicts verdicts;
  for (std::uint64_t i = 0; i < cases; ++i) {
    Random random(first_seed_of_cases() * 1'000'003 + i);
    make(random, verdicts);
  }
  require_variety(verdicts, 2 * cases);
}

std::string elements_text(const reference::PlainEvent& event) {
  if (!event.list) {
    return "nil";
  }
  std::vector<std::string> texts;
  for (const std::optional<int> value : *event.list) {
    texts.push_back(scalar_text(value));
  }
  return joined("[", texts, "]");
}

// Long forks.

std::string txn_text(const reference::PlainEvent& event) {
  std::vector<std::string> texts;
  for (const reference::PlainMop& mop : *event.txn) {
    texts.push_back(std::string(mop.is_write ? "[:w " : "[:r ") + std::to_string(mop.key) + ' ' +
                    scalar_text(mop.value) + ']');
  }
  return joined("[", texts, "]");
}

reference::PlainHistory long_fork_history(Random& random, int size) {
  std::map<int, int> store;
  std::map<int, int> stale;
  int next_key = 0;
  const bool is_mutated = random.below(3) == 0;
  PlainClients clients;
  clients.steps = 6 + random.below(40);
  clients.processes = 1 + random.below(4);
  clients.ask = [&] {
    reference::PlainEvent event;
    if (random.percent(30)) {
      const int key = random.percent(1) && next_key > 0 ? next_key - 1 : next_key++;
      event.f = "write";
      event.txn = {{.is_write = true, .key = key, .value = 1}};
      if (random.percent(60)) {
        store[key] = 1;  // at its invocation
      }
      return event;
    }
    event.f = "read";
    event.txn.emplace();
    const int group = std::max(0, next_key / size - below(random, 2)) * size;
    const int count = random.percent(1) ? size - 1 : size;
    for (int i = 0; i < count; ++i) {
      event.txn->push_back({.key = group + i});
    }
    random.shuffle(*event.txn);
    return event;
  };
  clients.answer = [&](reference::PlainEvent& event) {
    for (reference::PlainMop& mop : *event.txn) {
      if (mop.is_write) {
        store[mop.key] = 1;
      } else if (store.contains(mop.key) && !(is_mutated && random.percent(15))) {
        mop.value = is_mutated && random.percent(1) ? 2 : 1;
      }
    }
  };
  return reference::simulate(random, clients);
}

TEST_CASE("property: long forks are those of all pairs of reads") {
  for_all([](Random& random, Verdicts& verdicts) {
    const int size = 2 + below(random, 2);
    Case the{
        .workload = "long-fork", .history = long_fork_history(random, size), .value = txn_text};
    if (random.percent(60)) {
      the.settings.group_size = random.percent(95) ? size : 4;
    }
    for (const bool elle_compat : {false, true}) {
      the.elle_compat = elle_compat;
      if (elle_compat && !the.settings.group_size) {
        the.settings.group_size = size;
      }
      const std::size_t asked = static_cast<std::size_t>(the.settings.group_size.value_or(0));
      the.expected = reference::long_fork(the.history, elle_compat, asked);
      compare(the, verdicts);
    }
  });
}

/// A third of the histories lack some invocations, as if their beginning were cut off.
reference::PlainHistory without_some_invocations(Random& random, reference::PlainHistory history) {
  if (random.below(3) == 0) {
    const auto partner = reference::partners(history);
    std::vector<bool> is_dropped(history.size());
    for (std::size_t i = 0; i < history.size(); ++i) {
      is_dropped[i] = history[i].type == "invoke" && partner[i] && random.percent(30);
    }
    std::size_t place = 0;
    std::erase_if(history, [&](const reference::PlainEvent&) { return is_dropped[place++]; });
  }
  return history;
}

// Histories of one set: writes, and reads of what there is.

reference::PlainHistory set_history(Random& random, const std::string& strong_read) {
  std::vector<std::optional<int>> store;
  int next = 0;
  const bool is_mutated = random.below(3) == 0;
  const bool has_strong_reads = strong_read != "read";
  PlainClients clients;
  clients.steps = 6 + random.below(30);
  clients.processes = 1 + random.below(4);
  clients.ask = [&] {
    reference::PlainEvent event;
    if (random.percent(55)) {
      event.f = "write";
      event.scalar = random.percent(8) && next > 0 ? below(random, next) : next++;
      if (random.percent(15)) {
        store.push_back(event.scalar);
      }
      return event;
    }
    event.f = has_strong_reads && random.percent(50) ? "read" : strong_read;
    if (has_strong_reads && event.f == "read") {
      event.scalar = below(random, next + 1);
    }
    return event;
  };
  clients.answer = [&](reference::PlainEvent& event) {
    if (event.f == "write") {
      store.push_back(event.scalar);
    } else if (event.f == strong_read && !random.percent(3)) {
      event.list = store;
      if (is_mutated && random.percent(30) && !store.empty()) {
        event.list->erase(event.list->begin() +
                          static_cast<std::ptrdiff_t>(random.below(store.size())));
      }
      if (is_mutated && random.percent(5)) {
        event.list->push_back(99);
      }
    } else if (event.f == "read" && has_strong_reads && !store.empty() &&
               !(is_mutated && random.percent(20))) {
      event.scalar = random.pick(store);
    }
    if (event.f == "strong-read" && !event.list) {
      event.list = store;
    }
  };
  return reference::simulate(random, clients);
}

std::string write_or_list_text(const reference::PlainEvent& event) {
  return event.scalar ? scalar_text(event.scalar) : elements_text(event);
}

TEST_CASE("property: causal reverses are those of all pairs of writes") {
  for_all([](Random& random, Verdicts& verdicts) {
    Case the{.workload = random.percent(50) ? "causal-reverse" : "comments",
             .history = without_some_invocations(random, set_history(random, "read")),
             .value = write_or_list_text};
    compare_both(the, verdicts, reference::causal_reverse);
  });
}

TEST_CASE("property: dirty reads, lost elements and nodes that disagree") {
  for_all([](Random& random, Verdicts& verdicts) {
    Case the{.workload = "dirty-read",
             .history = set_history(random, "strong-read"),
             .value = write_or_list_text};
    compare_both(the, verdicts, reference::dirty_read);
  });
}

// Rows of a table that are all set to one value.

reference::PlainHistory rows_history(Random& random) {
  std::vector<std::optional<int>> rows(1 + random.below(4), -1);
  int next = 0;
  const bool is_mutated = random.below(3) == 0;
  PlainClients clients;
  clients.steps = 6 + random.below(30);
  clients.processes = 1 + random.below(4);
  clients.ask = [&] {
    reference::PlainEvent event;
    event.f = random.percent(50) ? "write" : "read";
    if (event.f == "write") {
      event.scalar = random.percent(8) && next > 0 ? below(random, next) : next++;
      if (is_mutated && random.percent(20)) {
        rows[random.below(rows.size())] = event.scalar;
      }
    }
    return event;
  };
  clients.answer = [&](reference::PlainEvent& event) {
    if (event.f == "write") {
      std::ranges::fill(rows, event.scalar);
    } else {
      event.list = rows;
    }
  };
  return reference::simulate(random, clients);
}

TEST_CASE("property: dirty reads show values of failed writes") {
  for_all([](Random& random, Verdicts& verdicts) {
    Case the{
        .workload = "dirty-reads", .history = rows_history(random), .value = write_or_list_text};
    compare_both(the, verdicts, reference::dirty_reads);
  });
}

// Subkeys of keys.

reference::PlainHistory subkey_history(Random& random, bool by_key, int key_count) {
  std::map<std::pair<int, int>, bool> store;
  std::map<int, int> next;
  const bool is_mutated = random.below(3) == 0;
  PlainClients clients;
  clients.steps = 6 + random.below(30);
  clients.processes = 1 + random.below(3);
  clients.ask = [&] {
    reference::PlainEvent event;
    event.key = below(random, 3);
    event.f = random.percent(60) ? (by_key ? "write" : "add") : "read";
    if (event.f == "add") {
      event.scalar = random.percent(90) ? next[*event.key]++ % key_count : below(random, key_count);
      if (random.percent(30)) {
        store[{*event.key, *event.scalar}] = true;
      }
    }
    return event;
  };
  clients.answer = [&](reference::PlainEvent& event) {
    if (event.f == "add") {
      store[{*event.key, *event.scalar}] = true;
    } else if (event.f == "write") {
      for (int i = 0; i < key_count; ++i) {
        store[{*event.key, i}] = true;
      }
    } else {
      event.list.emplace();
      for (int i = key_count - 1; i >= 0; --i) {
        const bool is_there = store[{*event.key, i}] && !(is_mutated && random.percent(30));
        event.list->push_back(is_there ? std::optional(i) : std::nullopt);
      }
      if (random.percent(3)) {
        event.list->clear();
      }
    }
  };
  return reference::simulate(random, clients);
}

std::string subkey_text(const reference::PlainEvent& event) {
  const std::string key = scalar_text(event.key);
  if (event.f == "write") {
    return key;
  }
  if (event.f == "add") {
    return '[' + key + " \"" + key + '_' + scalar_text(event.scalar) + "\"]";
  }
  if (!event.list) {
    return '[' + key + " nil]";
  }
  std::vector<std::string> texts;
  for (const std::optional<int> subkey : *event.list) {
    texts.push_back(subkey ? '"' + key + '_' + scalar_text(subkey) + '"' : "nil");
  }
  return '[' + key + ' ' + joined("[", texts, "]") + ']';
}

TEST_CASE("property: subkeys are missing behind those added later") {
  for_all([](Random& random, Verdicts& verdicts) {
    const int key_count = 1 + below(random, 4);
    Case the{.workload = "sequential",
             .history = without_some_invocations(
                 random, subkey_history(random, random.percent(30), key_count)),
             .value = subkey_text};
    the.settings.key_count = key_count;
    compare_both(the, verdicts, [&](const reference::PlainHistory& history, bool elle_compat) {
      return reference::sequential(history, elle_compat, static_cast<std::size_t>(key_count));
    });
  });
}

// Pairs of insertions: one of each pair must fail.

TEST_CASE("property: two insertions of a key succeed") {
  for_all([](Random& random, Verdicts& verdicts) {
    std::map<int, bool> taken;
    int next_id = 0;
    const bool is_mutated = random.below(3) == 0;
    PlainClients clients;
    clients.steps = 1 + random.below(30);
    clients.processes = 1 + random.below(3);
    clients.ask = [&] {
      reference::PlainEvent event;
      event.f = "insert";
      event.key = below(random, 12);
      event.scalar = next_id++;
      return event;
    };
    clients.answer = [&](reference::PlainEvent& event) {
      const bool was_taken = std::exchange(taken[*event.key], true);
      event.type = was_taken && !(is_mutated && random.percent(30)) ? "fail" : "ok";
    };
    Case the{.workload = "g2", .history = reference::simulate(random, clients)};
    the.value = [](const reference::PlainEvent& event) {
      const std::string id = scalar_text(event.scalar);
      return '[' + scalar_text(event.key) +
             (*event.scalar % 2 == 0 ? " [" + id + " nil]]" : " [nil " + id + "]]");
    };
    compare_both(the, verdicts, reference::g2);
  });
}

// One causal order.

TEST_CASE("property: one causal order of a register") {
  for_all([](Random& random, Verdicts& verdicts) {
    int value = 0;
    int next = 1;
    int position = 100;
    std::optional<int> last;
    bool was_initialised = false;
    const bool is_mutated = random.below(3) == 0;
    PlainClients clients;
    clients.steps = 1 + random.below(24);
    clients.processes = random.percent(80) ? 1 : 2;
    clients.ask = [&] {
      reference::PlainEvent event;
      event.f = !std::exchange(was_initialised, true) ? "read-init"
                : random.percent(50)                  ? "write"
                                                      : "read";
      if (event.f == "write") {
        event.scalar = is_mutated && random.percent(5) ? next + 1 : next++;
        if (random.percent(15)) {
          value = *event.scalar;
        }
      }
      return event;
    };
    clients.answer = [&](reference::PlainEvent& event) {
      event.link = last.value_or(-1);
      if (is_mutated && random.percent(5)) {
        event.link = 7;
      }
      last = event.position = position++;
      if (event.f == "write") {
        value = *event.scalar;
      } else if (!random.percent(5)) {
        event.scalar = is_mutated && random.percent(10) ? value - 1 : value;
      }
    };
    Case the{.workload = "causal", .history = reference::simulate(random, clients)};
    the.value = [](const reference::PlainEvent& event) { return scalar_text(event.scalar); };
    compare_both(the, verdicts, reference::causal);
  });
}

// Values that grow.

TEST_CASE("property: rows by timestamp have rising values") {
  for_all([](Random& random, Verdicts& verdicts) {
    struct PlainRow {
      int val, sts, node, table;
    };

    std::vector<PlainRow> rows;
    int sts = 1;
    const bool is_mutated = random.below(3) == 0;
    PlainClients clients;
    clients.steps = 4 + random.below(30);
    clients.processes = 1 + random.below(3);
    clients.ask = [&] {
      reference::PlainEvent event;
      event.f = random.percent(75) ? "add" : "read";
      return event;
    };
    clients.answer = [&](reference::PlainEvent& event) {
      if (event.f == "add") {
        sts += is_mutated && random.percent(20) ? -2 : below(random, 3);
        const int val = static_cast<int>(rows.size()) + (is_mutated && random.percent(10) ? 1 : 0);
        rows.push_back({val, sts, below(random, 2), below(random, 2)});
        event.scalar = val;
        event.row = {sts};
        if (random.percent(10)) {
          event.type = random.percent(50) ? "fail" : "info";  // with its value
          if (event.type == "fail" && !is_mutated) {
            rows.pop_back();
          }
        }
        return;
      }
      event.list.emplace();
      std::vector<PlainRow> sorted = rows;
      if (!(is_mutated && random.percent(20))) {
        std::ranges::stable_sort(sorted, {}, &PlainRow::sts);
      }
      for (const PlainRow& row : sorted) {
        if (!(is_mutated && random.percent(5))) {
          event.list->insert(event.list->end(), {row.val, row.sts, row.node, row.table});
        }
      }
    };
    Case the{.workload = "monotonic-cockroach", .history = reference::simulate(random, clients)};
    const auto row_text = [](int val, int at, int node, int table) {
      return "{:val " + std::to_string(val) + ", :sts " + std::to_string(at) + ", :node " +
             std::to_string(node) + ", :tb " + std::to_string(table) + '}';
    };
    the.value = [&](const reference::PlainEvent& event) -> std::string {
      if (event.f == "add") {
        return event.scalar ? row_text(*event.scalar, *event.row.front(), 0, 0) : "nil";
      }
      if (!event.list) {
        return "nil";
      }
      std::vector<std::string> texts;
      for (std::size_t i = 0; i < event.list->size(); i += 4) {
        texts.push_back(row_text(*(*event.list)[i], *(*event.list)[i + 1], *(*event.list)[i + 2],
                                 *(*event.list)[i + 3]));
      }
      return joined("[", texts, "]");
    };
    compare_both(the, verdicts, reference::monotonic_cockroach);
  });
}

TEST_CASE("property: what a process sees does not fall") {
  for_all([](Random& random, Verdicts& verdicts) {
    int value = 0;
    int now = 10;
    const bool is_mutated = random.below(3) == 0;
    PlainClients clients;
    clients.steps = 1 + random.below(30);
    clients.processes = 1 + random.below(3);
    clients.ask = [&] {
      reference::PlainEvent event;
      event.f = random.percent(40) ? "inc" : random.percent(80) ? "read" : "read-at";
      return event;
    };
    clients.answer = [&](reference::PlainEvent& event) {
      now += below(random, 3);
      value += event.f == "inc" ? 1 : 0;
      const bool is_old = event.f == "read-at" || (is_mutated && random.percent(20));
      event.list = {{now - (is_old ? 4 : 0), value - (is_old ? below(random, 3) : 0)}};
    };
    Case the{.workload = "monotonic-faunadb",
             .history = reference::simulate(random, clients),
             .value = elements_text};
    compare_both(the, verdicts, reference::monotonic_faunadb);
  });
}

/// That each operation of a cycle comes before the next, by real time or by a key.
void check_cycles(const reference::PlainHistory& plain, const History& history,
                  const Verdict& verdict) {
  const auto partner = reference::partners(plain);
  for (const ResultEntry& entry : verdict.entries) {
    if (entry.key != "cycles") {
      continue;
    }
    for (const ResultValue& cycle : std::get<ResultValue>(entry.value).items) {
      CHECK(cycle.items.size() >= 2);
      for (std::size_t i = 0; i < cycle.items.size(); ++i) {
        const auto place = [&](std::size_t at) {
          const EventRef ref = cycle.items[at % cycle.items.size()].ref;
          return static_cast<std::size_t>(history.event(ref.txn, ref.kind).index);
        };
        const std::size_t from = place(i);
        const std::size_t to = place(i + 1);
        bool is_before = from < *partner[to];
        for (const auto& [key, value] : *plain[from].map) {
          const auto other = plain[to].map->find(key);
          is_before |= other != plain[to].map->end() && value < other->second;
        }
        CHECK(is_before);
      }
    }
  }
}

TEST_CASE("property: keys that grow and real time have no cycle") {
  for_all([](Random& random, Verdicts& verdicts) {
    std::map<int, int> store;
    const bool is_mutated = random.below(3) == 0;
    PlainClients clients;
    clients.steps = 1 + random.below(30);
    clients.processes = 1 + random.below(4);
    clients.ask = [&] {
      reference::PlainEvent event;
      event.f = random.percent(50) ? "inc" : "read";
      event.key = below(random, 3);
      return event;
    };
    clients.answer = [&](reference::PlainEvent& event) {
      event.map.emplace();
      if (event.f == "inc") {
        const int value = ++store[*event.key];
        (*event.map)[*event.key] = value;
        return;
      }
      for (int key = 0; key < 3; ++key) {
        if (random.percent(70)) {
          (*event.map)[key] = store[key] - (is_mutated && random.percent(10) ? 1 : 0);
        }
      }
    };
    Case the{.workload = "monotonic-tidb", .history = reference::simulate(random, clients)};
    the.value = [](const reference::PlainEvent& event) -> std::string {
      if (!event.map) {
        return event.f == "inc" ? scalar_text(event.key) : "{0 nil}";
      }
      std::vector<std::string> texts;
      for (const auto& [key, value] : *event.map) {
        texts.push_back(std::to_string(key) + ' ' + std::to_string(value));
      }
      return joined("{", texts, "}");
    };
    compare_both(the, verdicts, reference::monotonic_tidb,
                 [&](const History& history, const Verdict& verdict) {
                   check_cycles(the.history, history, verdict);
                 });
  });
}

}  // namespace
}  // namespace elapid
