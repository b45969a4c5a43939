#include "harness/matrix/matrix.h"

#include <algorithm>

#include <boost/math/special_functions/gamma.hpp>

namespace elapid {
namespace {

/// Merges a run's standing into that of earlier runs at the level.
void add(const Standing& run, Standing& all) {
  if (all.validity == Validity::kInvalid || run.validity == all.validity) {
    return;
  }
  if (run.validity != Validity::kValid) {
    all.validity = run.validity;
    all.unknown_because = run.unknown_because;
  }
}

Validity standing_of(Model promised, std::span<const Standing> standings) {
  const auto found = std::ranges::find(standings, promised, &Standing::model);
  return found == standings.end() ? Validity::kUnknown : found->validity;
}

void add(const MatrixRun& run, MatrixRow& row) {
  if (run.own_levels && row.own_levels != Validity::kInvalid &&
      (!row.own_levels || *run.own_levels != Validity::kValid)) {
    row.own_levels = run.own_levels;
  }
  for (const Standing& standing : run.standings) {
    const auto known = std::ranges::find(row.standings, standing.model, &Standing::model);
    if (known == row.standings.end()) {
      row.standings.push_back(standing);
    } else {
      add(standing, *known);
    }
  }
}

void conclude(MatrixRow& row, bool has_problem) {
  for (Standing& standing : row.standings) {
    if (has_problem && standing.validity == Validity::kValid) {
      standing = {.model = standing.model, .unknown_because = "a run has no verdict"};
    }
  }
  if (has_problem && row.own_levels == Validity::kValid) {
    row.own_levels = Validity::kUnknown;
  }
  row.promise = row.promised.model ? standing_of(*row.promised.model, row.standings)
                                   : row.own_levels.value_or(Validity::kUnknown);
  row.holds = strongest_of(models_that_are(Validity::kValid, row.standings));
  row.broken = weakest_of(models_that_are(Validity::kInvalid, row.standings));
}

}  // namespace

std::uint64_t MatrixRun::all_anomalies() const {
  std::uint64_t sum = 0;
  for (const AnomalyCount& anomaly : anomalies) {
    sum += anomaly.count;
  }
  return sum;
}

std::uint64_t MatrixRun::throughput() const {
  return seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(transactions) / seconds) : 0;
}

std::vector<MatrixRow> rows_of(std::span<const MatrixRun> runs) {
  std::vector<MatrixRow> rows;
  std::vector<bool> has_problem;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const MatrixRun& run = runs[i];
    auto row = std::ranges::find_if(rows, [&](const MatrixRow& candidate) {
      return candidate.address == run.address && candidate.promised.name == run.promised.name;
    });
    if (row == rows.end()) {
      rows.push_back({.address = run.address, .promised = run.promised});
      has_problem.push_back(false);
      row = rows.end() - 1;
    }
    row->runs.push_back(i);
    if (row->database.empty()) {
      row->database = run.database;  // a database that did not open has no name
    }
    if (run.problem.empty()) {
      add(run, *row);
    } else {
      has_problem[static_cast<std::size_t>(row - rows.begin())] = true;
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    conclude(rows[i], has_problem[i]);
  }
  return rows;
}

Validity promises_of(std::span<const MatrixRow> rows) {
  const auto is = [](Validity validity) {
    return [=](const MatrixRow& row) { return row.promise == validity; };
  };
  return std::ranges::any_of(rows, is(Validity::kInvalid)) ? Validity::kInvalid
         : std::ranges::all_of(rows, is(Validity::kValid)) ? Validity::kValid
                                                           : Validity::kUnknown;
}

Rate rate_of(std::uint64_t events, std::uint64_t trials) {
  if (trials == 0) {
    return {};
  }
  constexpr double kTail = 0.025;  // on either side
  const auto count = static_cast<double>(events);
  const double thousands = static_cast<double>(trials) / 1000;
  return {
      .per_thousand = count / thousands,
      .least = events == 0 ? 0 : boost::math::gamma_p_inv(count, kTail) / thousands,
      .most = boost::math::gamma_p_inv(count + 1, 1 - kTail) / thousands,
  };
}

}  // namespace elapid
