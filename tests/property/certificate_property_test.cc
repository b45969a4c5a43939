// Certificates as files: those that a check writes are accepted, and what is accepted is so,
// however a file was damaged.
#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/check/check.h"
#include "harness/generate/random.h"
#include "tests/oracle/truth.h"
#include "tests/property/certificate_text.h"
#include "tests/property/for_all.h"
#include "tests/property/mutated_json.h"
#include "tests/property/regressions.h"
#include "tests/support/sample_size.h"

namespace elapid {
namespace {

// The first seeds: no two properties see the same histories.
/// What an accepted certificate claims although it is not so; or nothing.
std::string refuted_by(Truth& truth, const Certificate& certificate) {
  const std::optional<CycleLevel> cycles = cycle_level(certificate.model);
  const std::optional<bool> holds =
      cycles ? truth.holds(*cycles)
             : truth.holds(order_level(certificate.model).value(), certificate.assumptions);
  const bool is_valid = std::holds_alternative<Witness>(certificate.evidence);
  if (holds.value_or(is_valid) == is_valid) {
    return {};
  }
  return "accepted as " + std::string(is_valid ? "valid" : "invalid") +
         ", but is not: " + std::string(friendly_name(certificate.model));
}

// What a check writes.

/// One check of several.
struct Question {
  Engine engine = Engine::kAuto;
  ModelSet models = {};
  bool is_ladder = false;
};

/// All levels at once, and each by itself, of each engine that decides it.
std::vector<Question> all_questions() {
  std::vector<Question> questions = {{Engine::kAuto, ModelSet::all(), true},
                                     {Engine::kElle, ModelSet::all(), true}};
  for (const Model model : ModelSet::all()) {
    const std::optional<OrderLevel> level = order_level(model);
    if (level || cycle_level(model)) {
      questions.push_back({Engine::kAuto, ModelSet{model}});
    }
    if (!level) {
      continue;
    }
    const bool is_weak = is_saturable(level->visibility);
    questions.push_back({is_weak ? Engine::kSaturation : Engine::kSolver, ModelSet{model}});
    if (!is_weak) {
      questions.push_back({Engine::kSearch, ModelSet{model}});
    }
  }
  return questions;
}

std::string to_text(const Question& question) {
  constexpr std::array<const char*, 6> kEngines = {"auto",       "elle",   "solver",
                                                   "saturation", "search", "timestamps"};
  std::string text = kEngines.at(static_cast<std::size_t>(question.engine));
  for (const Model model : question.is_ladder ? ModelSet() : question.models) {
    text += ", " + std::string(friendly_name(model));
  }
  return text + ": ";
}

Result<Verdict> answer(const History& history, const Question& question) {
  return check(history, {.models = question.models,
                         .engine = question.engine,
                         .needs_order = true,
                         .each_model = question.is_ladder});
}

/// Whether the verdict on a single level must have a proof: not if all orders were tried.
bool needs_certificate(const Question& question, const Verdict& verdict) {
  const bool is_decided = verdict.validity == Validity::kInvalid ||
                          (verdict.validity == Validity::kValid && verdict.complete);
  return !question.is_ladder && question.engine != Engine::kSearch && is_decided;
}

std::string wrong_certificate(const TinyHistory& tiny) {
  static const std::vector<Question> kQuestions = all_questions();
  const History history = build(tiny);
  Truth truth(history);
  // Under sanitizers a history is asked a share of the questions; another one gets another share.
  const std::size_t share = std::hash<std::string>{}(to_text(tiny)) % stride();
  for (std::size_t i = share; i < kQuestions.size(); i += stride()) {
    const Question& question = kQuestions[i];
    const Result<Verdict> verdict = answer(history, question);
    if (!verdict.ok()) {
      return to_text(question) + verdict.error().message;
    }
    const std::string text = certificates_text(history, verdict.value());
    const auto certificates = certificates_in(text, history);
    if (!certificates.ok() && (!text.empty() || needs_certificate(question, verdict.value()))) {
      return to_text(question) + certificates.error().to_string();
    }
    for (const Certificate& certificate :
         certificates.ok() ? certificates.value() : std::vector<Certificate>()) {
      if (const auto flaw = flaw_of(certificate, history)) {
        return to_text(question) + "rejected: " + std::string(friendly_name(certificate.model)) +
               ": " + *flaw;
      }
      if (std::string refuted = refuted_by(truth, certificate); !refuted.empty()) {
        return to_text(question) + refuted;
      }
    }
  }
  return {};
}

TEST_CASE("certificate property: what a check of registers writes is accepted, and so") {
  for_all_histories({.model = Workload::kRwRegister, .cases = 40}, 80 * kBillion,
                    wrong_certificate);
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 80},
                    81 * kBillion, wrong_certificate);
  for_all_histories({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 40},
                    88 * kBillion, wrong_certificate);
}

