#include "parsers/convert/target.h"

#include <algorithm>
#include <array>
#include <limits>

namespace elapid {

namespace {

constexpr Target kJepsenLike = {.lists = true,
                                .aborted = true,
                                .indeterminate = true,
                                .invocations = true,
                                .keeps_extras = true,
                                .empty_transactions = true,
                                .repeats = true,
                                .writes_initial = true};

constexpr Target jepsen_like(Format format, std::string_view dialect, std::string_view extension) {
  Target target = kJepsenLike;
  target.format = format;
  target.dialect = dialect;
  target.extension = extension;
  target.timestamps = format == Format::kJsonl;
  target.declares_initial = format == Format::kJsonl;
  target.first_session = std::numeric_limits<std::int64_t>::min();
  return target;
}

/// `r(k,v,s,t)` text.
constexpr Target operation_lines(Format format, std::string_view dialect) {
  return {.format = format,
          .dialect = dialect,
          .extension = ".txt",
          .aborted_writes = format == Format::kPlume || format == Format::kRwText,
          .repeats = format != Format::kPolysi,
          .guesses_initial_txn = true,
          .ids = true,
          .zero_is_initial = true,
          .writes_initial = format != Format::kPolysi,
          .initial = format == Format::kIsovista ? InitialForm::kWritten : InitialForm::kZero,
          .keys = kNaturals,
          .values = kNaturals};
}

constexpr Target cobra(std::string_view dialect) {
  const bool is_universal = dialect == "universal";
  const bool has_times = dialect == "timestamps";
  return {.format = Format::kCobra,
          .dialect = dialect,
          .extension = ".cobra",
          .is_directory = true,
          .invocations = has_times,
          .empty_transactions = true,
          .repeats = is_universal,
          .unique_everywhere = !is_universal,
          .by_session = true,
          .ids = true,
          .excuses_unwritten = !is_universal,
          .aborted_ids = true,
          .keys = kIntegers,
          .values = kIntegers};
}

constexpr Target dbcop(std::string_view dialect, std::string_view extension, InitialForm initial) {
  return {.format = Format::kDbcop,
          .dialect = dialect,
          .extension = extension,
          .aborted = true,
          .empty_transactions = dialect != "hist",
          .has_key_names = dialect == "hist",
          .repeats = dialect == "bincode",
          .by_session = true,
          .guesses_initial_txn = dialect == "bincode",
          .zero_is_initial = true,
          .writes_initial = initial == InitialForm::kZero,
          .initial = initial,
          .keys = kNaturals,
          .values = kNaturals};
}

constexpr std::array kTargets = {
    jepsen_like(Format::kEdn, {}, ".edn"),
    jepsen_like(Format::kJson, {}, ".json"),
    jepsen_like(Format::kJsonl, {}, ".jsonl"),
    jepsen_like(Format::kJepsen, "binary", ".jepsen"),
    cobra("plain"),
    cobra("universal"),
    cobra("timestamps"),
    operation_lines(Format::kRwText, {}),
    operation_lines(Format::kPolysi, "text"),
    Target{.format = Format::kPolysi,
           .dialect = "elle",
           .extension = ".edn",
           .registers = false,
           .lists = true,
           .empty_transactions = true,
           .keys = kShortNaturals,
           .values = kShortNaturals},
    operation_lines(Format::kPlume, {}),
    operation_lines(Format::kIsovista, {}),
    Target{.format = Format::kAwdit,
           .extension = ".txt",
           .by_session = true,
           .initial = InitialForm::kWritten,
           .keys = kNaturals,
           .values = kNaturals},
    dbcop("bincode", ".bincode", InitialForm::kZero),
    dbcop("json", ".json", InitialForm::kNil),
    dbcop("hist", ".hist", InitialForm::kNil),
    Target{.format = Format::kViper,
           .dialect = "json",
           .extension = ".viper",
           .is_directory = true,
           .empty_transactions = true,
           .by_session = true,
           .excuses_unwritten = true,
           .zero_is_initial = true,
           .initial = InitialForm::kZero,
           .keys = kIntegers,
           .values = kIntegers},
    Target{.format = Format::kViper,
           .dialect = "edn",
           .extension = ".viper",
           .is_directory = true,
           .lists = true,
           .empty_transactions = true,
           .by_session = true,
           .excuses_unwritten = true,
           .keys = kIntegers,
           .values = kIntegers},
    Target{.format = Format::kTimekiller,
           .extension = ".json",
           .lists = true,
           .timestamps = true,
           .needs_timestamps = true,
           .empty_transactions = true,
           .repeats = true,
           .ids = true,
           .keys = kNaturals,
           .values = kIntegers},
    Target{.format = Format::kVeristrongElle,
           .extension = ".txt",
           .registers = false,
           .lists = true,
           .ids = true,
           .keys = kNaturals,
           .values = kNaturals},
    Target{.format = Format::kCoo,
           .dialect = "read-committed",
           .extension = ".txt",
           .aborted = true,
           .empty_transactions = true,
           .drops_values = true},
    Target{.format = Format::kIsopredict,
           .extension = ".txt",
           .drops_values = true,
           .by_session = true,
           .first_session = 1},
    Target{.format = Format::kKnossos,
           .extension = ".edn",
           .aborted = true,
           .indeterminate = true,
           .invocations = true,
           .keeps_extras = true,
           .repeats = true,
           .one_register = true,
           .writes_initial = true,
           .first_session = std::numeric_limits<std::int64_t>::min()},
    Target{.format = Format::kPorcupine,
           .dialect = "etcd",
           .extension = ".log",
           .aborted = true,
           .indeterminate = true,
           .invocations = true,
           .repeats = true,
           .one_register = true,
           .values = kNaturals},
};

/// Extensions of the table that several formats have, and the one that is meant without being said.
constexpr std::array kAmbiguousExtensions = {std::string_view(".txt"), std::string_view(".json"),
                                             std::string_view(".log")};

}  // namespace

std::span<const Target> targets() {
  return kTargets;
}

const Target* find_target(const FormatName& name) {
  const auto found = std::ranges::find_if(kTargets, [&](const Target& target) {
    return target.format == name.format && (name.dialect.empty() || target.dialect == name.dialect);
  });
  return found == kTargets.end() ? nullptr : &*found;
}

const Target* target_of_extension(std::string_view path) {
  const auto found = std::ranges::find_if(kTargets, [&](const Target& target) {
    return path.ends_with(target.extension) &&
           std::ranges::find(kAmbiguousExtensions, target.extension) == kAmbiguousExtensions.end();
  });
  return found == kTargets.end() ? nullptr : &*found;
}

std::string text(const Target& target) {
  return text(FormatName{target.format, std::string(target.dialect)});
}

}  // namespace elapid
