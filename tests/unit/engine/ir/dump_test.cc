#include "tests/support/dump.h"

#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <string_view>

#include "engine/ir/history_builder.h"

namespace elapid {
namespace {

constexpr std::string_view kText =
    "elapid-history 1\n"
    "format\tedn\n"
    "file\ta\\sfile.edn\n"
    "invoke\t0\t3\t12\t0:0\tappend :x 1\tread :y nil\n"
    "skip\t-\t4\t-\t0:0\n"
    "ok\t0\t5\t15\t0:80\tappend :x 1\tlist :y 3 4\n"
    "invoke\t1\t6\t-\t0:90\twrite \"a\\sb\\tc\\\\\" :v\n"
    "info\t1\t7\t-\t0:99\twrite \"a\\sb\\tc\\\\\" :v\n"
    "invoke\t2\t8\t20\t0:120\tread :y nil\n"
    "skip\t-\t9\t-\t0:0\n";

TEST_CASE("dump: reads what it writes") {
  const Result<History> history = parse_dump(kText);
  REQUIRE(history.ok());
  CHECK(dump(history.value()) == kText);
  CHECK(history.value().key_text(history.value().ops({1})[0].key()) == "\"a b\tc\\\"");
  CHECK(history.value().info().files == std::vector<std::string>{"a file.edn"});
}

/// Random events with all that the builder takes without an option: bare and missing completions,
/// completions of another shape, contradictory lists, disorder of indices and times.
class RandomEvents {
 public:
  explicit RandomEvents(std::uint32_t seed) : random_(seed) {}

  History build() {
    const bool has_index = percent(50);
    const bool has_process = percent(80);
    std::int64_t index = 40;
    for (std::size_t events = below(30); events > 0; --events) {
      index += percent(10) ? 1 + random_offset() : 1;
      const auto shown = has_index ? std::optional(percent(5) ? -index : index) : std::nullopt;
      if (percent(10)) {
        REQUIRE(builder_.skip_event({.index = shown}).ok());
        continue;
      }
      add(shown, has_process ? below(busy_.size()) : 0, has_process);
    }
    Result<History> history = std::move(builder_).build({.format = "some", .files = {"a b", "c"}});
    REQUIRE(history.ok());
    return std::move(history).value();
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }

  bool percent(std::size_t chance) { return below(100) < chance; }

  std::int64_t random_offset() { return static_cast<std::int64_t>(random_()) * (percent(50) + 1); }

  void add(std::optional<std::int64_t> index, std::size_t process, bool has_process) {
    const bool completes = busy_.at(process) || percent(10);
    busy_.at(process) = !completes;
    elements_.clear();
    if (!completes || percent(30)) {
      mops_.at(process).clear();
      for (std::size_t mops = below(4); mops > 0; --mops) {
        mops_.at(process).push_back(random_mop());
      }
    } else {
      for (MopInput& mop : mops_.at(process)) {
        mop =
            mop.kind == OpKind::kRead || mop.kind == OpKind::kReadList ? random_list(mop.key) : mop;
      }
    }
    EventInput event{.type = static_cast<EventType>(completes ? 1 + below(3) : 0),
                     .index = index,
                     .position = {.file = static_cast<std::uint16_t>(below(2)),
                                  .offset = static_cast<std::uint64_t>(random_offset())},
                     .mops = mops_.at(process),
                     .elements = elements_};
    if (has_process) {
      event.process = static_cast<std::int64_t>(process) * 7 - 3;
    }
    if (percent(70)) {
      event.time = percent(10) ? -random_offset() : random_offset();
    }
    REQUIRE(builder_.add_event(event).ok());
  }

  MopInput random_mop() {
    constexpr std::array kKinds = {OpKind::kRead, OpKind::kWrite, OpKind::kAppend, OpKind::kOther};
    const KeyId key = builder_.key(random_value());
    return percent(20)
               ? random_list(key)
               : MopInput{
                     .kind = kKinds.at(below(kKinds.size())), .key = key, .value = random_value()};
  }

