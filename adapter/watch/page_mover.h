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

/// Stands in front of another store and is used as that one is: to look for a page, or to save one
/// at once, waits until all pages have arrived that are on their way.
class PageMover final : public PageStore {
 public:
  /// Borrows the store. Others may use it behind finish(), until something is moved again.
  explicit PageMover(PageStore& store);

  void save(PageOwner owner, Moment begin, std::string_view bytes) override;
  void move(PageOwner owner, Moment begin, std::function<std::string()> encode) override;

  /// Lets pages gather that are moved from now on, until run_behind() or finish(): many at once
  /// keep the caller less than one after the other.
  void gather();

  /// Does something with the store behind everything that was moved so far, and before what is
  /// moved from now on.
  void run_behind(std::function<Status()> task);

  /// Whether all such tasks are done. Does not wait.
  [[nodiscard]] bool has_run() const;
  std::optional<StoredPage> last_up_to(PageOwner owner, Moment moment) override;
  std::optional<StoredPage> first_after(PageOwner owner, Moment moment) override;

  /// Of what has arrived. After the first error, which may be that memory ran out, nothing arrives
  /// any more and no task is done.
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
  Thread thread_;  // the last member: it ends before what it uses
};

}  // namespace elapid
