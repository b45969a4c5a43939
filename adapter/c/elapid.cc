#include "adapter/c/elapid.h"

#include <array>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>

#include "adapter/c/fed_checker.h"
#include "engine/ir/utf8.h"
#include "engine/ir/visible.h"

struct elapid_checker {
  elapid::FedChecker checker = {};
  std::string last_error = {};
  const char* error = "";  // last_error's text, or one that takes no memory
};

namespace {

using elapid::ErrorKind;
using elapid::Status;

elapid_status status_of(ErrorKind kind) {
  constexpr std::array kStatuses = {ELAPID_USAGE, ELAPID_MALFORMED, ELAPID_UNREADABLE,
                                    ELAPID_INTERNAL};
  return kStatuses.at(static_cast<std::size_t>(kind));
}

constexpr std::size_t kLongestMessage = 4092;  // with "…" and the final zero 4 KiB

/// Keeps the message, shortened to what elapid.h promises. Without memory for it, keeps a fixed
/// text.
elapid_status fail(elapid_checker& checker, elapid_status status, std::string_view message) {
  try {
    const std::string line = elapid::visible_line(message.substr(0, kLongestMessage + 4));
    checker.last_error = elapid::shortened(line, kLongestMessage);
    checker.error = checker.last_error.c_str();
  } catch (...) {
    checker.error = "memory ran out";
  }
  return status;
}

/// Runs `work`, which returns a Status, and returns the status of the API. No exception leaves the
/// library.
template <class Work>
elapid_status guarded(elapid_checker* checker, const Work& work) {
  if (checker == nullptr) {
    return ELAPID_USAGE;
  }
  try {
    const Status status = work(checker->checker);
    return status.ok() ? ELAPID_OK
                       : fail(*checker, status_of(status.error().kind), status.error().to_string());
  } catch (const std::bad_alloc&) {
    checker->error = "memory ran out";
  } catch (const std::exception& exception) {
    return fail(*checker, ELAPID_INTERNAL, exception.what());
  } catch (...) {
    checker->error = "unknown exception";
  }
  return ELAPID_INTERNAL;
}

/// As guarded(), for a check that another thread may cancel.
template <class Work>
elapid_status checked(elapid_checker* checker, const Work& work) {
  const elapid_status status = guarded(checker, work);
  return checker != nullptr && checker->checker.take_cancel()
             ? fail(*checker, ELAPID_CANCELLED, "the check was cancelled")
             : status;
}

/// The text that `work` returns; NULL if the history does not exist or memory is lacking.
template <class Work>
const char* text_of(elapid_checker* checker, std::size_t history, const Work& work) {
  const char* text = nullptr;
  static_cast<void>(guarded(checker, [&](elapid::FedChecker& all) -> Status {
    text = history < all.count() ? work(all).c_str() : nullptr;
    return {};
  }));
  return text;
}

/// The bytes of a caller; nothing for NULL with a length.
std::optional<std::string_view> given(const char* bytes, std::size_t length) {
  if (bytes == nullptr && length > 0) {
    return std::nullopt;
  }
  return std::string_view(bytes, length);
}

}  // namespace

const char* elapid_version(void) {
  return ELAPID_VERSION;
}

elapid_checker* elapid_open(void) {
  try {
    return new elapid_checker;
  } catch (...) {
    return nullptr;
  }
}

void elapid_close(elapid_checker* checker) {
  delete checker;
}

elapid_status elapid_set(elapid_checker* checker, const char* name, const char* value) {
  return guarded(checker, [&](elapid::FedChecker& all) -> Status {
    if (name == nullptr || value == nullptr) {
      return elapid::usage_error("expected the name of an option and its value");
    }
    return all.set(name, value);
  });
}

elapid_status elapid_line(elapid_checker* checker, const char* line, size_t length) {
  return guarded(checker, [&](elapid::FedChecker& all) -> Status {
    const auto bytes = given(line, length);
    return bytes ? all.add_line(*bytes) : elapid::usage_error("expected a line");
  });
}

void elapid_clear(elapid_checker* checker) {
  if (checker != nullptr) {
    checker->checker.clear();
  }
}

elapid_status elapid_check(elapid_checker* checker) {
  return checked(checker, [](elapid::FedChecker& all) { return all.check_lines(); });
}

elapid_status elapid_check_file(elapid_checker* checker, const char* path) {
  return checked(checker, [&](elapid::FedChecker& all) -> Status {
    all.forget_verdicts();
    return path == nullptr ? elapid::usage_error("expected the path of a history")
                           : all.check_file(path);
  });
}

elapid_status elapid_check_memory(elapid_checker* checker, const char* bytes, size_t length) {
  return checked(checker, [&](elapid::FedChecker& all) -> Status {
    all.forget_verdicts();
    const auto history = given(bytes, length);
    return history ? all.check_memory(std::string(*history))
                   : elapid::usage_error("expected the bytes of a history");
  });
}

void elapid_cancel(elapid_checker* checker) {
  if (checker != nullptr) {
    checker->checker.cancel();
  }
}

const char* elapid_error(const elapid_checker* checker) {
  return checker == nullptr ? "there is no checker" : checker->error;
}

size_t elapid_history_count(const elapid_checker* checker) {
  return checker == nullptr ? 0 : checker->checker.count();
}

elapid_verdict elapid_validity(const elapid_checker* checker, size_t history) {
  if (history >= elapid_history_count(checker)) {
    return ELAPID_NONE;
  }
  switch (checker->checker.validity(history)) {
    case elapid::Validity::kValid:
      return ELAPID_VALID;
    case elapid::Validity::kInvalid:
      return ELAPID_INVALID;
    case elapid::Validity::kUnknown:
      break;
  }
  return ELAPID_UNKNOWN;
}

const char* elapid_json(elapid_checker* checker, size_t history) {
  return text_of(checker, history,
                 [&](elapid::FedChecker& all) -> const std::string& { return all.json(history); });
}

const char* elapid_explanation(elapid_checker* checker, size_t history) {
  return text_of(checker, history, [&](elapid::FedChecker& all) -> const std::string& {
    return all.explanation(history);
  });
}

const char* elapid_report(elapid_checker* checker, size_t history, const char* file) {
  const char* text = nullptr;
  static_cast<void>(guarded(checker, [&](elapid::FedChecker& all) -> Status {
    const std::string* content =
        history < all.count() && file != nullptr ? all.report(history, file) : nullptr;
    text = content == nullptr ? nullptr : content->c_str();
    return {};
  }));
  return text;
}

const char* elapid_key(const elapid_checker* checker, size_t history) {
  return history < elapid_history_count(checker) ? checker->checker.key(history).c_str() : nullptr;
}
