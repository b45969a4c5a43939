// Conversion: what a format holds says the same of a history as before, or a loss is named that
// has to be accepted. From every format to every other, there and back, through third ones.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/check/check.h"
#include "harness/generate/random.h"
#include "parsers/formats.h"
#include "parsers/read.h"
#include "parsers/write.h"
#include "tests/property/random_document.h"
#include "tests/support/sample_size.h"
#include "tests/unit/parsers/convert/written.h"

namespace elapid {
namespace {

struct Level {
  Model model;
  const char* name;
  bool has_sessions;
  bool has_real_time;
};

constexpr std::array kLevels = {
    Level{Model::kPl2, "read-committed", false, false},
    Level{Model::kReadAtomic, "read-atomic", false, false},
    Level{Model::kCc, "causal-consistency", true, false},
    Level{Model::kPlSi, "snapshot-isolation", false, false},
    Level{Model::kPl3, "serializable", false, false},
    Level{Model::kStrongSessionSerializable, "strong-session-serializable", true, false},
    Level{Model::kPlSs, "strict-serializable", true, true},
};

using Answers = std::array<Validity, kLevels.size()>;

/// A history as it was read, with how it came about.
struct Held {
  LoadedHistory loaded;
  std::string origin;

  [[nodiscard]] const History& history() const { return loaded.history(); }
};

Answers answers_of(const Held& held) {
  Answers answers = {};
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    const Model level = kLevels.at(i).model;
    const Result<Verdict> verdict = check(held.history(), {.models = ModelSet{level}});
    INFO(held.origin << (verdict ? "" : verdict.error().to_string()));
    REQUIRE(verdict);
    answers.at(i) = verdict.value().validity;
  }
  return answers;
}

bool has_letter(const std::vector<Loss>& losses, std::string_view letters) {
  return std::ranges::any_of(losses, [&](const Loss& loss) {
    return letters.find(loss.letter) != std::string_view::npos;
  });
}

/// Whether what is said to be lost without harm has to do with the level: real time and sessions
/// are named, and who asks for a level that needs them knows.
bool is_excused(const Level& level, const std::vector<Loss>& losses) {
  return (level.has_real_time && has_letter(losses, "TPpt")) ||
         (level.has_sessions && has_letter(losses, "S"));
}

/// Where a history says something else than the one it was made of. What was not decided may become
/// easier to decide.
std::string difference(const Answers& before, const Answers& after,
                       const std::vector<Loss>& losses) {
  for (std::size_t i = 0; i < kLevels.size(); ++i) {
    if (before.at(i) != Validity::kUnknown && before.at(i) != after.at(i) &&
        !is_excused(kLevels.at(i), losses)) {
      return std::string(kLevels.at(i).name) + " was " + std::string(validity_word(before.at(i))) +
             " and became " + std::string(validity_word(after.at(i)));
    }
  }
  return {};
}

/// The whole output, a file or a directory.
std::string contents(const std::string& output) {
  if (!std::filesystem::is_directory(output)) {
    return content_of(output);
  }
  std::string all;
  for (const auto& entry : std::filesystem::directory_iterator(output)) {
    all += entry.path().filename().string() + ":\n" + content_of(entry.path()) + '\n';
  }
  return all;
}

std::optional<Held> read(const std::string& path, ReadOptions options, std::string origin) {
  Result<LoadedHistory> loaded = read_history(path, options);
  if (!loaded) {
    FAIL_CHECK(loaded.error().to_string() << "\n" << contents(path) << origin);
    return std::nullopt;
  }
  return Held{std::move(loaded).value(), std::move(origin)};
}

/// One conversion.
struct Step {
  std::optional<Held> held = {};  ///< nothing where the format is refused
  std::vector<Loss> losses = {};
};

class Converter {
 public:
  /// As `elapid convert`; the output is read by its content alone.
  Step convert(Held& from, const Target& target, LossPolicy policy,
               const std::optional<std::string>& initial) {
    const std::string out = folder_ / std::to_string(files_++);
    const auto report = write_history(
        from.history(), from.loaded.history().workload(), out,
        {.target = &target, .policy = policy, .details = [&](SourcePosition position) {
           return from.loaded.details(position);
         }});
    if (!report) {
      INFO(from.origin << text(target) << ": " << report.error().to_string());
      CHECK(report.error().kind == ErrorKind::kUsage);
      return {};
    }
    if (report.value().txns == 0) {
      return {};  // nothing is left to judge, nor for most readers to read
    }
    const FormatName format = {target.format, std::string(target.dialect)};
    return {.held = read(out, {.format = format, .initial = initial},
                         from.origin + "-> " + text(target) +
                             (initial ? " initial " + *initial : "") + "\n" + contents(out)),
            .losses = report.value().losses};
  }

