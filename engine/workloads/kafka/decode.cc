#include "engine/workloads/kafka/decode.h"

#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "engine/workloads/kafka/marks.h"

namespace elapid::kafka {

namespace {

/// `:send`, or in JSON `"send"`.
bool is_function(std::string_view text, std::string_view name) {
  return text.size() > name.size() && text.substr(1).starts_with(name) &&
         (text.front() == ':' ? text.size() == name.size() + 1
                              : text.front() == '"' && text.size() == name.size() + 2);
}

/// In JSON the keys of maps are texts, and most are read as keywords. So a key of any kind is the
/// text of it there: `:x` is `"x"`, and 1.5 is `"1.5"`; except that `:12` and `"12"` are 12.
std::string key_in_json(std::string_view text) {
  if (text == "nil" || text.starts_with('[') || text.starts_with('{')) {
    return std::string(text);
  }
  const bool is_big = text.ends_with('N') && text.find_first_not_of("-0123456789N") == text.npos;
  const std::string name(text.front() == '"'   ? text.substr(1, text.size() - 2)
                         : text.front() == ':' ? text.substr(1)
                         : is_big              ? text.substr(0, text.size() - 1)
                                               : text);
  std::int64_t number = 0;
  const char* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, number);
  const bool is_number =
      read.ec == std::errc() && read.ptr == end && std::to_string(number) == name;
  return is_number ? name : '"' + name + '"';
}

class Decoder {
 public:
  Decoder(bool is_json, DecodedCall& out) : is_json_(is_json), out_(out) {}

  void mark(std::string_view name, ValueId key = ValueId::nil()) {
    add(OpKind::kOther, key, out_.values.intern(name));
  }

  /// Returns false if the next form is no micro-operation.
  bool add_mop(FormCursor& forms) {
    if (!forms.enter('[')) {
      return false;
    }
    const std::string_view function = forms.next();
    if (is_function(function, "send")) {
      return add_send(forms) && forms.leave();
    }
    if (!is_function(function, "poll")) {
      return false;
    }
    mark(kPollMark);
    return forms.leave() || (add_poll(forms) && forms.leave());
  }

  /// The keys of an :assign or :subscribe, or of a rebalance.
  bool add_keys(std::string_view text, std::string_view name) {
    const auto keys = elements_of(text);
    if (!keys || text.starts_with('{')) {
      return false;
    }
    for (const std::string_view key : *keys) {
      mark(name, key_of(key));
    }
    return true;
  }

  /// Reads a vector of maps with :keys.
  bool add_rebalances(std::string_view text) {
    const auto rebalances = elements_of(text);
    bool is_right = rebalances && !text.starts_with('{');
    for (std::size_t r = 0; is_right && r < rebalances->size(); ++r) {
      const auto entries = elements_of((*rebalances)[r]);
      is_right = entries && (*rebalances)[r].starts_with('{');
      for (std::size_t i = 0; is_right && i + 1 < entries->size(); i += 2) {
        const bool is_keys = (*entries)[i] == ":keys" || (*entries)[i] == "\"keys\"";
        is_right =
            !is_keys || (*entries)[i + 1] == "nil" || add_keys((*entries)[i + 1], kRebalancedMark);
      }
    }
    return is_right;
  }

  void add_error(std::string_view text) {
    mark(kErrorMark);
    add(OpKind::kWrite, ValueId::nil(), out_.values.intern(text));
  }

 private:
  [[nodiscard]] ValueId key_of(std::string_view text) {
    return is_json_ ? out_.values.intern(key_in_json(text)) : out_.values.intern(text);
  }

  void add(OpKind kind, ValueId key, ValueId value) {
    MopInput mop = {.kind = kind, .value = value};
    set_key_name(mop, key);
    out_.mops.push_back(mop);
  }

  bool add_send(FormCursor& forms) {
    const std::string_view key = forms.next();
    if (key.empty()) {
      return false;
    }
    if (forms.enter('[')) {
      return add_message(OpKind::kAppend, key_of(key), forms);
    }
    const std::string_view value = forms.next();
    add(OpKind::kAppend, key_of(key), out_.values.intern(value));
    return !value.empty();
  }

  /// Reads nil, or a map from keys to vectors of pairs.
  bool add_poll(FormCursor& forms) {
    if (!forms.enter('{')) {
      return forms.next() == "nil";
    }
    while (!forms.leave()) {
      const ValueId key = key_of(forms.next());
      if (!forms.enter('[')) {
        return false;
      }
      bool has_more = !forms.leave();
      if (!has_more) {
        mark(kEmptyMark, key);
      }
      for (; has_more; has_more = !forms.leave()) {
        if (!forms.enter('[') || !add_message(OpKind::kRead, key, forms)) {
          return false;
        }
      }
    }
    return true;
  }

  /// Reads the rest of `[offset value]`. An offset below 0 counts as none.
  bool add_message(OpKind kind, ValueId key, FormCursor& forms) {
    const ValueId offset = out_.values.intern(forms.next());
    const std::string_view value = forms.next();
    const auto number = out_.values.as_integer(offset);
    if (value.empty() || !forms.leave() || (!offset.is_nil() && !number)) {
      return false;
    }
    add(kind, key, out_.values.intern(value));
    if (number && *number >= 0) {
      add(OpKind::kWrite, key, offset);
    }
    return true;
  }

  bool is_json_;
  DecodedCall& out_;
};

std::string expected(std::string_view what, const Call& call, std::string_view found) {
  return "expected " + std::string(what) + " in the :value of this :" + std::string(call.f) +
         ", found " + std::string(found);
}

std::string decode_txn(const Call& call, Decoder& decoder) {
  FormCursor forms(*call.value);
  if (!forms.enter('[')) {
    return expected("a vector of micro-operations", call, *call.value);
  }
  while (!forms.leave()) {
    FormCursor mop = forms;
    if (!decoder.add_mop(forms)) {
      return expected(
          "[:send key value], [:send key [offset value]], [:poll] or [:poll {key "
          "[[offset value] ...]}]",
          call, mop.next());
    }
  }
  return {};
}

}  // namespace

std::string decode(const Call& call, DecodedCall& out) {
  const bool is_txn = call.f == "send" || call.f == "poll" || call.f == "txn";
  const bool is_assignment = call.f == "assign" || call.f == "subscribe";
  Decoder decoder(call.is_json, out);
  if (!call.value && call.repeats_invocation()) {
    out.mops.assign(call.invoked);
  } else {
    decoder.mark(':' + std::string(call.f));
  }
  if (is_txn && call.value) {
    if (std::string problem = decode_txn(call, decoder); !problem.empty()) {
      return problem;
    }
  }
  if (is_assignment && call.value && !decoder.add_keys(*call.value, kAssignedMark)) {
    return expected("a vector of keys", call, *call.value);
  }
  const std::string_view rebalances = call.field(":rebalance-log");
  if (is_txn && !rebalances.empty() && rebalances != "nil" && !decoder.add_rebalances(rebalances)) {
    return "expected a vector of maps with :keys as the :rebalance-log of this :" +
           std::string(call.f) + ", found " + std::string(rebalances);
  }
  if (is_txn && call.type == EventType::kInfo && !call.field(":error").empty()) {
    decoder.add_error(call.field(":error"));
  }
  return {};
}

}  // namespace elapid::kafka
