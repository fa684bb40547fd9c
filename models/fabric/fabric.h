// SPDX-License-Identifier: MIT
// Fabric: an Ethernet switch in this process. Each port belongs to one NIC model or to an uplink (datagram_link.h) that
// carries frames to another process. The switch learns which address is where, floods what it does not know, and drops
// what does not fit into a port's queue, as Ethernet does.
//
// Time is a number that callers pass in: a test that invents it gets the same run for the same seed, a NIC model passes
// the steady clock. Everything is thread-safe; a port's frames are taken by one thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/fabric/capture.h"
#include "models/fabric/frame_pool.h"

namespace hcq::models::fabric {

// Nanoseconds since a moment that all users of a fabric agree on.
using Time = std::chrono::nanoseconds;
inline Time steady_now() { return std::chrono::steady_clock::now().time_since_epoch(); }

// What can happen to the frames on their way to a port. Probabilities are per frame, in [0, 1].
struct Impairments {
  double loss = 0, duplicate = 0, bit_error = 0;
  double reorder = 0;  // a frame stays behind for up to reorder_by, while later ones pass it
  Time reorder_by = std::chrono::microseconds(50);
  Time delay_least{0}, delay_most{0};  // of every frame; order is kept
  std::uint64_t seed = 1;
};

struct PortCounters {
  std::uint64_t sent = 0, sent_bytes = 0;                                // into the fabric
  std::uint64_t delivered = 0, dropped_full = 0;                         // toward this port
  std::uint64_t lost = 0, duplicated = 0, corrupted = 0, reordered = 0;  // by impairments
  std::uint64_t dropped_link = 0;                                        // while the link was down, both ways
};

class Fabric;

class Port {
 public:
  const std::string& name() const { return name_; }

  // A frame to fill; empty when all of the fabric's frames are under way. Set its size before sending it.
  Frame buffer();
  void send(Frame frame, Time now);
  // To this port itself: a NIC's own loopback, which no switch does.
  void loop_back(Frame frame, Time now);
  // The next frame that has arrived by `now`, or an empty one.
  Frame receive(Time now);
  // When the next frame will have arrived, if one is under way.
  std::optional<Time> next_arrival() const;

  // `wake` is called after a frame has been put into an empty queue or in front of it, from the sender's thread; it
  // must only wake somebody. Once the call has returned, an older one is not running any more.
  void on_arrival(std::function<void()> wake);
  void impair(const Impairments& how);
  // Frames toward this port for which `drop` returns true are lost. For tests that need one certain loss.
  void drop_if(std::function<bool(Bytes frame)> drop);
  void set_link(bool up) { link_.store(up, std::memory_order_relaxed); }
  bool link() const { return link_.load(std::memory_order_relaxed); }
  PortCounters counters() const;

 private:
  friend class Fabric;
  struct Entry {
    Time due;
    Frame frame;
  };
  Port(Fabric& fabric, std::string name, std::size_t queue);
  void deliver(Frame frame, Time now);
  bool enqueue(Frame frame, Time due);
  bool chance(double p);

  Fabric& fabric_;
  const std::string name_;
  std::atomic<bool> link_{true};
  mutable std::mutex mutex_;  // queue, impairments, counters
  std::vector<Entry> ring_;   // a power of two, in order of arrival
  std::uint64_t head_ = 0, tail_ = 0;
  Impairments how_;
  bool impaired_ = false;
  Time last_due_{0};
  std::mt19937_64 rng_;
  std::function<bool(Bytes)> drop_;
  PortCounters counters_;
  std::mutex wake_mutex_;
  std::function<void()> wake_;
};

class Fabric {
 public:
  struct Options {
    std::size_t frames = 16384;  // that exist at most
    std::size_t queue = 4096;    // frames waiting at one port, a power of two
  };
  Fabric() : Fabric(Options{}) {}
  explicit Fabric(Options options);
  ~Fabric();
  Fabric(const Fabric&) = delete;
  Fabric& operator=(const Fabric&) = delete;

  // The port stays until detach() or the fabric's end.
  Port& attach(std::string name);
  void detach(Port& port);
  // Writes every frame that is sent from now on into a pcap file (Ethernet, nanoseconds).
  Status capture(const std::string& path);
  FramePool& pool() { return pool_; }

 private:
  friend class Port;
  void forward(Port& from, Frame frame, Time now);

  const Options options_;
  FramePool pool_;
  std::shared_mutex mutex_;  // ports and addresses
  std::vector<std::unique_ptr<Port>> ports_;
  std::unordered_map<std::uint64_t, Port*> addresses_;
  std::unique_ptr<Capture> capture_;
  std::atomic<Capture*> capturing_{nullptr};
};

}  // namespace hcq::models::fabric
