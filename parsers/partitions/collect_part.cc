#include "parsers/partitions/collect_part.h"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "engine/ir/memory_account.h"

namespace elapid {

namespace {

using KeyNames = std::set<std::string>;

/// Adds the partition's keys that these transactions use.
Status add_keys_of(const Partition& partition, const TxnNumbers& txns, KeyNames& keys) {
  return partition.each_segment([&](const Segment& segment) {
    for (std::size_t t = 0; t < segment.txns.size(); ++t) {
      if (txns.contains(segment.txns[t].number)) {
        for (const SegmentOp& op : segment.ops_of(t)) {
          keys.insert(segment.text(segment.keys[op.key].name));
        }
      }
    }
    return Status();
  });
}

/// Writes the partition's data on these keys, as segments.
Status add_segments_of(const Partition& partition, const KeyNames& keys, Bytes& segments) {
  return keys.empty() ? Status() : partition.each_segment([&](const Segment& segment) {
    std::vector<bool> is_kept;
    for (const SegmentKey& key : segment.keys) {
      is_kept.push_back(keys.contains(segment.text(key.name)));
    }
    if (std::ranges::find(is_kept, true) != is_kept.end()) {
      segment.only(is_kept).append_to(segments);
    }
    return Status();
  });
}

/// Whether the bytes of all ranks fit into the memory of the first.
bool fit_into_first(std::uint64_t bytes, Peers& peers) {
  const auto sizes = tell_all_in_a_row<std::uint64_t>(peers, {bytes});
  const auto sum = std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
  return tell_all<char>(peers, {MemoryLimit::allows(sum) ? '1' : '0'}).front().front() == '1';
}

/// Fetches the records from the ranks that have them to the first rank.
Status fetch_records(const std::vector<std::vector<std::uint32_t>>& asked, const Scatter& scattered,
                     Peers& peers, PartData& data) {
  std::vector<Packer> questions(asked.size());
  for (std::size_t rank = 0; rank < asked.size(); ++rank) {
    questions[rank].put_all(std::span<const std::uint32_t>(asked[rank]));
  }
  Packer answers;
  const std::vector<Bytes> asked_of_this = peers.exchange(bytes_of(questions));
  for (Unpacker packed(asked_of_this.front()); !packed.is_at_end();) {
    const auto number = packed.get<std::uint32_t>();
    const auto record = scattered.records().read<TxnRecord>(scattered.place_of(number), 1);
    if (!record) {
      return record.error();
    }
    answers.put(number);
    answers.put(record.value().at(0));
  }
  for (const Bytes& told : gather(peers, std::move(answers.bytes()))) {
    for (Unpacker packed(told); !packed.is_at_end();) {
      const auto number = packed.get<std::uint32_t>();
      data.records.emplace(number, packed.get<TxnRecord>());
    }
  }
  return {};
}

}  // namespace

Result<std::optional<PartData>> collect_part(const std::vector<Partition>& partitions,
                                             const Scatter& scattered, const TxnNumbers& involved,
                                             bool must_fit, Peers& peers) {
  Bytes segments;
  for (const Partition& partition : partitions) {
    const std::vector<std::string>& open = partition.findings().open_keys;
    KeyNames keys(open.begin(), open.end());
    Status status = add_keys_of(partition, involved, keys);
    status = status ? add_segments_of(partition, keys, segments) : status;
    if (!status) {
      return status.error();
    }
  }
  if (must_fit && !fit_into_first(segments.size(), peers)) {
    return std::optional<PartData>();
  }
  PartData data;
  std::vector<std::vector<std::uint32_t>> asked(peers.count());
  TxnNumbers known;
  const auto ask = [&](std::uint32_t number) {
    if (known.insert(number).second) {
      asked[scattered.rank_of_txn(number)].push_back(number);
    }
  };
  for (const Bytes& told : gather(peers, std::move(segments))) {
    for (std::uint64_t offset = 0; offset < told.size();) {
      data.segments.push_back(Segment::read(told, offset));
      std::ranges::for_each(data.segments.back().txns, ask, &SegmentTxn::number);
    }
  }
  if (peers.is_first()) {
    ask(scattered.info().sample());
  }
  Status status = fetch_records(asked, scattered, peers, data);
  return status ? Result(std::optional(std::move(data)))
                : Result<std::optional<PartData>>(status.error());
}

}  // namespace elapid
