#include "adapter/cli/commands/run/online_check.h"

#include <chrono>
#include <string_view>

#include "adapter/follow/follow.h"

namespace elapid {

namespace {

constexpr std::chrono::milliseconds kCheckEvery{200};
constexpr std::string_view kCertain = R"({"event":"violation")";

}  // namespace

OnlineCheck::OnlineCheck(const std::string& path, const CheckRequest& request)
    : thread_([this, path, job = request.job] {
        FollowOptions options = {.path = path, .read = job.read, .check = job.check};
        options.interval = kCheckEvery;
        // When the run is over everything is checked anyway.
        options.checker = [this](const LoadedHistory& loaded, const CheckOptions& check) {
          return is_ending_ ? Result<Verdict>(Verdict()) : check_loaded(loaded, check);
        };
        options.should_stop = [this] { return is_ending_.load() || has_found_.load(); };
        static_cast<void>(follow_history(options, [this](std::string_view event) {
          if (event.starts_with(kCertain)) {
            has_found_ = true;
          }
        }));
      }) {}

OnlineCheck::~OnlineCheck() {
  end();
  thread_.join();
}

}  // namespace elapid
