#include "parsers/lines/socket_lines.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace elapid {

Result<Lines> SocketLines::next(std::chrono::milliseconds patience) {
  const Patience limit(patience);
  for (bool has_tried = false;; has_tried = true) {
    if (auto taken = take()) {
      return std::move(*taken);
    }
    if (!listener_ && clients_.empty()) {
      Lines none = numbers_.number({}, offset_);
      none.has_ended = true;
      return none;
    }
    const Wait state = has_tried && limit.is_over() ? Wait::kInterrupted : wait(limit);
    if (state == Wait::kReady) {
      read_clients();
      accept();
    } else if (!listener_ && state == Wait::kOver) {
      std::ranges::for_each(clients_, [this](Client& client) { part_with(client); });
      clients_.clear();
    } else {
      return numbers_.number({}, offset_);
    }
  }
}

/// Takes the lines that arrived and were not handed out.
std::optional<Result<Lines>> SocketLines::take() {
  if (!text_.empty()) {
    handed_out_.clear();
    std::swap(text_, handed_out_);
    return numbers_.number(handed_out_, std::exchange(offset_, offset_ + handed_out_.size()));
  }
  if (overflows_ > 0) {
    --overflows_;
    return numbers_.too_long(name(), offset_, longest_line_);
  }
  return std::nullopt;
}

Wait SocketLines::wait(const Patience& patience) {
  waiting_.clear();
  for (const Client& client : clients_) {
    waiting_.push_back({.fd = client.fd.get(), .events = POLLIN, .revents = 0});
  }
  if (listener_ && has_room()) {
    waiting_.push_back({.fd = listener_->get(), .events = POLLIN, .revents = 0});
  }
  return listener_ ? patience.wait(waiting_) : Patience::look(waiting_);
}

/// Reads once from each client with input, until there is enough. Each call begins with another
/// client.
void SocketLines::read_clients() {
  constexpr std::size_t kEnough = std::size_t{1} << 20;
  const std::size_t count = clients_.size();
  for (std::size_t i = 0; i < count && text_.size() < kEnough; ++i) {
    const std::size_t turn = first_++ % count;
    if (waiting_[turn].revents != 0) {
      read(clients_[turn]);
    }
  }
  std::erase_if(clients_, [](const Client& client) { return !client.fd.is_open(); });
}

void SocketLines::read(Client& client) {
  constexpr std::size_t kPiece = std::size_t{1} << 16;
  const std::span<char> room = client.buffer.room(kPiece);
  const ssize_t count = ::recv(client.fd.get(), room.data(), room.size(), 0);
  if (count > 0) {
    client.buffer.add(static_cast<std::size_t>(count));
    text_ += client.buffer.take_lines();
    overflows_ += client.buffer.take_overflow() ? 1U : 0U;
  } else if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
    part_with(client);
  }
}

std::optional<std::string> SocketLines::take_notice() {
  const bool is_full = listener_ && !has_room();
  if (is_full == std::exchange(was_full_, is_full) || !listener_) {
    return std::nullopt;
  }
  return is_full ? name() + ": " + std::to_string(clients_.size()) +
                       " clients are connected, and no more are accepted until one of them leaves"
                 : name() + ": clients are accepted again";
}

void SocketLines::part_with(Client& client) {
  if (const std::string_view rest = client.buffer.take_rest(); !rest.empty()) {
    text_ += rest;
    text_ += '\n';
  }
  client.fd = FileDescriptor();
}

/// Accepts all waiting clients. Beyond the system's limit they wait until others end.
void SocketLines::accept() {
  while (listener_ && has_room()) {
    Result<FileDescriptor> client = listener_->accept();
    if (!client) {
      most_clients_ = std::max<std::size_t>(clients_.size(), 1);
      return;
    }
    if (!client.value().is_open()) {
      return;
    }
    clients_.push_back({std::move(client).value(), LineBuffer(longest_line_)});
  }
}

}  // namespace elapid
