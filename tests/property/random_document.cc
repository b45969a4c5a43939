#include "tests/property/random_document.h"

#include <array>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

#include "harness/generate/random.h"
#include "harness/sketch/tiny_history.h"
#include "tests/support/random_history.h"

namespace elapid {

namespace {

constexpr std::array<std::string_view, 4> kTypes = {":invoke", ":ok", ":fail", ":info"};

/// How a number is spelt. Numbers keep apart, and 1 becomes 0 in the second style.
std::string spelt(std::int64_t n, std::size_t style) {
  switch (style) {
    case 0:
      return std::to_string(n);
    case 1:
      return std::to_string(n - 1);
    case 2:
      return std::to_string(-n);
    case 3:
      return ":v" + std::to_string(n);
    case 4:
      return '"' + std::to_string(n) + '"';
    case 5:
      return std::to_string(n) + ".5";
    case 6:
      return std::to_string(9'000'000'000'000'000'000 + n);
    default:
      return "[" + std::to_string(n) + " nil]";
  }
}

constexpr std::size_t kStyles = 8;

/// A history of transactions.
class Transactions {
 public:
  Transactions(Workload model, std::uint64_t seed)
      : random_(seed),
        history_(random_history(model, seed,
                                random_.percent(50) ? Variety::kDistinct : Variety::kRepeating)),
        mixes_(random_.percent(25)),
        key_style_(random_.below(kStyles)),
        value_style_(random_.percent(50) ? random_.below(2) : random_.below(kStyles)),
        nils_(history_.model == Workload::kRwRegister && random_.percent(40) ? 20 : 0) {}

  Document make() {
    Document document;
    for (std::size_t i = 0; i < history_.events.size(); ++i) {
      document.edn += line(history_.events[i], i);
    }
    if (random_.percent(40) && history_.model == Workload::kRwRegister) {
      document.initial = value(static_cast<std::int64_t>(random_.below(3)));
    }
    return document;
  }

 private:
  std::string line(const TinyEvent& event, std::size_t index) {
    std::string text = "{:index " + std::to_string(index) + ", :type " +
                       std::string(kTypes.at(static_cast<std::size_t>(event.type))) +
                       ", :process " + std::to_string(event.process) + ", :f :txn, :value [";
    for (std::size_t i = 0; i < event.mops.size(); ++i) {
      text += i == 0 ? "" : " ";
      text += mop_text(event, i);
    }
    return text + "]}\n";
  }

  std::string mop_text(const TinyEvent& event, std::size_t place) {
    const TinyMop& mop = event.mops[place];
    const auto letter = static_cast<std::size_t>(mop.key);
    const std::string key = spelt(mop.key - 'w', mixes_ ? letter % kStyles : key_style_);
    if (mop.kind == OpKind::kReadList) {
      std::string list;
      for (const std::int64_t element : mop.values) {
        list += (list.empty() ? "" : " ") + value(element);
      }
      return "[:r " + key + " [" + list + "]]";
    }
    const std::string_view f = mop.kind == OpKind::kWrite    ? ":w "
                               : mop.kind == OpKind::kAppend ? ":append "
                                                             : ":r ";
    return '[' + std::string(f) + key + ' ' + value_of(event, place) + ']';
  }

  /// Some writes are of nil, in all events of a process alike, and some reads show it.
  std::string value_of(const TinyEvent& event, std::size_t place) {
    const TinyMop& mop = event.mops[place];
    if (mop.values.empty()) {
      return "nil";
    }
    const std::int64_t n = mop.values.front();
    if (mop.is_read()) {
      return random_.percent(nils_) ? "nil" : value(n);
    }
    const auto [is_nil, is_new] = nil_writes_.try_emplace({event.process, mop.key, n}, false);
    if (is_new) {
      is_nil->second = random_.percent(nils_);
    }
    return is_nil->second ? "nil" : value(n);
  }

  [[nodiscard]] std::string value(std::int64_t n) const {
    return spelt(n, mixes_ ? static_cast<std::size_t>(n) % kStyles : value_style_);
  }

  Random random_;
  TinyHistory history_;
  bool mixes_;  // the styles of keys and of values
  std::size_t key_style_;
  std::size_t value_style_;
  std::size_t nils_;  // chance in percent
  std::map<std::tuple<std::int64_t, char, std::int64_t>, bool> nil_writes_;
};

/// Reads, writes and compare-and-sets on a register. Some go wrong.
class SingleOperations {
 public:
  explicit SingleOperations(std::uint64_t seed) : random_(seed), style_(random_.below(4)) {}

  Document make() {
    for (std::size_t ops = 2 + random_.below(6); ops > 0; --ops) {
      const std::size_t process = random_.below(3);
      Op& op = open_[process];
      if (!op.f.empty()) {
        complete(process);
      }
      op = random_op();
      line(process, EventType::kInvoke, op.f == ":read" ? "nil" : op.value());
    }
    for (std::size_t process = 0; process < open_.size(); ++process) {
      if (!open_.at(process).f.empty() && random_.percent(80)) {
        complete(process);
      }
    }
    return {.edn = std::move(edn_),
            .initial = random_.percent(20) ? std::optional(value(0)) : std::nullopt};
  }

 private:
  struct Op {
    std::string f = {};
    std::string expected = {};
    std::string written = {};

    [[nodiscard]] std::string value() const {
      return expected.empty() ? written : '[' + expected + ' ' + written + ']';
    }
  };

  std::string value(std::size_t n) const {
    return n == 3 ? "nil" : spelt(static_cast<std::int64_t>(n), style_);
  }

  std::string any_value() { return value(random_.below(random_.percent(15) ? 4 : 3)); }

  Op random_op() {
    switch (random_.below(3)) {
      case 0:
        return {.f = ":read"};
      case 1:
        return {.f = ":write", .written = any_value()};
      default:
        return {.f = ":cas", .expected = any_value(), .written = any_value()};
    }
  }

  /// Most answers are those of a register that works.
  void complete(std::size_t process) {
    Op& op = open_.at(process);
    const bool does_happen = op.f != ":cas" || op.expected == held_;
    const bool is_known = random_.percent(85);
    if (op.f == ":read") {
      line(process, is_known ? EventType::kOk : EventType::kFail,
           !is_known             ? "nil"
           : random_.percent(85) ? held_
                                 : any_value());
    } else {
      held_ = does_happen ? op.written : held_;
      line(process,
           !is_known     ? EventType::kInfo
           : does_happen ? EventType::kOk
                         : EventType::kFail,
           op.value());
    }
    op = {};
  }

  void line(std::size_t process, EventType type, const std::string& shown) {
    edn_ += "{:index " + std::to_string(index_++) + ", :type " +
            std::string(kTypes.at(static_cast<std::size_t>(type))) + ", :process " +
            std::to_string(process) + ", :f " + open_.at(process).f + ", :value " + shown + "}\n";
  }

  Random random_;
  std::size_t style_;
  std::string held_ = "nil";
  std::array<Op, 3> open_ = {};  // by process
  std::size_t index_ = 0;
  std::string edn_;
};

}  // namespace

Document random_document(std::uint64_t seed) {
  switch (seed % 3) {
    case 0:
      return Transactions(Workload::kRwRegister, seed).make();
    case 1:
      return Transactions(Workload::kListAppend, seed).make();
    default:
      return SingleOperations(seed).make();
  }
}

}  // namespace elapid
