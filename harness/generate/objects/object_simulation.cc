#include "harness/generate/objects/object_simulation.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "engine/ir/integer_text.h"

namespace elapid {

namespace {

/// The place of a fault that comes after all other events.
constexpr std::uint64_t kAtEnd = std::numeric_limits<std::uint64_t>::max();

/// Sets the event's :value, which borrows from `value`.
void show(const ObjectValue& value, PlainEvent& event) {
  event.shape = value.shape;
  event.numbers = value.numbers;
  event.elements = value.elements;
  event.tree = &value.tree;
  event.fields = value.fields;
}

Result<const ObjectFault*> fault_called(std::string_view name, const ObjectType& type) {
  const auto found = std::ranges::find(type.faults, name, &ObjectFault::name);
  if (found != type.faults.end()) {
    return &*found;
  }
  std::string names;
  for (const ObjectFault& fault : type.faults) {
    names += (names.empty() ? "" : ", ") + std::string(fault.name);
  }
  return usage_error("there is no fault " + std::string(name) + "; these can be injected into " +
                     std::string(type.name) + ": " + names);
}

}  // namespace

Result<std::vector<WantedFault>> parse_object_faults(std::string_view text,
                                                     const ObjectType& type) {
  std::vector<WantedFault> wanted;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t comma = std::min(text.find(',', begin), text.size());
    const std::string_view item = text.substr(begin, comma - begin);
    const std::size_t colon = item.find(':');
    ELAPID_ASSIGN_OR_RETURN(const ObjectFault* const fault,
                            fault_called(item.substr(0, colon), type));
    wanted.push_back({.fault = fault});
    if (colon != std::string_view::npos) {
      const std::string_view count = item.substr(colon + 1);
      wanted.back().count = integer_of<std::uint64_t>(count).value_or(0);
      if (wanted.back().count == 0) {
        return usage_error("expected how often to inject " + std::string(fault->name) +
                           ", found '" + std::string(count) + "'");
      }
    }
    begin = comma + 1;
  }
  return wanted;
}

ObjectSimulation::ObjectSimulation(std::unique_ptr<ObjectModel> model,
                                   const SimulationOptions& options,
                                   const std::vector<WantedFault>& wanted)
    : model_(std::move(model)), options_(options), wanted_(wanted), random_(options.seed) {
  for (std::size_t i = 0; i < options.sessions; ++i) {
    active_.push_back({.number = i, .process = static_cast<std::int64_t>(i)});
  }
  const std::uint64_t operations = options.operations == 0
                                       ? options.transactions
                                       : std::min(options.transactions, options.operations);
  spread_faults(2 * operations);
}

void ObjectSimulation::spread_faults(std::uint64_t events) {
  for (std::size_t what = 0; what < wanted_.size(); ++what) {
    for (std::uint64_t i = 0; i < wanted_[what].count; ++i) {
      const std::uint64_t anywhere = random_.below(events + 1);
      const FaultPlace place = wanted_[what].fault->place;
      const std::uint64_t after = place == FaultPlace::kAnywhere ? anywhere
                                  : place == FaultPlace::kBegin  ? 0
                                                                 : kAtEnd;
      places_.push_back({after, what});
    }
  }
  std::ranges::sort(places_);
}

bool ObjectSimulation::next(PlainEvent& event) {
  event = {};
  bool has_event = false;
  while (!has_event) {
    if (next_told_ < script_.size()) {
      tell(event);
      has_event = true;
    } else if (is_time_for_fault()) {
      begin_fault();
    } else if (active_.empty() && !is_finished_) {
      finish();
    } else if (active_.empty()) {
      return false;
    } else {
      pass_time();
      has_event = step(random_.below(active_.size() + late_.size()), event);
    }
  }
  index_ += event.is_silent ? 0 : 1;
  return true;
}

void ObjectSimulation::pass_time() {
  time_ += kSmallestPause + static_cast<std::int64_t>(random_.below(8 * kSmallestPause));
}

bool ObjectSimulation::is_time_for_fault() const {
  if (next_place_ == places_.size()) {
    return false;
  }
  // A single client has no open operation while a fault happens.
  const bool is_busy =
      options_.sessions == 1 && !active_.empty() && active_.front().state != Session::State::kIdle;
  const std::uint64_t after = places_[next_place_].after;
  return (static_cast<std::uint64_t>(index_) >= after && !is_busy) ||
         (active_.empty() && (is_finished_ || after != kAtEnd));
}

void ObjectSimulation::begin_fault() {
  const ObjectFault& fault = *wanted_[places_[next_place_++].what].fault;
  FaultScript script(*model_);
  fault.tell(*model_, script);
  begin_script(script);
  told_.push_back({.name = fault.name,
                   .first_index = index_,
                   .last_index = index_ + static_cast<std::int64_t>(script_.size()) - 1,
                   .first_process = kForeignProcesses + visitors_,
                   .processes = script_visitors_});
}

void ObjectSimulation::begin_script(const FaultScript& script) {
  script_ = script.events();
  next_told_ = 0;
  visitors_ += script_visitors_;
  script_visitors_ = 0;
  for (const ToldEvent& told : script_) {
    script_visitors_ = std::max(script_visitors_, static_cast<std::int64_t>(told.visitor) + 1);
  }
  visits_.assign(static_cast<std::size_t>(script_visitors_), 0);
}

void ObjectSimulation::finish() {
  is_finished_ = true;
  FaultScript script(*model_);
  model_->finish(script);
  begin_script(script);
}

