// One operation map of a Jepsen history: `{:type :ok, :process 0, :value [[:r :x 1]], ...}`.
//
// Keys come in any order, so the meaning of :value may be known only after it was read. It is read
// as micro-operations at once. If it is something else, that problem is noted. It becomes an error
// only if the operation turns out to be a client's.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/result.h"
#include "parsers/edn/scanner.h"
#include "parsers/jepsen/known_lists.h"
#include "parsers/options.h"

namespace elapid {

/// An error that few operations have: without one it takes one pointer, and no time to clear.
class RareError {
 public:
  RareError& operator=(Error error) {
    error_ = std::make_unique<Error>(std::move(error));
    return *this;
  }

  [[nodiscard]] explicit operator bool() const { return error_ != nullptr; }

  [[nodiscard]] Error& operator*() const { return *error_; }

  [[nodiscard]] Error* operator->() const { return error_.get(); }

 private:
  std::unique_ptr<Error> error_;
};

/// A :value without micro-operations, as one value.
struct WholeValue {
  bool is_collection = false;               ///< a vector, list, map or set
  std::string text = {};                    ///< canonical
  RareError problem = {};                   ///< why there is no text
  std::vector<std::uint64_t> offsets = {};  ///< of a collection's elements, if known

  /// Resets the value, and keeps the text's memory.
  void clear() {
    is_collection = false;
    text.clear();
    problem = RareError();
    offsets.clear();
  }

  /// Starts the text of a vector or list.
  void open() { text = '['; }

  /// Must be called before an element is appended to the text.
  void separate() {
    if (text.back() != '[') {
      text += ' ';
    }
  }
};

/// The kind of :process.
enum class ProcessKind : std::uint8_t {
  kAbsent,  ///< absent, or nil
  kClient,  ///< an integer
  kNamed,   ///< a keyword, string or symbol such as :nemesis
  kOdd,     ///< any other value
};

/// The fields of an operation map, without the content of its :value.
struct OpFields {
  std::uint64_t offset = 0;  ///< of the map, or of the tag before it
  bool is_plain = false;     ///< read_plain() has read the map, which has no further keys
  std::optional<EventType> type = {};
  ProcessKind process_kind = ProcessKind::kAbsent;
  std::int64_t process = 0;  ///< of kClient
  std::optional<std::int64_t> index = {};
  std::optional<std::int64_t> time = {};
  std::optional<std::int64_t> start_timestamp = {};   ///< of the database
  std::optional<std::int64_t> commit_timestamp = {};  ///< of the database
  std::optional<std::int64_t> invoked = {};    ///< ns; with it, the map is a whole transaction
  std::optional<std::int64_t> completed = {};  ///< ns; the same
  ValueId level = ValueId::nil();              ///< :isolation, as a keyword; nil if it is absent
  ValueId f = ValueId::nil();                  ///< :f; none() if it is neither a keyword nor nil
  bool has_odd_time = false;                   ///< :time is neither an integer nor nil
  bool has_extras = false;                     ///< further keys exist, as :error
  bool has_validity = false;                   ///< :valid? exists, as in a file of results
  bool has_value = false;                      ///< :value exists and is not nil
  bool is_nil = false;                         ///< :value exists and is nil
  /// :value is one value, which is in `whole`, and surely has no micro-operations: it is no
  /// collection, or none of the workload has some.
  bool is_one_value = false;
  std::uint64_t value_offset = 0;  ///< of such a value
  RareError not_mops = {};         ///< why another :value has no micro-operations
  bool may_be_tuple = false;       ///< :value does not begin with a vector or list
  bool begins_mops = false;        ///< :value begins with a likely micro-operation: a vector or
                                   ///< list with a name in front
  bool is_json = false;            ///< the map comes from JSON
  std::uint64_t first_append = kNoPlace;  ///< the place of the function of the first append
  std::uint64_t first_write = kNoPlace;   ///< the same for the first write
  std::uint64_t first_other = kNoPlace;   ///< for a function unknown to find_mop_kind()
  RareError not_list = {};  ///< a list-append read of something other than a list or nil
  RareError twice = {};     ///< a repeated key, if the syntax allows it
  ValueId tuple_key = ValueId::none();  ///< of a split tuple

