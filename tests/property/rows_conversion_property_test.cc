// Conversion of rows: whatever format they go through, each level holds as before, or a loss is
// named.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/check/check.h"
#include "engine/replay/replay.h"
#include "engine/rows/rows.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/oracle/random_rows.h"
#include "tests/oracle/rows_oracle.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

struct RowsLevelName {
  OrderLevel level;
  const char* name;
};

constexpr std::array kLevelsOfRows = {
    RowsLevelName{{Visibility::kSerial, false, false}, "serializable"},
    RowsLevelName{{Visibility::kSerial, true, false}, "strong session serializable"},
    RowsLevelName{{Visibility::kSerial, true, true}, "strict serializable"},
    RowsLevelName{{Visibility::kSnapshot, false, false}, "snapshot isolation"},
    RowsLevelName{{Visibility::kSnapshot, true, false}, "strong session snapshot isolation"},
    RowsLevelName{{Visibility::kSnapshot, true, true}, "strong snapshot isolation"},
};

constexpr std::size_t kSteps = 3;

// Behind them: repeatable read and read committed.
using RowsAnswers = std::array<Validity, kLevelsOfRows.size() + 2>;

RowsAnswers answers_about_rows(const History& history) {
  RowsAnswers answers = {};
  const auto validity = [](bool holds) { return holds ? Validity::kValid : Validity::kInvalid; };
  answers[kLevelsOfRows.size()] = validity(rows_are_repeatable(history));
  answers[kLevelsOfRows.size() + 1] = validity(rows_are_read_committed(history));
  for (std::size_t i = 0; i < kLevelsOfRows.size(); ++i) {
    const OrderLevel level = kLevelsOfRows.at(i).level;
    answers.at(i) = replay_rows(history, {.level = level}).validity;
    const bool is_open = !history.info().rows->is_closed();
    if (is_open && (!level.real_time || history.info().has_real_time)) {
      answers.at(i) = validity(rows_hold(history, level));
    }
  }
  return answers;
}

bool has_any(const std::vector<Loss>& losses, std::string_view letters) {
  return std::ranges::any_of(losses, [&](const Loss& loss) {
    return letters.find(loss.letter) != std::string_view::npos;
  });
}

/// Which level holds no longer, or again; empty if none.
std::string changed_level(const RowsAnswers& before, const RowsAnswers& after,
                          const std::vector<Loss>& losses) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    const bool has_order = i < kLevelsOfRows.size();
    const bool is_excused =
        has_order && kLevelsOfRows.at(i).level.real_time && has_any(losses, "TPpt");
    if (before.at(i) != Validity::kUnknown && before.at(i) != after.at(i) && !is_excused) {
      return has_order                   ? kLevelsOfRows.at(i).name
             : i == kLevelsOfRows.size() ? "repeatable read"
                                         : "read committed";
    }
  }
  return {};
}

std::string everything_in(const std::string& output) {
  if (!std::filesystem::is_directory(output)) {
    return content_of(output);
  }
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(output)) {
    all += entry.path().filename().string() + '\n';
  }
  return all;
}

/// The result of a failed operation is not recorded.
RowsSketch as_recorded(RowsSketch sketch) {
  for (RowsSketch::Transaction& txn : sketch.transactions) {
    for (RowsSketch::Operation& op : txn.operations) {
      const bool is_absent = op.kind == rows::RowOpKind::kRead && op.shown.empty();
      if (txn.status != TxnStatus::kCommitted && is_absent) {
        op.known = rows::Known::kNothing;
      }
    }
  }
  return sketch;
}

struct Converted {
  std::optional<LoadedHistory> loaded = {};  // nothing where it is refused
  std::vector<Loss> losses = {};
  std::string text = {};
};

Converted convert(const History& history, const Target& target, LossPolicy policy) {
  const TemporaryFolder folder;
  const std::string out = folder / "out";
  const auto report =
      write_history(history, Workload::kRows, out, {.target = &target, .policy = policy});
  if (!report) {
    CHECK(report.error().kind == ErrorKind::kUsage);
    return {};
  }
  Converted made = {.losses = report.value().losses, .text = everything_in(out)};
  auto loaded =
      read_history(out, {.format = FormatName{target.format, std::string(target.dialect)},
                         .workload = target.rows ? std::optional(Workload::kRows) : std::nullopt});
  if (!loaded) {
    FAIL_CHECK(loaded.error().to_string() << '\n' << made.text);
    return {};
  }
  made.loaded = std::move(loaded).value();
  return made;
}