TEST_CASE("certificate property: what a check of lists writes is accepted, and so") {
  for_all_histories({.model = Workload::kListAppend, .cases = 40}, 82 * kBillion,
                    wrong_certificate);
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 40},
                    83 * kBillion, wrong_certificate);
  for_all_histories({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 40},
                    89 * kBillion, wrong_certificate);
}

TEST_CASE("certificate property: histories that went wrong once") {
  for_all_regressions(wrong_certificate);
}

// Files in which something was changed.

/// Words that a certificate may have somewhere.
const std::vector<std::string_view>& words() {
  static const std::vector<std::string_view> kWords = [] {
    std::vector<std::string_view> all = {"ww",
                                         "wr",
                                         "rw",
                                         "process",
                                         "realtime",
                                         "before",
                                         "reads",
                                         "not",
                                         "took-effect",
                                         "order",
                                         "clause",
                                         "cycle",
                                         "list-append",
                                         "rw-register",
                                         "wfr-keys",
                                         "valid?",
                                         "assumptions",
                                         "sequential-keys",
                                         "linearizable-keys",
                                         "transaction-order",
                                         ":x",
                                         ":y",
                                         ":nowhere",
                                         "",
                                         "elapid-certificate"};
    for (const Model model : ModelSet::all()) {
      all.push_back(friendly_name(model));
    }
    return all;
  }();
  return kWords;
}

/// Damages the certificates of one history after another.
class Damage {
 public:
  std::string accepted(const TinyHistory& tiny) {
    const History history = build(tiny);
    Random random(history.op_count() + 7 * history.txn_count());
    const Result<Verdict> verdict = answer(history, {Engine::kAuto, ModelSet::all(), true});
    if (!verdict.ok()) {
      return {};  // another property's business
    }
    Truth truth(history);
    const std::string text = certificates_text(history, verdict.value());
    for (int i = 0; i < kFiles; ++i) {
      const std::string damaged = mutated_json(text, other_, words(), random);
      if (std::string wrong = judge(damaged, history, truth); !wrong.empty()) {
        return wrong + "\n" + damaged;
      }
    }
    other_ = text;
    return {};
  }

  [[nodiscard]] std::size_t accepted_count() const { return accepted_; }

  [[nodiscard]] std::size_t rejected_count() const { return rejected_; }

 private:
  static constexpr int kFiles = 60;

  /// Evidence may name transactions and keys that do not exist.
  std::string judge(const std::string& text, const History& history, Truth& truth) {
    Result<std::vector<Certificate>> certificates = certificates_in(text, history);
    if (!certificates.ok()) {
      return certificates.error().to_string().find('\n') == std::string::npos
                 ? ""
                 : "an error of several lines";
    }
    for (Certificate& certificate : certificates.value()) {
      certificate.unknown_name.reset();
      if (flaw_of(certificate, history)) {
        ++rejected_;
      } else if (std::string refuted = refuted_by(truth, certificate); !refuted.empty()) {
        return refuted;
      } else {
        ++accepted_;
      }
    }
    return {};
  }

  std::string other_;
  std::size_t accepted_ = 0;
  std::size_t rejected_ = 0;
};

void check_damaged(Sample sample, std::uint64_t first_seed) {
  Damage damage;
  for_all_histories(sample, first_seed,
                    [&](const TinyHistory& history) { return damage.accepted(history); });
  const std::uint64_t cases = case_count(sample.cases);
  const std::uint64_t share = cases < sample.cases ? 1 : 4;  // few cases may have few rejections
  CHECK(damage.accepted_count() > 10 * cases);
  CHECK(damage.rejected_count() > share * cases);
}

TEST_CASE("certificate property: damaged certificates of registers prove nothing false") {
  check_damaged({.model = Workload::kRwRegister, .cases = 100}, 84 * kBillion);
  check_damaged({.model = Workload::kRwRegister, .variety = Variety::kRepeating, .cases = 100},
                85 * kBillion);
  check_damaged({.model = Workload::kRwRegister, .variety = Variety::kCorners, .cases = 100},
                90 * kBillion);
}

TEST_CASE("certificate property: damaged certificates of lists prove nothing false") {
  check_damaged({.model = Workload::kListAppend, .cases = 100}, 86 * kBillion);
  check_damaged({.model = Workload::kListAppend, .variety = Variety::kRepeating, .cases = 100},
                87 * kBillion);
  check_damaged({.model = Workload::kListAppend, .variety = Variety::kCorners, .cases = 100},
                91 * kBillion);
}

}  // namespace
}  // namespace elapid