  MopInput random_list(KeyId key) {
    const auto begin = static_cast<std::uint32_t>(elements_.size());
    for (std::size_t length = below(4); length > 0; --length) {
      elements_.push_back(random_value());
    }
    return {.kind = OpKind::kReadList,
            .key = key,
            .list_begin = begin,
            .list_length = static_cast<std::uint32_t>(elements_.size()) - begin};
  }

  ValueId random_value() {
    constexpr std::array<std::string_view, 8> kTexts = {
        "1", "-2", "4611686018427387904", "nil", ":x", "\"a b\t\\s\n\"", "[1 [2 \"\"]]", "-"};
    return builder_.values().intern(kTexts.at(below(kTexts.size())));
  }

  std::mt19937 random_;
  HistoryBuilder builder_;
  std::array<bool, 4> busy_ = {};
  std::array<std::vector<MopInput>, 4> mops_;
  std::vector<ValueId> elements_;
};

std::string op_text(const History& history, Op op) {
  std::string out = std::to_string(static_cast<int>(op.kind())) + history.key_text(op.key());
  if (op.kind() != OpKind::kReadList) {
    return out + ' ' + history.text(op.value());
  }
  for (const ValueId element : history.elements(op)) {
    out += ' ' + history.text(element);
  }
  return out;
}

std::vector<std::string> op_texts(const History& history, std::span<const Op> ops) {
  std::vector<std::string> texts;
  for (const Op op : ops) {
    texts.push_back(op_text(history, op));
  }
  return texts;
}

void check_same_event(const Event& a, const Event& b) {
  CHECK(a.id == b.id);
  CHECK(a.index == b.index);
  CHECK(a.time == b.time);
  CHECK(a.position == b.position);
}

void check_same(const History& a, const History& b) {
  REQUIRE(a.txn_count() == b.txn_count());
  CHECK(a.info().event_count == b.info().event_count);
  CHECK(a.info().files == b.info().files);
  CHECK(a.info().has_process == b.info().has_process);
  CHECK(a.info().remarks.size() == b.info().remarks.size());
  for (std::uint32_t t = 0; t < a.txn_count(); ++t) {
    CHECK(a.status({t}) == b.status({t}));
    CHECK(a.session_name(a.session({t})) == b.session_name(b.session({t})));
    CHECK(op_texts(a, a.ops({t})) == op_texts(b, b.ops({t})));
    REQUIRE(a.differing_invocation({t}).has_value() == b.differing_invocation({t}).has_value());
    if (a.differing_invocation({t})) {
      CHECK(op_texts(a, *a.differing_invocation({t})) == op_texts(b, *b.differing_invocation({t})));
    }
    check_same_event(a.event({t}, EventKind::kInvocation), b.event({t}, EventKind::kInvocation));
    check_same_event(a.event({t}, EventKind::kCompletion), b.event({t}, EventKind::kCompletion));
  }
}

TEST_CASE("dump: any history comes back") {
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    const History history = RandomEvents(seed).build();
    const std::string text = dump(history);
    INFO(text);
    const Result<History> again = parse_dump(text);
    REQUIRE(again.ok());
    check_same(history, again.value());
    CHECK(dump(again.value()) == text);
  }
}

TEST_CASE("dump: errors name the line") {
  const auto error_of = [](std::string_view lines) {
    const Result<History> history =
        parse_dump("elapid-history 1\nformat\tedn\n" + std::string(lines));
    REQUIRE_FALSE(history.ok());
    return history.error();
  };
  CHECK(parse_dump("elapid-history 2\n").error().line == 1);
  CHECK(error_of("invoke\t0\t0\n").line == 3);
  CHECK(error_of("invoke\tx\t0\t-\t0:0\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0\n").line == 3);
  CHECK(error_of("begin\t0\t0\t-\t0:0\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0:0\tpush :x 1\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0:0\tappend :x\n").line == 3);
  CHECK(error_of("invoke\t0\t0\t-\t0:0\ninvoke\t0\t1\t-\t0:0\n").line == 4);
}

TEST_CASE("dump: an empty history") {
  const Result<History> history = parse_dump("elapid-history 1\nformat\tedn\n");
  REQUIRE(history.ok());
  CHECK(history.value().txn_count() == 0);
}

}  // namespace
}  // namespace elapid
