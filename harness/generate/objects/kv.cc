// A store of texts by key: :get, :put and :append, nil at first.
//
//   put "7", append "8", get -> "78"       each with its :key beside the :value
//
// Faults put and append texts of their own, which no session writes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "harness/generate/objects/object_types.h"

namespace elapid {

namespace {

class KvModel : public ObjectModel {
 public:
  explicit KvModel(const WorkloadOptions& options) : reads_(options.reads), keys_(options.keys) {}

  ObjectCall next(Random& random, std::size_t /*session*/) override {
    const std::string key = std::to_string(random.below(keys_));
    if (random.per_million(reads_)) {
      return get(key);
    }
    // Most writes are appends, as clients of logs make them. A put shortens the text.
    return random.percent(80) ? append(key, fresh()) : put(key, fresh());
  }

  ObjectReply apply(const ObjectCall& call, std::size_t /*session*/) override {
    const std::string& key = call.value.fields[0].value.word;
    if (call.function == "get") {
      const auto held = texts_.find(key);
      return {.value = held == texts_.end() ? call.value : with_key(key, held->second)};
    }
    const std::string& text = call.value.tree.word;
    texts_[key] = call.function == "put" ? text : texts_[key] + text;
    return {.value = call.value};
  }

  void tell_stale_get(FaultScript& script) {
    const std::string old = fresh();
    script.really(put(kKey, old));
    script.really(put(kKey, fresh()));
    script.falsely(get(kKey), with_key(kKey, old));
  }

  void tell_lost_append(FaultScript& script) {
    const std::string first = fresh();
    script.really(put(kKey, first));
    const std::string second = fresh();
    script.really(append(kKey, second));
    script.really(append(kKey, fresh()));
    script.falsely(get(kKey), with_key(kKey, first + second));
  }

  void tell_never_written(FaultScript& script) {
    script.falsely(get(kKey), with_key(kKey, fresh()));
  }

 private:
  static constexpr std::string_view kKey = "0";

  static ObjectValue with_key(std::string_view key, std::string_view text) {
    ObjectValue value = ObjectValue::of(PlainTree::text(text));
    value.fields = {{"key", PlainTree::text(key)}};
    return value;
  }

  static ObjectCall get(std::string_view key) {
    ObjectCall call = {.function = "get"};
    call.value.fields = {{"key", PlainTree::text(key)}};
    return call;
  }

  static ObjectCall put(std::string_view key, std::string_view text) {
    return {.function = "put", .value = with_key(key, text)};
  }

  static ObjectCall append(std::string_view key, std::string_view text) {
    return {.function = "append", .value = with_key(key, text)};
  }

  std::string fresh() { return std::to_string(++texts_made_) + ' '; }

  std::uint32_t reads_;
  std::size_t keys_;
  std::uint64_t texts_made_ = 0;
  std::map<std::string, std::string> texts_ = {};  // by key
};

constexpr std::array kKvFaults = {
    ObjectFault{"stale-get", "A text is shown that was overwritten before",
                told_by<&KvModel::tell_stale_get>},
    ObjectFault{"lost-append", "A text is shown without what was appended before",
                told_by<&KvModel::tell_lost_append>},
    ObjectFault{"never-written", "A text is shown that no operation writes",
                told_by<&KvModel::tell_never_written>},
};

}  // namespace

ObjectType kv_type() {
  return {"kv", make_model<KvModel>, kKvFaults};
}

}  // namespace elapid
