// How a history is written in a format: the writer, and the capabilities of the format. One row for
// each format and dialect, in the folder of the format.
//
// Plans (parsers/convert/plan.h) use only these rows. A format with a new peculiarity gets a new
// field here, whose default means all other formats.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/convert/plain_event_writer.h"

namespace elapid {

class OutputDirectory;
class OutputFile;
class Plan;
class Status;
struct Format;
struct Loss;

/// How a format writes a read of the state before the first write.
enum class InitialForm : std::uint8_t {
  kNil,      ///< as nil, or with marks of its own
  kZero,     ///< as the value 0
  kWritten,  ///< not at all: a first transaction writes the initial values
};

/// The range of a format's numbers; if empty, the format has text.
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
  const Format* format = nullptr;   ///< the format of this row
  std::string_view dialect = {};    ///< empty if the format has none
  std::string_view extension = {};  ///< with its dot; of a directory as well
  bool extension_tells = false;     ///< all files with this extension have this format
  // The writer of histories is one of two. Errors: kUsage if the format cannot hold the history,
  // kUnreadable if the output cannot be written.
  Status (*write_file)(const Plan& plan, OutputFile& out) = nullptr;
  Status (*write_directory)(const Plan& plan,
                            OutputDirectory& out) = nullptr;  ///< a file a session
  MakePlainEventWriter make_event_writer = nullptr;  ///< null: an event's place depends on all
  bool single_operations = false;  ///< that writer takes operations with values of any shape
  bool registers = true;           ///< reads and writes of registers
  bool lists = false;              ///< appends and reads of lists
  bool rows = false;               ///< operations on rows of one table, with predicates
  bool rows_are_values = false;    ///< rows hold one value each; the column has no name
  bool contents_apart = false;     ///< the initial contents belong to no session
  bool open_universe = false;      ///< says that further rows may have existed
  /// For a format with only some properties of rows: adds its losses. Error kUsage if it cannot
  /// hold the history.
  Status (*plan_rows)(const Plan& plan, std::vector<Loss>& losses) = nullptr;
  bool aborted = false;              ///< aborted transactions
  bool aborted_writes = false;       ///< of aborted transactions only the writes
  bool indeterminate = false;        ///< transactions that may or may not have happened
  bool invocations = false;          ///< the times of each invocation and completion
  bool whole_times = false;          ///< times of transactions without such events
  bool times_in_ms = false;          ///< times are whole milliseconds
  bool timestamps = false;           ///< the database's, at start and commit
  bool needs_timestamps = false;     ///< and every transaction needs them
  bool copies_values = false;        ///< of single operations, with any meaning
  bool keeps_extras = false;         ///< further fields of operations, as :error
  bool empty_transactions = false;   ///< transactions without operations
  bool has_key_names = false;        ///< keys may be words, where all are
  bool letter_keys = false;          ///< the first key is `a`, the second `b`
  bool json_types = false;           ///< names and values are of JSON's types
  bool drops_values = false;         ///< values are not written: other fields tell them
  bool drops_own_reads = false;      ///< and no reads of a transaction's own writes
  bool serial = false;               ///< transactions one after the other: to readers real time
  bool drops_sessions = false;       ///< each transaction is a session of its own
  bool repeats = false;              ///< one value written to one key more than once
  bool unique_everywhere = false;    ///< no value written twice, to any key
  bool by_session = false;           ///< a session's transactions are contiguous
  bool guesses_initial_txn = false;  ///< a first transaction may be read as the initial state
  bool ids = false;                  ///< each transaction has an id of its own
  bool excuses_unwritten = false;    ///< a value that was never written is no violation
  bool aborted_ids = false;          ///< of aborted transactions only the ids
  bool one_register = false;         ///< single operations on one register, which has no name
  bool zero_is_initial = false;      ///< a read of 0 is one of the initial state as well
  bool writes_initial = false;       ///< signs of the initial state may be written too: a read
                                     ///< does not tell which it saw
  bool declares_initial = false;     ///< declares the initial value
  InitialForm initial = InitialForm::kNil;
  std::string_view misread_aborted = {};        ///< how readers misread failed single operations,
                                                ///< if they do: the text of the loss
  std::span<const std::int64_t> reserved = {};  ///< numbers that cannot mean values
  NumberRange keys = {};
  NumberRange values = {};
  std::int64_t first_session = 0;  ///< the smallest name of a session

  [[nodiscard]] constexpr bool is_directory() const { return write_directory != nullptr; }
};

/// The name, as `polysi:text`; without a dialect if there is none.
[[nodiscard]] std::string text(const Target& target);

}  // namespace elapid
