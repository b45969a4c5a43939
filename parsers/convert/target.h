// What each format can hold, as far as writing a history in it goes. One row a format and dialect.
#ifndef ELAPID_PARSERS_CONVERT_TARGET_H_
#define ELAPID_PARSERS_CONVERT_TARGET_H_

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "parsers/options.h"

namespace elapid {

/// How a format says that a read saw the state before the first write.
enum class InitialForm : std::uint8_t {
  kNil,      ///< with nil, or with marks of its own
  kZero,     ///< with the value 0
  kWritten,  ///< not at all: a first transaction writes the initial values
};

/// Numbers that a format has room for; text if there are none.
struct NumberRange {
  std::int64_t min = 0;
  std::int64_t max = -1;

  [[nodiscard]] constexpr bool is_text() const { return max < min; }

  [[nodiscard]] constexpr bool holds(std::int64_t n) const { return n >= min && n <= max; }
};

inline constexpr NumberRange kNaturals = {0, std::numeric_limits<std::int64_t>::max()};
inline constexpr NumberRange kIntegers = {std::numeric_limits<std::int64_t>::min(),
                                          std::numeric_limits<std::int64_t>::max()};
inline constexpr NumberRange kShortNaturals = {0, std::numeric_limits<std::int32_t>::max()};

struct Target {
  Format format = Format::kEdn;
  std::string_view dialect = {};     ///< empty where the format has none
  std::string_view extension = {};   ///< with its dot; of a directory as well
  bool is_directory = false;         ///< a file a session
  bool registers = true;             ///< reads and writes of registers
  bool lists = false;                ///< appends and reads of lists
  bool aborted = false;              ///< aborted transactions
  bool aborted_writes = false;       ///< of aborted transactions the writes only
  bool indeterminate = false;        ///< transactions of which nobody knows whether they happened
  bool invocations = false;          ///< when each transaction was invoked and completed
  bool timestamps = false;           ///< the database's, at start and commit
  bool needs_timestamps = false;     ///< and a transaction cannot do without them
  bool keeps_extras = false;         ///< further fields of operations, as :error
  bool empty_transactions = false;   ///< transactions without operations
  bool has_key_names = false;        ///< keys may be words, where all are
  bool drops_values = false;         ///< values are not written: something else tells them
  bool repeats = false;              ///< one value written to one key more than once
  bool unique_everywhere = false;    ///< no value written twice, to whatever key
  bool by_session = false;           ///< a session's transactions stand together
  bool guesses_initial_txn = false;  ///< a first transaction may be taken for the initial state
  bool ids = false;                  ///< each transaction has an id of its own
  bool excuses_unwritten = false;    ///< a value that nobody wrote is no violation
  bool aborted_ids = false;          ///< of aborted transactions the ids only
  bool one_register = false;         ///< single operations on one register, which has no name
  bool zero_is_initial = false;      ///< a read of 0 is one of the initial state as well
  bool writes_initial = false;    ///< what stands for the initial state may be written too: a read
                                  ///< of it does not tell which it saw
  bool declares_initial = false;  ///< says which value is initial
  InitialForm initial = InitialForm::kNil;
  NumberRange keys = {};
  NumberRange values = {};
  std::int64_t first_session = 0;  ///< the smallest name of a session
};

/// All formats that can be written.
[[nodiscard]] std::span<const Target> targets();

/// The row of a format; without a dialect that of its first one. Nothing if it cannot be written.
[[nodiscard]] const Target* find_target(const FormatName& name);

/// The format that a file of this name surely has: `.edn`, `.jsonl`, `.jepsen`, `.bincode`, `.hist`
/// and the extensions of the table that one format alone has.
[[nodiscard]] const Target* target_of_extension(std::string_view path);

/// As `polysi:text`; without a dialect where there is none.
[[nodiscard]] std::string text(const Target& target);

}  // namespace elapid

#endif  // ELAPID_PARSERS_CONVERT_TARGET_H_