void ObjectSimulation::tell(PlainEvent& event) {
  const ToldEvent& told = script_[next_told_++];
  const bool is_invocation = told.type == EventType::kInvoke;
  pass_time();
  if (is_invocation) {
    visits_[told.visitor] = time_;
  }
  event.type = told.type;
  event.time = time_;
  event.invoked = visits_[told.visitor];
  event.process = kForeignProcesses + visitors_ + static_cast<std::int64_t>(told.visitor);
  event.function = told.call.function;
  show(is_invocation ? told.call.value : told.value, event);
}

bool ObjectSimulation::step(std::size_t place, PlainEvent& event) {
  if (place >= active_.size()) {
    take_late_effect(place - active_.size());
    return false;
  }
  Session& session = active_[place];
  switch (session.state) {
    case Session::State::kIdle:
      return invoke(place, event);
    case Session::State::kInvoked:
      return take_effect(session, event);
    case Session::State::kDone:
      return complete(session, event);
  }
  return false;
}

void ObjectSimulation::take_late_effect(std::size_t place) {
  const LateCall& late = late_[place];
  const ObjectReply::Kind kind = model_->apply(late.call, late.session).kind;
  if (kind != ObjectReply::Kind::kWaits && kind != ObjectReply::Kind::kGoesOn) {
    late_[place] = std::move(late_.back());
    late_.pop_back();
  }
}

bool ObjectSimulation::invoke(std::size_t place, PlainEvent& event) {
  if (!has_more_to_do(options_)) {
    active_[place] = std::move(active_.back());
    active_.pop_back();
    return false;
  }
  Session& session = active_[place];
  session.call = model_->next(random_, session.number);
  session.state = Session::State::kInvoked;
  session.waits = false;
  session.invoked = time_;
  draw_fate(session);
  model_->invoked(session.call);
  ++counts_.transactions;
  ++counts_.operations;
  event.time = event.invoked = time_;
  event.process = session.process;
  event.function = session.call.function;
  shown_ = session.call.value;
  show(shown_, event);
  return true;
}

void ObjectSimulation::draw_fate(Session& session) {
  const Faults& faults = options_.faults;
  session.fate = Fate::kReturns;
  const std::uint64_t draw = random_.below(1'000'000);
  const std::uint64_t open = std::uint64_t{faults.aborts} + faults.indeterminate;
  if (draw < faults.aborts) {
    session.fate = Fate::kAborts;
  } else if (draw < open + faults.crashes) {
    static constexpr std::array kFates = {Fate::kForgotten, Fate::kUnheard, Fate::kLate};
    session.fate = kFates[random_.below(kFates.size())];
    if (session.fate == Fate::kLate && !model_->may_be_late(session.call)) {
      session.fate = Fate::kUnheard;
    }
    if (!model_->may_be_unheard(session.call)) {
      session.fate = Fate::kForgotten;
    }
  }
  session.dies = draw >= open;
}

bool ObjectSimulation::take_effect(Session& session, PlainEvent& event) {
  if (session.fate == Fate::kAborts) {
    fail(session, "aborted", event);
    ++counts_.aborted_by_client;
    return true;
  }
  if (session.fate == Fate::kForgotten || session.fate == Fate::kLate) {
    if (session.fate == Fate::kLate) {
      late_.push_back({session.call, session.number});
    }
    give_up(session, event);
    return true;
  }
  session.reply = model_->apply(session.call, session.number);
  if (session.reply.kind == ObjectReply::Kind::kGoesOn) {
    return false;
  }
  session.waits = session.reply.kind == ObjectReply::Kind::kWaits;
  if (!session.waits) {
    session.state = Session::State::kDone;
    return false;
  }
  // All sessions wait and no request is left that could release them.
  if (has_more_to_do(options_) || !all_wait()) {
    return false;
  }
  fail(session, "timeout", event);
  ++counts_.aborted_by_store;
  return true;
}

bool ObjectSimulation::all_wait() const {
  return std::ranges::all_of(active_, &Session::waits);
}

bool ObjectSimulation::complete(Session& session, PlainEvent& event) {
  if (session.fate == Fate::kUnheard) {
    give_up(session, event);
    return true;
  }
  if (session.reply.kind == ObjectReply::Kind::kRefused) {
    fail(session, "refused", event);
    ++counts_.aborted_by_store;
    return true;
  }
  model_->returned(session.call, true);
  ++counts_.committed;
  end(session, EventType::kOk, event);
  shown_ = std::move(session.reply.value);
  show(shown_, event);
  return true;
}

void ObjectSimulation::fail(Session& session, std::string_view error, PlainEvent& event) {
  model_->returned(session.call, false);
  end(session, EventType::kFail, event);
  event.error = error;
}

/// The call never returns, and another process replaces the session's process.
void ObjectSimulation::give_up(Session& session, PlainEvent& event) {
  ++counts_.indeterminate;
  end(session, EventType::kInfo, event);
  event.is_silent = session.dies;
  event.error = session.dies ? "" : "timeout";
  session.process += static_cast<std::int64_t>(options_.sessions);
}

/// Tells the completion, with the value of the invocation.
void ObjectSimulation::end(Session& session, EventType type, PlainEvent& event) {
  event.type = type;
  event.time = time_;
  event.invoked = session.invoked;
  event.process = session.process;
  event.function = session.call.function;
  shown_ = session.call.value;
  show(shown_, event);
  session.state = Session::State::kIdle;
  session.waits = false;
}

}  // namespace elapid
