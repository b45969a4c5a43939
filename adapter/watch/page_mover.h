// Moves pages to a store in a thread of its own, while the check goes on.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "engine/ir/result.h"
#include "engine/ir/thread.h"
#include "engine/online/page_store.h"

namespace elapid {

/// Works as another store does, in front of it. To look for a page, or to save one at once, it
/// waits until all pages on their way have arrived.
class PageMover final : public PageStore {
 public:
  /// Borrows the store. Others may use it after finish(), until a page is moved again.
  explicit PageMover(PageStore& store);

  void save(PageOwner owner, Moment begin, std::string_view bytes) override;
  void move(PageOwner owner, Moment begin, std::function<std::string()> encode) override;

  /// Collects the pages that are moved from now on, until run_behind() or finish(): moving many at
  /// once delays the caller less than moving each alone.
  void gather();

  /// Runs a task on the store after all pages moved so far, and before pages moved
  /// later.
  void run_behind(std::function<Status()> task);

  /// Whether all these tasks are done. Does not wait.
  [[nodiscard]] bool has_run() const;
  std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) override;
  std::optional<StoredPage> first_after(PageOwner owner, Moment moment) override;

  /// The status of the pages that have arrived. After the first error, for example because memory
  /// ran out, no page arrives any more and no task is done.
  [[nodiscard]] Status status() const override;

  void finish() override;

 private:
  struct Moved {
    PageOwner owner = {};
    Moment begin = {};
    std::function<std::string()> encode = {};
    std::function<Status()> task = {};  ///< in place of a page
  };

  void note_status();
  void run(const std::stop_token& stop);
  Status carry_out(Moved& moved);

  PageStore& store_;
  mutable std::mutex mutex_;
  std::condition_variable_any has_changed_;
  std::deque<Moved> moved_;
  bool is_idle_ = true;  // the thread
  bool gathers_ = false;
  std::size_t tasks_ = 0;  // to be done
  Status status_;
  Thread thread_;  // the last member: it ends before the others
};

}  // namespace elapid
