// The state of an elapid_checker: its options, lines and verdicts.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "adapter/c/settings.h"
#include "engine/ir/result.h"
#include "engine/verdict/verdict.h"
#include "parsers/bytes/byte_source.h"
#include "parsers/read.h"

namespace elapid {

class FedChecker {
 public:
  [[nodiscard]] Status set(std::string_view name, std::string_view value);

  /// Adds a line. Error: kUsage if it contains a newline.
  [[nodiscard]] Status add_line(std::string_view line);

  /// Forgets lines and verdicts.
  void clear();

  void forget_verdicts() { judged_.clear(); }

  // Each check replaces the verdicts. Errors: those of check_input().
  [[nodiscard]] Status check_lines();
  [[nodiscard]] Status check_file(const std::string& path);
  [[nodiscard]] Status check_memory(std::string bytes);

  /// Ends the running check; if none runs, the next one. Safe from any thread.
  void cancel() { is_cancelled_ = true; }

  /// Whether cancel() was called since the last call. If so, forgets the verdicts.
  [[nodiscard]] bool take_cancel();

  [[nodiscard]] std::size_t count() const { return judged_.size(); }

  // The history is counted from 0, and must exist.
  [[nodiscard]] Validity validity(std::size_t history) const;
  [[nodiscard]] const std::string& key(std::size_t history) const;
  [[nodiscard]] const std::string& json(std::size_t history);
  [[nodiscard]] const std::string& explanation(std::size_t history);
  /// A file of the report, by a name that elapid.h lists; NULL for other names.
  [[nodiscard]] const std::string* report(std::size_t history, std::string_view file);

 private:
  /// A history with its verdict, and the texts that were made so far.
  struct Judged {
    Judged(std::string name, LoadedHistory&& history, Verdict&& its);

    std::string path;
    LoadedHistory loaded;
    Verdict verdict;
    std::string key;  // without zero bytes, which end texts in C
    std::optional<std::string> json = {};
    std::optional<std::string> explanation = {};
    std::optional<std::map<std::string, std::string, std::less<>>> report = {};  // by file
  };

  /// Makes `job_` of the options, if it does not exist.
  Status prepare();
  Status judge(const std::string& name, Result<std::vector<LoadedHistory>> loaded);

  /// The files of the history's report; none in Elle's mode.
  static std::map<std::string, std::string, std::less<>> files_of(Judged& judged);

  Settings settings_;
  std::optional<CheckJob> job_;  // made of the settings by prepare()
  std::string lines_;
  std::vector<Judged> judged_;
  std::atomic<bool> is_cancelled_ = false;
};

}  // namespace elapid
