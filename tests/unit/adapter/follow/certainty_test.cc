#include "adapter/follow/certainty.h"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "adapter/follow/prefix_check.h"
#include "parsers/door/door.h"
#include "parsers/read.h"
#include "tests/support/sample_size.h"
#include "tests/unit/adapter/follow/event_line.h"

namespace elapid {
namespace {

/// `writes repeats changes unwritten recent uninvoked`, those that hold.
std::string facts(const std::string& text) {
  const auto loaded = read_history(memory_source("history.edn", text), {});
  REQUIRE(loaded);
  const PrefixFacts facts = facts_of(loaded.value().history());
  CHECK(facts.has_event_order);
  std::string words;
  for (const auto& [is_there, word] :
       {std::pair(facts.has_writes, "writes"), std::pair(facts.repeats_values, "repeats"),
        std::pair(facts.changes_operations, "changes"),
        std::pair(facts.reads_unwritten, "unwritten"),
        std::pair(facts.unwritten_is_recent, "recent"),
        std::pair(facts.lacks_invocations, "uninvoked")}) {
    words += is_there ? (words.empty() ? "" : " ") + std::string(word) : "";
  }
  return words;
}

TEST_CASE("what is known of a beginning") {
  const std::string wrote = op("invoke", 0, "[[:w 1 5]]") + op("ok", 0, "[[:w 1 5]]");
  const std::string open = op("invoke", 9, "[[:w 2 7]]");
  const auto read = [](const std::string& value) {
    return op("invoke", 1, "[[:r 1 nil]]") + op("ok", 1, "[[:r 1 " + value + "]]");
  };
  CHECK(facts(read("nil")) == "");
  CHECK(facts(wrote + read("5")) == "writes");
  CHECK(facts(wrote + read("6")) == "writes unwritten");
  CHECK(facts(wrote + open + read("6")) == "writes unwritten recent");
  CHECK(facts(wrote + read("6") + open) == "writes unwritten");
  CHECK(facts(wrote + open + read("6") + op("info", 9, "[[:w 2 7]]")) == "writes unwritten");
  CHECK(facts(wrote + op("invoke", 2, "[[:w 1 5]]")) == "writes repeats");
  CHECK(facts(wrote + op("invoke", 2, "[[:w 1 nil]]")) == "writes repeats");
  CHECK(facts(wrote + op("ok", 2, "[[:w 1 6]]")) == "writes uninvoked");
  CHECK(facts(wrote + op("invoke", 2, "[[:r 1 nil]]") + op("info", 2, "[[:r 1 6]]")) ==
        "writes unwritten");
  CHECK(facts(wrote + op("invoke", 2, "[[:w 1 6]]") + op("ok", 2, "[[:w 1 7]]")) ==
        "writes changes");
  CHECK(facts(op("invoke", 2, "[[:w 1 6]]") + op("fail", 2, "nil") + read("6")).find("unwritten") ==
        std::string::npos);
}

TEST_CASE("what is known of a beginning with lists") {
  const auto append = [](const std::string& value) {
    return op("invoke", 0, "[[:append 1 " + value + "]]") +
           op("ok", 0, "[[:append 1 " + value + "]]");
  };
  const auto read = [](const std::string& value) {
    return op("invoke", 1, "[[:r 1 nil]]") + op("ok", 1, "[[:r 1 " + value + "]]");
  };
  CHECK(facts(append("5") + append("6") + read("[5 6]") + read("[6]")) == "writes");
  CHECK(facts(append("5") + read("[5 6]")) == "writes unwritten");
  CHECK(facts(append("5") + read("[5]") + read("[6]")) == "writes unwritten");
  CHECK(facts(append("5") + append("5") + read("[5]")) == "writes repeats");
}

TEST_CASE("which violations are certain") {
  const PrefixFacts clean = {.has_writes = true, .has_event_order = true};
  const auto with = [&](bool PrefixFacts::*fact) {
    PrefixFacts facts = clean;
    facts.*fact = !(facts.*fact);
    return facts;
  };
  for (const Model level : {Model::kPl3, Model::kPlSs}) {
    CHECK(is_certain(level, clean));
    CHECK_FALSE(is_certain(level, with(&PrefixFacts::has_writes)));
    CHECK_FALSE(is_certain(level, with(&PrefixFacts::changes_operations)));
    CHECK(is_certain(level, with(&PrefixFacts::has_event_order)));
    PrefixFacts recent = with(&PrefixFacts::reads_unwritten);
    recent.unwritten_is_recent = true;
    CHECK_FALSE(is_certain(level, recent));
    recent = with(&PrefixFacts::repeats_values);
    recent.has_event_order = false;
    CHECK_FALSE(is_certain(level, recent));
  }
  for (bool PrefixFacts::*fact : {&PrefixFacts::repeats_values, &PrefixFacts::reads_unwritten}) {
    CHECK(is_certain(Model::kPlSs, with(fact)));
    CHECK_FALSE(is_certain(Model::kPl3, with(fact)));
  }
  CHECK_FALSE(is_certain(*find_model("read-uncommitted"), clean));
  PrefixFacts uninvoked = with(&PrefixFacts::lacks_invocations);
  CHECK(is_certain(Model::kPlSs, uninvoked));
  CHECK(keeps_trust(Model::kPl3, uninvoked));
  CHECK_FALSE(keeps_trust(Model::kPlSs, uninvoked));
  CHECK_FALSE(keeps_trust(Model::kLinearizable, uninvoked));
  CHECK(keeps_trust(Model::kLinearizable, with(&PrefixFacts::repeats_values)));
  uninvoked.reads_unwritten = true;
  CHECK_FALSE(is_certain(Model::kPlSs, uninvoked));
}

/// Histories of a store that answers with anything that fits some order of writes of each key, even
/// with what is written only later.
class Generator {
 public:
  Generator(unsigned seed, bool has_lists, bool may_repeat)
      : random_(seed), has_lists_(has_lists), repeats_values_(may_repeat) {}

