// Histories with reports on them, for tests.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <utility>

#include "adapter/report/report.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/door/door.h"
#include "parsers/read.h"

namespace elapid::report_test {

/// A history in EDN or as text of another format, and the question about it.
inline ReportModel report_on(const std::string& content, CheckOptions check,
                             ReportOptions options = {}, ReadOptions read = {}) {
  Result<LoadedHistory> loaded = read_history(memory_source("run.edn", content), read);
  REQUIRE(loaded.ok());
  const Result<Verdict> verdict = check_loaded(loaded.value(), check);
  REQUIRE(verdict.ok());
  options.path = options.path.empty() ? "run.edn" : options.path;
  return report_of(loaded.value(), verdict.value(), options);
}

inline ReportModel report_on(const std::string& content, Model model, ReportOptions options = {}) {
  return report_on(content, CheckOptions{.models = {model}}, std::move(options));
}

/// Two clients that each increment the value that they read.
inline const std::string kLostUpdate =
    "{:type :ok, :process 0, :f :txn, :value [[:r :x []] [:append :x 1]]}\n"
    "{:type :ok, :process 1, :f :txn, :value [[:r :x []] [:append :x 2]]}\n"
    "{:type :ok, :process 2, :f :txn, :value [[:append :y 1] [:r :x [1 2]]]}\n";

/// A read that either of two writers may have served; neither way is serializable.
inline const std::string kCaseSplit = "w(1,1,1,1)\nw(1,1,2,2)\nr(1,1,3,3)\nr(1,0,3,4)\n";

}  // namespace elapid::report_test
