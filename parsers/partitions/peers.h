// Processes that check one history together: ranks, numbered from 0, which exchange bytes.
//
// All ranks do the same steps in the same order. All call exchange() together to pass on what one
// rank learns and others need. A single process passes it to itself.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace elapid {

using Bytes = std::vector<char>;

class Peers {
 public:
  Peers() = default;
  Peers(const Peers&) = delete;
  Peers& operator=(const Peers&) = delete;
  virtual ~Peers() = default;

  [[nodiscard]] virtual unsigned rank() const { return 0; }

  [[nodiscard]] virtual unsigned count() const { return 1; }

  /// Sends each rank its bytes, and returns the bytes that each rank has sent to this one. A rank
  /// that fails ends all.
  virtual std::vector<Bytes> exchange(std::vector<Bytes> to_each) { return to_each; }

  [[nodiscard]] bool is_first() const { return rank() == 0; }

  [[nodiscard]] bool is_alone() const { return count() == 1; }
};

/// Writes entries and texts one after the other.
class Packer {
 public:
  template <class Entry>
  void put(const Entry& entry) {
    put_all(std::span(&entry, 1));
  }

  template <class Entry>
  void put_all(std::span<const Entry> entries) {
    static_assert(std::is_trivially_copyable_v<Entry>);
    const auto* from = reinterpret_cast<const char*>(entries.data());
    bytes_.insert(bytes_.end(), from, from + entries.size_bytes());
  }

  void put_text(std::string_view text) {
    put<std::uint64_t>(text.size());
    put_all(std::span(text));
  }

  [[nodiscard]] Bytes& bytes() { return bytes_; }

 private:
  Bytes bytes_;
};

inline std::vector<Bytes> bytes_of(std::vector<Packer>& packers) {
  std::vector<Bytes> bytes;
  bytes.reserve(packers.size());
  for (Packer& packer : packers) {
    bytes.push_back(std::move(packer.bytes()));
  }
  return bytes;
}

/// Reads the output of a Packer.
class Unpacker {
 public:
  explicit Unpacker(std::span<const char> bytes) : rest_(bytes) {}

  [[nodiscard]] bool is_at_end() const { return rest_.empty(); }

  template <class Entry>
  Entry get() {
    Entry entry = {};
    std::memcpy(&entry, take(sizeof entry).data(), sizeof entry);
    return entry;
  }

  std::string text() {
    const std::span<const char> bytes = take(get<std::uint64_t>());
    return {bytes.begin(), bytes.end()};
  }

  std::span<const char> take(std::size_t count) {
    const std::span<const char> taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

 private:
  std::span<const char> rest_;
};

/// The bytes of each rank, at the first rank, by rank; nothing at the others.
inline std::vector<Bytes> gather(Peers& peers, Bytes mine) {
  std::vector<Bytes> to_each(peers.count());
  to_each.front() = std::move(mine);
  return peers.exchange(std::move(to_each));
}

/// The entries of each rank, at all ranks, by rank.
template <class Entry>
std::vector<std::vector<Entry>> tell_all(Peers& peers, const std::vector<Entry>& mine) {
  Packer packer;
  packer.put_all(std::span<const Entry>(mine));
  std::vector<std::vector<Entry>> told;
  for (const Bytes& bytes : peers.exchange(std::vector<Bytes>(peers.count(), packer.bytes()))) {
    told.emplace_back(bytes.size() / sizeof(Entry));
    if (!bytes.empty()) {
      std::memcpy(told.back().data(), bytes.data(), bytes.size());
    }
  }
  return told;
}

/// The entries of all ranks, at all ranks, in one vector.
template <class Entry>
std::vector<Entry> tell_all_in_a_row(Peers& peers, const std::vector<Entry>& mine) {
  std::vector<Entry> row;
  for (const std::vector<Entry>& told : tell_all(peers, mine)) {
    row.insert(row.end(), told.begin(), told.end());
  }
  return row;
}

}  // namespace elapid
