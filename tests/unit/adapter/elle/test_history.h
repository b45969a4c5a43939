// Small histories for tests of renderings, written event by event.
#pragma once

#include <catch2/catch.hpp>
#include <cctype>
#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "engine/ir/history_builder.h"
#include "engine/verdict/verdict.h"

namespace elapid::elle_test {

/// `TestHistory().invoke(0, "a :x 1 ; r :y nil").ok(0, "a :x 1 ; r :y 1,2").build()`. Operations:
/// `a` append, `r` read (elements with commas, `[]` the empty list, `nil`), `w` write, `R` read of
/// a register.
class TestHistory {
 public:
  TestHistory& invoke(std::int64_t process, const std::string& ops) {
    return add(EventType::kInvoke, process, ops);
  }

  TestHistory& ok(std::int64_t process, const std::string& ops) {
    return add(EventType::kOk, process, ops);
  }

  TestHistory& fail(std::int64_t process, const std::string& ops) {
    return add(EventType::kFail, process, ops);
  }

  TestHistory& info(std::int64_t process, const std::string& ops) {
    return add(EventType::kInfo, process, ops);
  }

  /// An invocation and its successful completion.
  TestHistory& txn(std::int64_t process, const std::string& ops) {
    return invoke(process, ops).ok(process, ops);
  }

  /// Time of the next event.
  TestHistory& at(std::int64_t time) {
    time_ = time;
    return *this;
  }

  History build() {
    HistoryInfo info;
    info.format = "edn";
    Result<History> history = std::move(builder_).build(std::move(info));
    REQUIRE(history.ok());
    return std::move(history).value();
  }

 private:
  ValueId value(const std::string& text) {
    const bool number = std::isdigit(static_cast<unsigned char>(text.front())) != 0;
    return number ? builder_.values().integer(std::stoll(text)) : builder_.values().intern(text);
  }

  void add_elements(const std::string& list, MopInput& mop) {
    mop.list_begin = static_cast<std::uint32_t>(elements_.size());
    std::istringstream parts(list == "[]" ? "" : list);
    for (std::string part; std::getline(parts, part, ',');) {
      elements_.push_back(value(part));
    }
    mop.list_length = static_cast<std::uint32_t>(elements_.size()) - mop.list_begin;
  }

  TestHistory& add(EventType type, std::int64_t process, const std::string& ops) {
    std::vector<MopInput> mops;
    elements_.clear();
    std::istringstream words(ops);
    for (std::string function, key, shown, separator; words >> function >> key >> shown;) {
      MopInput mop{.key = builder_.key(value(key))};
      const bool list = function == "r" && shown != "nil";
      mop.kind = function == "a"   ? OpKind::kAppend
                 : function == "w" ? OpKind::kWrite
                 : list            ? OpKind::kReadList
                                   : OpKind::kRead;
      if (list) {
        add_elements(shown, mop);
      } else {
        mop.value = value(shown);
      }
      mops.push_back(mop);
      words >> separator;
    }
    EventInput event{.type = type, .process = process, .mops = mops, .elements = elements_};
    if (time_ >= 0) {
      event.time = time_;
    }
    REQUIRE(builder_.add_event(event).ok());
    return *this;
  }

  HistoryBuilder builder_;
  std::vector<ValueId> elements_;
  std::int64_t time_ = -1;
};

/// The id of a small integer.
inline ValueId number(std::int64_t n) {
  return ValueId::integer(n);
}

/// The key called `name`.
inline KeyId key_named(const History& history, const std::string& name) {
  return history.find_key(history.values().find(name));
}

/// T1 appended 2 to :x after T0 appended 1, and T0 read T1's append to :y: a G1c. Returned with it.
inline History g1c_history() {
  return TestHistory()
      .at(1000)
      .invoke(0, "a :x 1 ; r :y nil")
      .invoke(1, "a :x 2 ; a :y 1")
      .at(2000000)
      .ok(0, "a :x 1 ; r :y 1")
      .ok(1, "a :x 2 ; a :y 1")
      .invoke(2, "r :x nil")
      .ok(2, "r :x 1,2")
      .build();
}

inline CycleEvidence g1c_cycle(const History& history) {
  const Step wr{.from = {1},
                .to = {0},
                .relation = Relation::kWr,
                .key = key_named(history, ":y"),
                .value = number(1),
                .from_mop = 1,
                .to_mop = 1};
  const Step ww{.from = {0},
                .to = {1},
                .relation = Relation::kWw,
                .key = key_named(history, ":x"),
                .value = number(1),
                .value_after = number(2),
                .from_mop = 0,
                .to_mop = 0};
  return {.steps = {wr, ww}};
}

}  // namespace elapid::elle_test