std::vector<const Target*> targets_of_rows() {
  std::vector<const Target*> all;
  for (const Target& target : targets()) {
    if (target.rows) {
      all.push_back(&target);
    }
  }
  return all;
}

TEST_CASE("conversion property: no verdict on rows changes without a loss that is named") {
  const std::uint64_t first = 80'000'000'000 + first_seed_of_cases();
  const std::uint64_t cases = case_count(600);
  const std::vector<const Target*> formats = targets_of_rows();
  std::vector<std::size_t> compared(formats.size(), 0);
  std::size_t failures = 0;
  for (std::uint64_t seed = first; seed < first + cases && failures < 3; ++seed) {
    Result<History> made = build(
        as_recorded(random_rows(seed, seed % 2 == 0 ? RowsVariety::kAll : RowsVariety::kPlain)));
    if (!made || !rows_can_be_tried(made.value())) {
      continue;
    }
    std::vector<LoadedHistory> read;  // one after the other
    read.reserve(kSteps);
    const History* history = &made.value();
    RowsAnswers before = answers_about_rows(*history);
    std::string origin = "seed " + std::to_string(seed) + '\n' + rows_text(*history);
    for (std::size_t step = 0; step < kSteps; ++step) {
      const std::size_t choice = (seed / 2 + step * (1 + seed % 3)) % formats.size();
      const Target& target = *formats[choice];
      Converted next = convert(*history, target, LossPolicy::kHarmless);
      if (!next.loaded || !rows_can_be_tried(next.loaded->history())) {
        continue;
      }
      ++compared[choice];
      origin += "-> " + text(target) + ", losses " + letters(next.losses) + '\n' + next.text;
      const RowsAnswers after = answers_about_rows(next.loaded->history());
      if (const std::string level = changed_level(before, after, next.losses); !level.empty()) {
        ++failures;
        FAIL_CHECK(level << " changed\n" << origin << rows_text(next.loaded->history()));
        break;
      }
      history = &read.emplace_back(std::move(*next.loaded)).history();
      before = after;
    }
  }
  for (std::size_t i = 0; i < formats.size(); ++i) {
    std::cout << text(*formats[i]) << ' ' << compared[i] << '\n';
    // Few rows are values: viper_rows_property_test.cc.
    CHECK((formats[i]->rows_are_values || compared[i] > cases / 20));
  }
}

TEST_CASE("conversion property: rows that are registers keep their verdicts as registers") {
  const std::uint64_t first = 90'000'000'000 + first_seed_of_cases();
  const std::uint64_t cases = case_count(600);
  std::vector<const Target*> formats;
  for (const Target& target : targets()) {
    if (!target.rows && target.registers) {
      formats.push_back(&target);
    }
  }
  constexpr std::array kModels = {Model::kPl3,
                                  Model::kStrongSessionSerializable,
                                  Model::kPlSs,
                                  Model::kPlSi,
                                  Model::kStrongSessionSnapshotIsolation,
                                  Model::kStrongSnapshotIsolation,
                                  Model::kPl299,
                                  Model::kPl2};
  std::size_t compared = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Result<History> history = build(random_rows(seed, RowsVariety::kRegisters));
    REQUIRE(history);
    if (!says_something(history.value())) {
      continue;
    }
    const Target& target = *formats[seed % formats.size()];
    const Converted made = convert(history.value(), target, LossPolicy::kHarmless);
    if (!made.loaded) {
      continue;
    }
    ++compared;
    RowsAnswers after = {};
    for (std::size_t i = 0; i < after.size(); ++i) {
      const Result<Verdict> verdict =
          check(made.loaded->history(), {.models = ModelSet{kModels.at(i)}});
      REQUIRE(verdict);
      after.at(i) = verdict.value().validity;
    }
    RowsAnswers before = answers_about_rows(history.value());
    for (std::size_t i = 0; i < kLevelsOfRows.size(); ++i) {
      const bool is_excused = kLevelsOfRows.at(i).level.sessions && has_any(made.losses, "S");
      before.at(i) = is_excused ? after.at(i) : before.at(i);
    }
    INFO("seed " << seed << ' ' << text(target) << " losses " << letters(made.losses) << '\n'
                 << rows_text(history.value()) << made.text);
    CHECK(changed_level(before, after, made.losses) == "");
  }
  std::cout << compared << " as registers\n";
  CHECK(compared > cases / 5);
}

}  // namespace
}  // namespace elapid
