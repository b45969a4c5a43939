// Compares the promises of databases with the results of their runs.
//
// A *run* is one workload on one database whose clients asked for one level. Runs of the same
// database and level make a *row*. A level is broken if a run violated it. It holds, as far as was
// seen, if all runs satisfied it.
//
// ```cpp
// const Standing kept = {.model = Model::kPl2, .validity = Validity::kValid};
// const Standing lost = {.model = Model::kPlSi, .validity = Validity::kInvalid};
// const std::vector<MatrixRun> runs = {
//     {.database = "RocksDB 7.8.3", .promised = {"read-committed", Model::kPl2},
//      .workload = "mini", .standings = {kept, lost}}};
// const std::vector<MatrixRow> rows = rows_of(runs);
// CHECK(rows.front().promise == Validity::kValid);
// CHECK(rows.front().holds == ModelSet{Model::kPl2});
// CHECK(rows.front().broken == ModelSet{Model::kPlSi});
// ```
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/levels/ladder.h"
#include "engine/levels/models.h"
#include "engine/levels/validity.h"

namespace elapid {

/// A level by the name with which clients ask for it. Or several levels, as
/// `serializable+read-committed`: then each transaction asks for one of them.
struct PromisedLevel {
  std::string name = {};
  std::optional<Model> model = Model::kPl3;  ///< nothing: several
};

/// The number of anomalies of one type that a run showed.
struct AnomalyCount {
  std::string type = {};
  std::uint64_t count = 0;
};

struct MatrixRun {
  std::string database = {};  ///< with its version: `PostgreSQL 15.20`
  std::string address = {};   ///< the address as given to `--db`
  PromisedLevel promised = {};
  std::string workload = {};
  std::string folder = {};   ///< the run's folder in the store
  std::string problem = {};  ///< why there is no verdict, in one line; empty if there is one
  std::vector<Standing> standings = {};  ///< levels that are missing here are unknown
  /// If transactions ask for levels of their own: whether each got its own level.
  std::optional<Validity> own_levels = {};
  std::vector<AnomalyCount> anomalies = {};
  bool is_counted = false;  ///< whether the check ended and counted them: else there is no rate
  std::uint64_t transactions = 0;
  std::uint64_t committed = 0;
  std::uint64_t aborted = 0;
  std::uint64_t indeterminate = 0;
  double seconds = 0;

  [[nodiscard]] std::uint64_t all_anomalies() const;

  /// Transactions a second; 0 if none ran.
  [[nodiscard]] std::uint64_t throughput() const;

  /// The database; or its address, if it did not give its name.
  [[nodiscard]] const std::string& shown_name() const {
    return database.empty() ? address : database;
  }
};

struct MatrixRow {
  std::string database = {};
  std::string address = {};
  PromisedLevel promised = {};
  std::vector<std::size_t> runs = {};       ///< places in the given list
  Validity promise = Validity::kUnknown;    ///< valid: kept, as far as was seen
  std::vector<Standing> standings = {};     ///< of all runs together, in their order
  std::optional<Validity> own_levels = {};  ///< of all runs together
  ModelSet holds = {};                      ///< the strongest levels that hold
  ModelSet broken = {};                     ///< the weakest levels that are broken
};

/// The rows, in the order of their first runs. A run without a verdict makes a level unknown,
/// unless another run has broken it.
[[nodiscard]] std::vector<MatrixRow> rows_of(std::span<const MatrixRun> runs);

/// Valid if all promises were kept, invalid if one was broken, else unknown.
[[nodiscard]] Validity promises_of(std::span<const MatrixRow> rows);

// The rate of a rare event, with its confidence limits.

/// Events in a thousand trials; 95 of 100 such intervals contain the true rate.
struct Rate {
  double per_thousand = 0;
  double least = 0;
  double most = 0;
};

/// The rate of `events` that are independent of one another (Poisson), with the exact limits of
/// Garwood, "Fiducial limits for the Poisson distribution" (Biometrika 28, 1936). For no event in
/// 10,000 trials the limits are 0 and 0.37. All 0 for no trials.
[[nodiscard]] Rate rate_of(std::uint64_t events, std::uint64_t trials);

}  // namespace elapid