  static constexpr std::uint64_t kNoPlace = 0xffffffffffffffffU;

  /// Notes the place of a micro-operation's function.
  void note_mop(OpKind kind, std::uint64_t place) {
    if (kind != OpKind::kRead) {
      std::uint64_t& first = kind == OpKind::kAppend  ? first_append
                             : kind == OpKind::kWrite ? first_write
                                                      : first_other;
      first = std::min(first, place);
    }
  }

  /// Whether :value was read as micro-operations.
  [[nodiscard]] bool is_mops() const { return !is_one_value && !not_mops; }

  /// The place of the first function for registers in a history of lists, or the reverse.
  [[nodiscard]] std::uint64_t first_foreign(Workload workload) const {
    return workload.has_lists() ? first_write : first_append;
  }
};

/// A whole operation map. Reused from map to map, so that its buffers keep their memory.
struct OpMap : OpFields {
  WholeValue whole = {};  ///< :value if it has no micro-operations, or in a history of
                          ///< rows
  /// For ProcessKind::kNamed, without colon or quotes; also for a client whose session has a name.
  std::string process_name = {};
  /// Keys among WorkloadType::fields, with their colon, and their values as canonical EDN.
  std::vector<std::pair<std::string, std::string>> fields = {};
  GrowingVector<MopInput> mops = {};     ///< `key` has the name of the key: see key_name()
  GrowingVector<ValueId> elements = {};  ///< of list reads

  /// Resets the map.
  void clear() {
    static_cast<OpFields&>(*this) = {};
    whole.clear();
    process_name.clear();
    fields.clear();
    mops.clear();
    elements.clear();
  }

  /// Why :value has no micro-operations. Requires !is_mops().
  [[nodiscard]] Error why_no_mops() const;

  /// Whether the map is a client's event with micro-operations that the workload has.
  [[nodiscard]] bool is_plain_event(Workload workload) const {
    return is_plain && !mops.empty() && first_foreign(workload) == kNoPlace && type &&
           process_kind == ProcessKind::kClient;
  }
};

/// Whether the operation is of Jepsen's nemesis, the process whose operations are faults.
[[nodiscard]] inline bool is_nemesis(const OpMap& op) {
  return op.process_kind == ProcessKind::kNamed &&
         (op.process_name == "nemesis" || op.process_name == ":nemesis");
}

/// The name of a key in an operation map, see set_key_name().
inline ValueId key_name(const MopInput& mop) {
  return ValueId::from_bits(mop.key.value);
}

/// The result of `translated` for a value; small integers and nil stay.
template <class Translated>
ValueId replaced_value(ValueId value, Translated& translated) {
  const bool is_same = value.is_integer() || value.is_nil() || value.is_none();
  return is_same ? value : translated(value);
}

/// Replaces all values of micro-operations, also the names of keys.
template <class Translated>
void replace_values_of(std::span<MopInput> mops, std::span<ValueId> elements,
                       Translated& translated) {
  for (MopInput& mop : mops) {
    mop.value = replaced_value(mop.value, translated);
    set_key_name(mop, replaced_value(key_name(mop), translated));
  }
  for (ValueId& element : elements) {
    element = replaced_value(element, translated);
  }
}

/// Replaces all values of the operation.
template <class Translated>
void replace_values(OpMap& op, Translated translated) {
  op.f = replaced_value(op.f, translated);
  op.level = replaced_value(op.level, translated);
  replace_values_of(op.mops, op.elements, translated);
}

/// The type with this name, which has no colon.
[[nodiscard]] std::optional<EventType> find_event_type(std::string_view name);

/// The kind of a micro-operation with this function, which has no colon: `r`, `w` or `append`, or
/// in Knossos's notation `read` or `write`. A read of a list is a kRead here.
[[nodiscard]] inline std::optional<OpKind> find_mop_kind(std::string_view name) {
  const char first = name.empty() ? '\0' : name.front();
  switch (first) {
    case 'r':
      return name.size() == 1 || name == "read" ? std::optional(OpKind::kRead) : std::nullopt;
    case 'w':
      return name.size() == 1 || name == "write" ? std::optional(OpKind::kWrite) : std::nullopt;
    case 'a':
      // This comparison is inlined; that of string views is not.
      return name.size() == 6 && std::memcmp(name.data(), "append", 6) == 0
                 ? std::optional(OpKind::kAppend)
                 : std::nullopt;
    default:
      return std::nullopt;
  }
}

/// Reads operation maps.
class OpMapReader {
 public:
  /// Borrows both arguments. Reads lists only in list-append; elsewhere every value is one value.
  OpMapReader(edn::Scanner& scanner, ValuePool& values, Workload workload)
      : scanner_(scanner),
        values_(values),
        has_lists_(workload.has_lists()),
        fields_(workload.fields()),
        has_own_values_(workload.has_own_values()),
        has_rows_(workload == Workload::kRows),
        is_plain_(!has_rows_) {}