  std::vector<std::string> lines() {
    constexpr int kTxns = 5;
    for (int t = 0; t < kTxns; ++t) {
      values_.emplace_back();
      for (unsigned i = below(2) + 1; i > 0; --i) {
        const auto key = static_cast<std::size_t>(below(2));
        const int written = repeats_values_ ? static_cast<int>(below(3)) : last_++;
        const bool is_read = below(2) == 0;
        values_.back().push_back({key, written, is_read});
        if (!is_read) {
          auto& order = orders_.at(key);
          order.insert(order.begin() + below(static_cast<unsigned>(order.size()) + 1), written);
        }
      }
    }
    return interleave(kTxns);
  }

 private:
  struct Mop {
    std::size_t key;
    int written;
    bool is_read;
  };

  std::vector<std::string> interleave(int txns) {
    std::vector<std::string> lines;
    std::array<int, 3> open = {-1, -1, -1};
    for (int next = 0; next < txns || below(10) > 0;) {
      const auto process = static_cast<std::size_t>(below(3));
      int& own = open.at(process);
      if (own >= 0) {
        const std::string type = below(12) == 0 && !repeats_values_ ? "fail"
                                 : below(12) == 0                   ? "info"
                                                                    : "ok";
        lines.push_back(op(type, static_cast<int>(process), value(own, type == "ok")));
        own = -1;
      } else if (next < txns) {
        own = next++;
        lines.push_back(op("invoke", static_cast<int>(process), value(own, false)));
      }
    }
    return lines;
  }

  std::string value(int txn, bool is_known) {
    std::string text;
    for (const auto& [key, written, is_read] : values_.at(static_cast<std::size_t>(txn))) {
      const std::string of_key = std::to_string(key) + " ";
      text += is_read
                  ? "[:r " + of_key + (is_known ? result(key) : "nil") + "]"
                  : (has_lists_ ? "[:append " : "[:w ") + of_key + std::to_string(written) + "]";
    }
    const bool changes = is_known && below(40) == 0;
    const std::string fresh = std::to_string(100 + txn) + "]";
    return "[" + text + (changes ? (has_lists_ ? "[:append 0 " : "[:w 0 ") + fresh : "") + "]";
  }

  std::string result(std::size_t key) {
    const std::vector<int>& order = orders_.at(key);
    const unsigned length = below(static_cast<unsigned>(order.size()) + 1);
    if (!has_lists_) {
      return length == 0 ? "nil" : std::to_string(order.at(length - 1));
    }
    std::string list = "[";
    for (unsigned i = 0; i < length; ++i) {
      list += std::to_string(order.at(i)) + " ";
    }
    return list + "]";
  }

  unsigned below(unsigned end) {
    return std::uniform_int_distribution<unsigned>(0, end - 1)(random_);
  }

