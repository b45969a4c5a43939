// The state of an elapid_checker: its options, the lines that it was given, its verdicts.
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

  /// Adds a line without its newline. Error: kUsage if it has one.
  [[nodiscard]] Status add_line(std::string_view line);

  /// Forgets lines and verdicts.
  void clear();

  void forget_verdicts() { judged_.clear(); }

  // Each replaces the verdicts. Errors as of check_input().
  [[nodiscard]] Status check_lines();
  [[nodiscard]] Status check_file(const std::string& path);
  [[nodiscard]] Status check_memory(std::string bytes);

  /// Ends the check that runs, or else the next one. Safe from any thread.
  void cancel() { is_cancelled_ = true; }

  /// Whether the last check was cancelled, whose verdicts are forgotten; forgets that it was.
  [[nodiscard]] bool take_cancel();

  [[nodiscard]] std::size_t count() const { return judged_.size(); }

  // Of a history counted from 0, which must be there.
  [[nodiscard]] Validity validity(std::size_t history) const;
  [[nodiscard]] const std::string& key(std::size_t history) const;
  [[nodiscard]] const std::string& json(std::size_t history);
  [[nodiscard]] const std::string& explanation(std::size_t history);
  /// A file of the report, of those that elapid.h lists; NULL if there is no such file.
  [[nodiscard]] const std::string* report(std::size_t history, std::string_view file);

 private:
  /// A history with its verdict, and what was asked of it already.
  struct Judged {
    Judged(std::string name, LoadedHistory&& history, Verdict&& its);

    std::string path;
    LoadedHistory loaded;
    Verdict verdict;
    std::string key;  // without a zero byte, at which C would end it
    std::optional<std::string> json = {};
    std::optional<std::string> explanation = {};
    std::optional<std::map<std::string, std::string, std::less<>>> report = {};  // by file
  };

  /// Looks up what the options ask for, unless that is known.
  Status prepare();
  Status judge(const std::string& name, Result<std::vector<LoadedHistory>> loaded);

  /// The files of its report; none for Elle's answers.
  static std::map<std::string, std::string, std::less<>> files_of(Judged& judged);

  Settings settings_;
  std::optional<CheckJob> job_;  // what they come to, once it is asked for
  std::string lines_;
  std::vector<Judged> judged_;
  std::atomic<bool> is_cancelled_ = false;
};

}  // namespace elapid