 private:
  TemporaryFolder folder_;
  std::size_t files_ = 0;
};

bool is_of_known_workload(const Held& held) {
  return held.loaded.history().workload() != Workload::kOther && held.history().txn_count() > 0;
}

const Target& any_target(Random& random) {
  return targets()[random.below(targets().size())];
}

/// A history that some formats have made what it is, whatever was lost.
std::optional<Held> random_source(Random& random, Converter& converter, std::uint64_t seed) {
  const Document document = random_document(seed);
  const ReadOptions options = {.format = find_format("edn"), .initial = document.initial};
  auto loaded = read_history(memory_source("document", document.edn), options);
  INFO(document.edn);
  REQUIRE(loaded);
  std::optional<Held> held =
      Held{std::move(loaded).value(),
           document.edn + (document.initial ? "initial " + *document.initial + "\n" : "")};
  for (std::size_t steps = random.below(3); steps > 0 && is_of_known_workload(*held); --steps) {
    const bool declares = random.percent(20);
    const auto initial = declares ? std::optional<std::string>("0") : std::nullopt;
    Step step = converter.convert(*held, any_target(random), LossPolicy::kAny, initial);
    if (step.held && step.held->loaded.history().workload() != Workload::kOther) {
      held = std::move(step.held);
    }
  }
  return held;
}

bool has_committed(const History& history) {
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.committed(txn)) {
      return true;
    }
  }
  return false;
}

/// Follows a history through a few formats. Each loss must be named. Returns the number of compared
/// conversions. Where nothing committed, an object is linearizable, and the transactions that
/// formats make of its operations show nothing.
std::size_t follow(Random& random, Converter& converter, Held source) {
  std::size_t compared = 0;
  if (!has_committed(source.history())) {
    return compared;
  }
  Answers before = answers_of(source);
  for (std::size_t steps = 4; steps > 0; --steps) {
    const Target& target = any_target(random);
    Step step = converter.convert(source, target, LossPolicy::kHarmless, {});
    if (!step.held) {
      continue;
    }
    const Answers after = answers_of(*step.held);
    const std::string wrong = difference(before, after, step.losses);
    INFO(step.held->origin << "losses " << letters(step.losses));
    CHECK(wrong == "");
    ++compared;
    if (!wrong.empty()) {
      break;
    }
    source = std::move(*step.held);
    before = after;
  }
  return compared;
}

TEST_CASE("conversion property: no verdict changes without a loss that is named") {
  constexpr std::uint64_t kFirst = 70'000'000'000;
  const std::uint64_t begin = kFirst + first_seed_of_cases();
  const std::uint64_t end = begin + case_count(1200);
  std::cout << "seeds " << begin << " to " << end - 1 << '\n';
  std::size_t compared = 0;
  for (std::uint64_t seed = begin; seed < end; ++seed) {
    Random random(seed);
    Converter converter;
    std::optional<Held> source = random_source(random, converter, seed);
    if (is_of_known_workload(*source)) {
      INFO("seed " << seed);
      compared += follow(random, converter, std::move(*source));
    }
  }
  std::cout << compared << " conversions\n";
  CHECK(compared > end - begin);
}

}  // namespace
}  // namespace elapid