  /// From now on :value is a tuple `[key value]`, and is split into its key and its value.
  void take_tuples_apart() {
    has_tuples_ = true;
    is_plain_ = false;
  }

  /// From now on read_plain() reads nothing.
  void take_no_short_cut() { is_plain_ = false; }

  /// Whether the workload's operations may be read without tokens.
  [[nodiscard]] bool may_take_short_cut() const { return is_plain_; }

  /// The lists whose text is known.
  [[nodiscard]] KnownLists& known_lists() { return known_lists_; }

  /// Reads the map that the scanner's current token opens. False after an error of the scanner.
  bool read(OpMap& op);

  /// Reads the next map without tokens, if it has the usual shape and is in memory: the six usual
  /// keys, each once, and one field of the workload; a client's process; plain integers. The value
  /// is of micro-operations `append`, `w` and `r` of integers and keywords, or one scalar; if none
  /// of the workload has micro-operations, also a vector or map of such values. Otherwise returns
  /// false and leaves the scanner where it is; read() gives the same result for such a map. For
  /// other shapes this costs one look at their beginning.
  bool read_plain(OpMap& op);

 private:
  friend class PlainOp;

  enum class Field : std::uint8_t {
    kIndex,
    kTime,
    kType,
    kProcess,
    kF,
    kValue,
    kIsolation,
    kExtra
  };

  static Field field_of(const edn::Token& key);
  bool read_entry(OpMap& op, unsigned& seen, bool has_namespace);
  bool read_field(OpMap& op, Field field);
  bool read_extra_key(OpMap& op);
  bool read_extra_value(OpMap& op);
  bool check_extra_keys();
  bool read_index(OpMap& op);
  bool read_time(OpMap& op);
  bool read_type(OpMap& op);
  bool read_process(OpMap& op);
  bool read_f(OpMap& op);
  bool read_isolation(OpMap& op);
  ValueId function(std::string_view text);
  bool read_tuple(OpMap& op);
  bool read_value(OpMap& op);
  bool read_mops(OpMap& op);
  bool read_mop(OpMap& op);
  bool read_known_mop(OpMap& op, OpKind kind);
  bool read_other_mop(OpMap& op);
  bool read_list(OpMap& op, MopInput& mop);
  bool read_scalar(OpMap& op, ValueId& value);
  bool read_whole(OpMap& op);
  void read_elements(OpMap& op, bool is_inner);
  bool append_elements(WholeValue& whole);
  bool give_up(OpMap& op, std::string_view expected);

  edn::Scanner& scanner_;
  ValuePool& values_;
  bool has_lists_;
  std::span<const std::string_view> fields_;
  bool has_own_values_;
  bool has_rows_;  // :value is kept as text
  bool has_tuples_ = false;
  bool is_plain_;                   // read_plain() may be tried
  std::uint64_t odd_in_a_row_ = 0;  // the last maps that read_plain() has not read
  KnownLists known_lists_;
  std::string f_text_;      // the keyword of the last :f
  ValueId f_;               // its id
  std::string text_;        // canonical text of a value
  std::string extra_text_;  // canonical texts of the map's further keys
  std::vector<std::pair<std::size_t, std::size_t>> extra_keys_;  // begin and length in extra_text_
};

}  // namespace elapid
