#include "adapter/cli/commands/elle_cli_model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "engine/ir/call.h"
#include "parsers/door/door.h"

namespace elapid {

namespace {

enum class Shape : std::uint8_t { kTransaction, kMicroOperations, kFlat };

struct ModelSpec {
  std::string_view name;
  Shape shape;
  std::array<std::string_view, 3> functions = {};         // none: any
  std::array<std::string_view, 2> micro_operations = {};  // none: any
};

// Sorted by name.
constexpr std::array<ModelSpec, 11> kSpecs = {{
    {"bank", Shape::kFlat, {":read", ":transfer"}},
    {"cas-register", Shape::kFlat, {":read", ":write", ":cas"}},
    {"comments", Shape::kFlat, {":read", ":write"}},
    {"counter", Shape::kFlat, {":add", ":read"}},
    {"list-append", Shape::kTransaction, {}, {":r", ":append"}},
    {"long-fork", Shape::kMicroOperations, {":read", ":write"}, {":r", ":w"}},
    {"mutex", Shape::kFlat, {":acquire", ":release"}},
    {"rw-register", Shape::kTransaction, {}, {":r", ":w"}},
    {"sequential", Shape::kFlat, {":add", ":read"}},
    {"set", Shape::kFlat, {":add", ":read"}},
    {"set-full", Shape::kFlat, {":add", ":read"}},
}};

constexpr auto kNames = [] {
  std::array<std::string_view, kSpecs.size()> names = {};
  std::ranges::transform(kSpecs, names.begin(), &ModelSpec::name);
  return names;
}();

std::string_view words_for(Shape shape) {
  return shape == Shape::kTransaction ? "a transaction (:f :txn) over micro-operations"
         : shape == Shape::kMicroOperations
             ? "an operation whose :value is a list of micro-operations"
             : "a non-transactional operation with a scalar value";
}

/// In JSON the first element of a micro-operation is a string.
std::string as_keyword(std::string_view text) {
  const bool is_string = text.size() > 1 && text.front() == '"';
  return is_string ? ":" + std::string(text.substr(1, text.size() - 2)) : std::string(text);
}

bool has_micro_operations(const ShownCall& call) {
  return call.f == ":txn" ? call.value.starts_with('[') : call.value.starts_with("[[");
}

Shape shape_of(const ShownCall& call) {
  if (call.f == ":txn" || (call.f == "nil" && has_micro_operations(call))) {
    return Shape::kTransaction;
  }
  return has_micro_operations(call) ? Shape::kMicroOperations : Shape::kFlat;
}

/// The first function of a micro-operation that the model does not have.
std::optional<std::string> foreign_function(const ModelSpec& spec, const ShownCall& call) {
  const auto all = elements_of(call.value).value_or(std::vector<std::string_view>());
  for (const std::string_view mop : all) {
    const auto parts = elements_of(mop).value_or(std::vector<std::string_view>());
    std::string function = parts.empty() ? "nil" : as_keyword(parts.front());
    if (std::ranges::find(spec.micro_operations, function) == spec.micro_operations.end()) {
      return function;
    }
  }
  return std::nullopt;
}

/// Why the model does not have this event.
std::optional<std::string> complaint(const ModelSpec& spec, const ShownCall& call) {
  const Shape shape = shape_of(call);
  if (shape != spec.shape) {
    return fmt::format("op at :index {} is {}, but this model expects {}", call.index,
                       words_for(shape), words_for(spec.shape));
  }
  const bool has_functions = !spec.functions.front().empty();
  if (has_functions && std::ranges::find(spec.functions, call.f) == spec.functions.end()) {
    return fmt::format("op at :index {} uses :f {}, which is not supported by this model",
                       call.index, call.f);
  }
  if (!spec.micro_operations.front().empty() && has_micro_operations(call)) {
    if (const auto function = foreign_function(spec, call)) {
      return fmt::format(
          "op at :index {} contains a micro-operation with key {}, which is not supported by this "
          "model",
          call.index, *function);
    }
  }
  return std::nullopt;
}

/// Whether an operation reads a list, or has a value, that begins with a list. Such a list looks
/// like one of micro-operations.
bool shows_list_of_lists(const History& history) {
  const auto begins = [&history](ValueId value, std::string_view with) {
    return history.values().class_of(value) == ValueClass::kVector &&
           history.values().text(value).starts_with(with);
  };
  return std::ranges::any_of(history.all_ops(), [&](const Op& op) {
    if (op.kind() != OpKind::kReadList) {
      return begins(op.value(), "[[");
    }
    const std::span<const ValueId> shown = history.elements(op);
    return !shown.empty() && begins(shown.front(), "[");
  });
}

/// All events of the history in their order, as the source has them.
std::vector<ShownCall> shown_calls(LoadedHistory& loaded) {
  const History& history = loaded.history();
  std::vector<std::pair<EventId, EventRef>> events;
  for (TxnId txn{0}; txn.index() < history.txn_count(); ++txn.value) {
    if (history.has_invocation(txn)) {
      events.emplace_back(history.invocation_id(txn), EventRef{txn, EventKind::kInvocation});
    }
    if (history.has_completion(txn)) {
      events.emplace_back(history.completion_id(txn), EventRef{txn, EventKind::kCompletion});
    }
  }
  std::ranges::sort(events, {}, [](const auto& event) { return event.first; });
  const EventFieldsFn fields = event_fields(loaded);
  std::vector<ShownCall> calls;
  calls.reserve(events.size());
  for (const auto& [id, event] : events) {
    EventFields shown = fields(event.txn, event.kind);
    calls.push_back({.index = history.event_index(id),
                     .f = std::move(shown.f),
                     .value = std::move(shown.value)});
  }
  return calls;
}

}  // namespace

std::span<const std::string_view> elle_cli_models() {
  return kNames;
}

std::optional<std::string> model_mismatch(std::string_view model,
                                          std::span<const ShownCall> events) {
  const auto* const spec = std::ranges::find(kSpecs, model, &ModelSpec::name);
  if (spec == kSpecs.end()) {
    return std::nullopt;
  }
  const auto fails = [](const ModelSpec& tried) {
    return [&tried](const ShownCall& call) { return complaint(tried, call).has_value(); };
  };
  const auto bad = std::ranges::find_if(events, fails(*spec));
  if (bad == events.end()) {
    return std::nullopt;
  }
  std::vector<std::string> fitting;
  for (const ModelSpec& other : kSpecs) {
    if (other.name != model && std::ranges::none_of(events, fails(other))) {
      fitting.push_back(fmt::format("\"{}\"", other.name));
    }
  }
  const std::string hint = fitting.empty() ? ""
                                           : fmt::format(". This history looks like a {} workload",
                                                         fmt::join(fitting, " or "));
  return fmt::format("Model \"{}\" does not match this history: {}{} - wrong model selected?",
                     model, *complaint(*spec, *bad), hint);
}

bool may_mismatch(const History& history) {
  const Workload workload = history.workload();
  const bool is_of_elle = workload == Workload::kListAppend || workload == Workload::kRwRegister;
  if (is_of_elle) {
    const ValueId f = history.info().f;
    const OpKind foreign = workload == Workload::kListAppend ? OpKind::kWrite : OpKind::kAppend;
    return f.is_none() || history.values().text(f) != ":txn" ||
           std::ranges::any_of(history.all_ops(), [&](const Op& op) {
             return op.kind() == OpKind::kOther || op.kind() == foreign;
           });
  }
  // Flat operations have no keys; micro-operations do.
  const bool has_keys =
      history.key_count() > 1 || (history.key_count() == 1 && !history.key_value({0}).is_nil());
  return (!workload.has_levels() && has_keys) || shows_list_of_lists(history) ||
         std::ranges::find(history.all_ops(), OpKind::kOther, &Op::kind) != history.all_ops().end();
}

std::optional<std::string> model_mismatch_of(const std::string& path, std::string_view model,
                                             ReadOptions options) {
  options.workload = Workload::kOther;
  Result<LoadedHistory> loaded = read_history(path, options);
  if (!loaded) {
    return std::nullopt;
  }
  return model_mismatch(model, shown_calls(loaded.value()));
}

}  // namespace elapid