  std::mt19937 random_;
  bool has_lists_;
  bool repeats_values_;
  int last_ = 0;
  std::array<std::vector<int>, 2> orders_;
  std::vector<std::vector<Mop>> values_;
};

PrefixReport check(const std::string& text, bool is_whole, Workload workload) {
  FollowOptions options;
  for (const char* const level : {"read-uncommitted", "read-committed", "rc", "ra", "cc",
                                  "snapshot-isolation", "si", "repeatable-read", "serializable",
                                  "ser", "strong-snapshot-isolation", "strict-serializable"}) {
    options.check.models.set(*find_model(level));
  }
  options.read.workload = workload;
  const auto prefix = check_prefix([&] { return memory_source("history.edn", text); }, {}, options,
                                   is_whole, [] { return true; });
  INFO(text);
  if (!prefix) {
    FAIL(prefix.error().to_string());
  }
  return prefix.value().report;
}

TEST_CASE("what is certain of a beginning holds for the whole") {
  // Without real time, a history that repeats values for the first time behind the beginning would
  // have to be foreseen.
  const ModelSet with_real_time = ModelSet().set(Model::kPlSs).set(Model::kStrongSnapshotIsolation);
  std::size_t certain = 0;
  std::size_t retracted = 0;
  const std::size_t histories = round_count(300, 3'000);
  for (unsigned seed = 0; seed < histories; ++seed) {
    const bool has_lists = seed % 2 == 0;
    const Workload workload = has_lists ? Workload::kListAppend : Workload::kRwRegister;
    const bool may_repeat = seed % 5 == 0;
    const std::vector<std::string> lines = Generator(seed, has_lists, may_repeat).lines();
    std::string text;
    std::vector<std::pair<std::string, PrefixReport>> prefixes;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      text += lines[i];
      if (i > 0 && lines[i].find(":invoke") == std::string::npos) {
        prefixes.emplace_back(text, check(text, false, workload));
      }
    }
    text += lines.back();
    const PrefixReport whole = check(text, true, workload);
    for (const auto& [prefix, report] : prefixes) {
      INFO(prefix << "---\n" << text);
      CHECK(
          (report.violated & whole.valid & (may_repeat ? with_real_time : ModelSet::all())).none());
      certain += report.violated.count();
      retracted += (report.provisional & whole.valid).count();
    }
  }
  CHECK(certain > histories);
  CHECK(retracted > histories / 15);
}

/// `rows writes changes`, those that hold.
std::string row_facts(const std::string& text) {
  const auto loaded = read_history(memory_source("history.edn", text), {});
  REQUIRE(loaded);
  const PrefixFacts facts = facts_of(loaded.value().history());
  CHECK(facts.has_event_order);
  CHECK(facts.has_rows);
  CHECK_FALSE(facts.repeats_values);
  return std::string(facts.has_writes ? "writes" : "") +
         (facts.changes_operations ? " changes" : "");
}

TEST_CASE("what is known of a beginning with rows") {
  const auto txn = [](const std::string& invoked, const std::string& completed) {
    return op("invoke", 0, invoked) + op("ok", 0, completed);
  };
  const std::string read = txn("[[:rp [:in :v 1 5] nil]]", "[[:rp [:in :v 1 5] {}]]");
  CHECK(row_facts(read) == "");
  CHECK(row_facts(read + txn("[[:insert 1 {:v 5}]]", "[[:insert 1 {:v 5}]]")) == "writes");
  CHECK(row_facts(read + txn("[[:up :true {:v 5} nil]]", "[[:up :true {:v 5} #{}]]")) == "writes");
  CHECK(row_facts(read + op("invoke", 1, "[[:insert 1 {:v 5}]]")) == "writes");
  SECTION("clients may stop before they write, and not in between") {
    const std::string invoked = "[[:rp :true nil] [:insert 1 {:v 5}] [:insert 2 {:v 5}]]";
    const std::string wrote = txn("[[:insert 3 {:v 5}]]", "[[:insert 3 {:v 5}]]");
    CHECK(row_facts(wrote + txn(invoked, "[[:rp :true #{3}]]")) == "writes");
    CHECK(row_facts(wrote + txn(invoked, "[[:rp :true #{3}] [:insert 1 {:v 5}]]")) ==
          "writes changes");
  }
  SECTION("what is written is what was invoked") {
    CHECK(row_facts(txn("[[:insert 1 {:v 5}]]", "[[:insert 1 {:v 6}]]")) == "writes changes");
    CHECK(row_facts(txn("[[:up :true {:v 5} nil]]", "[[:up [:in :v 1 5] {:v 5} 0]]")) ==
          "writes changes");
  }
  SECTION("an unfinished transaction without operations may do anything") {
    CHECK(row_facts(read + op("invoke", 1, "nil")) == " changes");
    CHECK(row_facts(read + op("ok", 1, "[[:insert 1 {:v 5}]]")) == "writes changes");
  }
}

TEST_CASE("violations by rows are certain with real time") {
  const PrefixFacts rows = {.has_rows = true, .has_writes = true, .has_event_order = true};
  CHECK(is_certain(Model::kPlSs, rows));
  CHECK(is_certain(Model::kStrongSnapshotIsolation, rows));
  CHECK_FALSE(is_certain(Model::kPl3, rows));
  CHECK_FALSE(is_certain(Model::kPl2, rows));
  PrefixFacts changed = rows;
  changed.changes_operations = true;
  CHECK_FALSE(is_certain(Model::kPlSs, changed));
  PrefixFacts unordered = rows;
  unordered.has_event_order = false;
  CHECK_FALSE(is_certain(Model::kPlSs, unordered));
}

/// Histories of rows of a store that carries transactions out in an order that has nothing to do
/// with time, and whose results are wrong at times.
class RowsGenerator {
 public:
  explicit RowsGenerator(unsigned seed) : random_(seed) {}

