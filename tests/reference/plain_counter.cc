#include "tests/reference/plain_counter.h"

#include <algorithm>
#include <set>
#include <string>

namespace elapid {

namespace {

std::int64_t number_in(const PlainCall& call) {
  return std::stoll(call.elements.front());
}

/// Whether an add that was invoked there fails.
bool fails(const std::vector<PlainCall>& calls, std::size_t invoked) {
  return calls[completion_of(calls, invoked)].type == "fail";
}

/// Each add before the end of the read counts surely, maybe, or not at all.
std::string bounds_of(const std::vector<PlainCall>& calls, std::size_t read, bool& is_right) {
  const std::size_t began = invocation_of(calls, read);
  std::int64_t lower = 0;
  std::int64_t upper = 0;
  for (std::size_t add = 0; add < read; ++add) {
    if (calls[add].f != "add" || calls[add].type != "invoke" || fails(calls, add)) {
      continue;
    }
    const std::size_t done = completion_of(calls, add);
    const std::int64_t number = number_in(calls[add]);
    const bool is_sure = calls[done].type == "ok" && done < began;
    lower += is_sure ? number : std::min<std::int64_t>(0, number);
    upper += is_sure ? number : std::max<std::int64_t>(0, number);
  }
  const std::int64_t shown = number_in(calls[read]);
  is_right = lower <= shown && shown <= upper;
  return "(" + std::to_string(lower) + " " + std::to_string(shown) + " " + std::to_string(upper) +
         ")";
}

PlainVerdict check_bounds(const std::vector<PlainCall>& calls, bool is_jepsen) {
  std::string reads;
  std::string errors;
  bool has_success = false;
  for (std::size_t place = 0; place < calls.size(); ++place) {
    has_success = has_success || calls[place].type == "ok";
    if (calls[place].f != "read" || calls[place].type != "ok") {
      continue;
    }
    if (calls[place].is_nil && is_jepsen) {
      return {"unknown", "error a :read succeeded without a number\n"};
    }
    if (!calls[place].is_nil) {
      bool is_right = true;
      const std::string bounds = bounds_of(calls, place, is_right);
      reads += (reads.empty() ? "" : " ") + bounds;
      errors += is_right ? "" : (errors.empty() ? "" : " ") + bounds;
    }
  }
  if (!has_success && !is_jepsen) {
    return {"unknown", "error no operation succeeded\n"};
  }
  return {errors.empty() ? "true" : "false", "reads (" + reads + ")\nerrors (" + errors + ")\n"};
}

/// All sums of any of the numbers.
std::set<std::int64_t> sums_of(std::int64_t sure, const std::vector<std::int64_t>& unsure) {
  std::set<std::int64_t> sums = {sure};
  for (const std::int64_t number : unsure) {
    for (const std::int64_t sum : std::set<std::int64_t>(sums)) {
      sums.insert(sum + number);
    }
  }
  return sums;
}

std::string intervals_of(const std::set<std::int64_t>& sums) {
  std::string text;
  for (const std::int64_t sum : sums) {
    if (!sums.contains(sum - 1)) {
      text += (text.empty() ? "(" : " (") + std::to_string(sum);
    }
    if (!sums.contains(sum + 1)) {
      text += " " + std::to_string(sum) + ")";
    }
  }
  return "(" + text + ")";
}

PlainVerdict check_final(const std::vector<PlainCall>& calls) {
  std::int64_t sure = 0;
  std::vector<std::int64_t> unsure;
  for (std::size_t place = 0; place < calls.size(); ++place) {
    if (calls[place].f == "add" && calls[place].type == "invoke") {
      const std::string fate = calls[completion_of(calls, place)].type;
      sure += fate == "ok" ? number_in(calls[place]) : 0;
      if (fate == "info" || fate == "invoke") {
        unsure.push_back(number_in(calls[place]));
      }
    }
  }
  const std::set<std::int64_t> sums = sums_of(sure, unsure);
  std::string reads;
  std::string errors;
  for (std::size_t place = 0; place < calls.size(); ++place) {
    const PlainCall& call = calls[place];
    if (call.f == "read" && call.type == "ok" && call.is_final && !call.is_nil) {
      reads += (reads.empty() ? "" : " ") + call.elements.front();
      if (!sums.contains(number_in(call))) {
        errors += (errors.empty() ? "op " : " op ") + std::to_string(place);
      }
    }
  }
  return {!errors.empty() ? "false"
          : reads.empty() ? "unknown"
                          : "true",
          "errors " + (errors.empty() ? std::string("nil") : "(" + errors + ")") +
              "\nfinal-reads (" + reads + ")\nacceptable " + intervals_of(sums) + "\n"};
}

}  // namespace

PlainVerdict check_plain_counter(const std::vector<PlainCall>& calls, bool is_jepsen) {
  const bool has_final = std::ranges::any_of(
      calls, [](const PlainCall& call) { return call.f == "read" && call.is_final; });
  return has_final && !is_jepsen ? check_final(calls) : check_bounds(calls, is_jepsen);
}

}  // namespace elapid
