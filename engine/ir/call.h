// Operations that are no transactions: `{:f :add, :value 1}`, `{:f :read, :value [1 2]}`.
//
// A reader knows how the format writes such an operation. The workload knows its meaning, and turns
// it into operations of a history. A Call stands in between: a function, and a value as EDN.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/ir/growing_vector.h"
#include "engine/ir/history_builder.h"
#include "engine/ir/value_pool.h"

namespace elapid {

/// The parts of a value in canonical EDN (ValuePool::text): the elements of a vector, list or set,
/// or the keys and values of a map in turn. Nothing for a value that is no collection. The views
/// point into `text`. O(length).
[[nodiscard]] std::optional<std::vector<std::string_view>> elements_of(std::string_view text);

/// A place between the forms of a value in canonical EDN, which has one blank between forms and
/// none elsewhere. It reads a value once, without memory; the views point into the text.
class FormCursor {
 public:
  /// Before the first form of the text.
  explicit FormCursor(std::string_view text) : text_(text) {}

  /// Moves into the next form, if it begins with this bracket.
  bool enter(char opening);

  /// Moves out of the collection, if no form is left in it.
  bool leave();

  /// Moves behind the next form, and returns it; empty if no form is left in the collection.
  std::string_view next();

 private:
  [[nodiscard]] bool is_at_end() const;
  [[nodiscard]] bool is_at_tag() const;

  void skip_blank() { at_ += at_ < text_.size() && text_[at_] == ' ' ? 1U : 0U; }

  void skip_token();
  void skip_nested();
  void skip_text();
  void skip_string();

  std::string_view text_;
  std::size_t at_ = 0;
};

/// A cursor before the first of elements_of(text); nothing for a value that is no collection.
[[nodiscard]] std::optional<FormCursor> inside(std::string_view text);

struct Call {
  EventType type = EventType::kInvoke;
  /// An :ok has no :value at all, not even nil, and the invocation's counts. Jepsen reads nil.
  bool lacks_value = false;
  bool is_for_jepsen = false;                  ///< the answer is to be that of Jepsen's checker
  std::string_view f = {};                     ///< without a colon: `add`
  std::optional<std::string_view> value = {};  ///< canonical EDN; absent if nil
  /// Those keys of WorkloadType::fields that the operation has, with colon, and their values as
  /// canonical EDN.
  std::span<const std::pair<std::string, std::string>> fields = {};
  /// For a completion whose invocation was seen: the operations that the invocation was decoded to.
  std::span<const MopInput> invoked = {};
  bool is_json = false;  ///< it comes from JSON, where keys of maps are texts

  /// Whether the call was what its invocation says, whatever this completion says: it did not
  /// succeed, or it lacks a value.
  [[nodiscard]] bool repeats_invocation() const {
    const bool is_told = type == EventType::kInvoke || (type == EventType::kOk && !lacks_value);
    return !is_told && !invoked.empty();
  }

  /// The value of this key, which has a colon; empty if the call has no such key.
  [[nodiscard]] std::string_view field(std::string_view key) const {
    for (const auto& [name, text] : fields) {
      if (name == key) {
        return text;
      }
    }
    return {};
  }
};

/// The result of decoding a call: one transaction's operations. set_key_name() gives an operation
/// its key. An operation without a given key has the key nil.
struct DecodedCall {
  GrowingVector<MopInput>& mops;
  GrowingVector<ValueId>& elements;  ///< of list reads, see MopInput
  ValuePool& values;
};

/// Sets the key's name in place of its id, which no history has assigned yet.
inline void set_key_name(MopInput& mop, ValueId name) {
  mop.key = {name.bits()};
}

}  // namespace elapid