  std::vector<std::string> lines() {
    constexpr std::size_t kTxns = 6;
    std::vector<std::pair<std::string, std::string>> txns;
    for (std::size_t i = 0; i < kTxns; ++i) {
      txns.push_back(carry_out());
    }
    for (std::size_t i = kTxns; i > 1; --i) {  // a bit of disorder
      if (below(3) == 0) {
        std::swap(txns[i - 1], txns[i - 2]);
      }
    }
    std::vector<std::string> lines;
    std::array<std::size_t, 3> open = {kTxns, kTxns, kTxns};
    for (std::size_t next = 0; next < kTxns || below(10) > 0;) {
      const auto process = static_cast<std::size_t>(below(3));
      std::size_t& own = open.at(process);
      const auto client = static_cast<int>(process);
      if (own < kTxns) {
        lines.push_back(below(12) == 0 ? op("info", client, txns[own].first)
                                       : op("ok", client, txns[own].second));
        own = kTxns;
      } else if (next < kTxns) {
        own = next++;
        lines.push_back(op("invoke", client, txns[own].first));
      }
    }
    return lines;
  }

 private:
  /// As it is invoked, and as it completes.
  std::pair<std::string, std::string> carry_out() {
    std::string invoked;
    std::string completed;
    for (unsigned i = below(2) + 1; i > 0; --i) {
      const int row = static_cast<int>(below(3));
      const std::string name = std::to_string(row);
      const int value = static_cast<int>(below(4));
      const std::string columns = " {:v " + std::to_string(value) + "}]";
      if (below(2) == 0) {
        const std::string where = "[:rp [:in :v 0 " + std::to_string(value) + "] ";
        invoked += where + "nil]";
        completed += where + found(value) + "]";
      } else if (!rows_.contains(row)) {
        invoked += "[:insert " + name + columns;
        completed += "[:insert " + name + columns;
        rows_[row] = value;
      } else if (below(2) == 0) {
        invoked += "[:update " + name + columns;
        completed += "[:update " + name + columns;
        rows_[row] = value;
      } else {
        invoked += "[:delete " + name + "]";
        completed += "[:delete " + name + "]";
        rows_.erase(row);
      }
    }
    return {"[" + invoked + "]", "[" + completed + "]"};
  }

  std::string found(int most) {
    std::string result;
    for (const auto& [row, value] : rows_) {
      if (value <= most && below(15) > 0) {
        result += std::to_string(row) + " {:v " + std::to_string(value) + "} ";
      }
    }
    return "{" + result + "}";
  }

  unsigned below(unsigned end) {
    return std::uniform_int_distribution<unsigned>(0, end - 1)(random_);
  }

  std::mt19937 random_;
  std::map<int, int> rows_ = {};
};

TEST_CASE("what is certain of a beginning with rows holds for the whole") {
  std::size_t certain = 0;
  std::size_t retracted = 0;
  const std::size_t histories = round_count(300, 3'000);
  for (unsigned seed = 0; seed < histories; ++seed) {
    const std::vector<std::string> lines = RowsGenerator(seed).lines();
    std::string text;
    std::vector<std::pair<std::string, PrefixReport>> prefixes;
    for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
      text += lines[i];
      if (i > 0 && lines[i].find(":invoke") == std::string::npos) {
        prefixes.emplace_back(text, check(text, false, Workload::kRows));
      }
    }
    text += lines.back();
    const PrefixReport whole = check(text, true, Workload::kRows);
    for (const auto& [prefix, report] : prefixes) {
      INFO(prefix << "---\n" << text);
      CHECK((report.violated & whole.valid).none());
      certain += report.violated.count();
      retracted += (report.provisional & whole.valid).count();
    }
  }
  CHECK(certain > histories / 3);
  CHECK(retracted > histories / 15);
}

}  // namespace
}  // namespace elapid
