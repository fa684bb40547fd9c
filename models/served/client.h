// SPDX-License-Identifier: MIT
// The host's end: a model in another process as a models::Device of this one, and as the pci::Function that drivers
// open. DMA memory comes from a file that the server maps; the IOMMU is HostMemory, as for a model in this process.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "models/core/device.h"
#include "models/core/host_memory.h"
#include "models/served/channel.h"

namespace hcq::models::served {

struct ConnectOptions {
  bool map_bars = true;  // use BARs that the server offers as shared memory
  bool interrupts = true;
  std::uint64_t seed = 1;  // of the bus addresses
};

// Connects to a server at a Unix socket and attaches. Errc::not_found: nobody listens there; Errc::busy with the
// holder's pid. When the server dies later, BARs read as all ones and everything else is Errc::device_lost.
Result<std::unique_ptr<pci::Function>> connect(std::string name, const std::string& path,
                                               const ConnectOptions& options = {});

// The pid in the Errc::busy of connect(); 0 when the server does not know it, or for any other error.
int holder_pid(const Error& busy);

class RemoteDevice final : public Device {
 public:
  // Greets the server.
  static Result<std::shared_ptr<RemoteDevice>> connect(const std::string& path, bool map_bars);
  ~RemoteDevice() override;

  const std::string& model() const { return model_; }
  int server_pid() const { return channel_->peer_pid(); }
  bool lost() const { return lost_.load(std::memory_order_acquire); }
  // Shares the memory with the server and listens to what becomes void in it. Before plug().
  Status share(std::shared_ptr<HostMemory> host);

  // Device. plug() and unplug() once each.
  void plug(HostPort* port) override;
  void unplug() override;
  std::uint32_t config_read(std::uint16_t offset, unsigned size) override;
  void config_write(std::uint16_t offset, unsigned size, std::uint32_t value) override;
  std::uint64_t bar_size(unsigned bar) const override { return bar < kBars ? bar_sizes_[bar].load() : 0; }
  std::uint64_t read(unsigned bar, std::uint64_t offset, unsigned size) override;
  void write(unsigned bar, std::uint64_t offset, unsigned size, std::uint64_t value) override;
  void read_block(unsigned bar, std::uint64_t offset, MutableBytes out) override;
  void write_block(unsigned bar, std::uint64_t offset, Bytes in) override;
  std::uint64_t resizable_sizes(unsigned bar) const override { return bar < kBars ? resizable_[bar] : 0; }
  bool resize_bar(unsigned bar, unsigned log2_mib) override;
  void function_reset() override;
  SharedBar shared_bar(unsigned bar) const override;
  Referee& referee() override { return referee_; }  // violations are the server's; this one stays empty
  FaultPlan& faults() override { return faults_; }  // as are faults

 private:
  struct Waiter {
    std::uint32_t tag = 0;
    std::optional<Message> reply;
  };

  explicit RemoteDevice(std::unique_ptr<Channel> channel) : channel_(std::move(channel)) {}
  Status take_greeting(Message m, bool map_bars);
  // Sends a question and waits for the answer; nothing when the server is lost.
  std::optional<Message> ask(Type type, std::initializer_list<Bytes> parts, std::uint32_t block = 0,
                             std::span<const int> fds = {});
  // Sends a message; without a waiter nobody waits for an answer. Waits for its place in the window. False: lost.
  bool send(Type type, std::initializer_list<Bytes> parts, Waiter* waiter, std::uint32_t block = 0,
            std::span<const int> fds = {});
  void read_socket();
  Status received(const Message& m);
  Status answered(const Message& m);
  Status answer_translate(const Message& m);
  Status answer_dma(const Message& m);
  void lose(const std::string& why);
  void invalidate(std::uint64_t bus, std::uint64_t size);

  std::unique_ptr<Channel> channel_;
  std::string model_;
  std::uint32_t window_ = kWindow;
  std::array<std::atomic<std::uint64_t>, kBars> bar_sizes_{};
  std::array<std::uint64_t, kBars> resizable_{};
  std::array<Mapping, kBars> shared_;
  std::array<Fd, kBars> shared_files_;
  std::shared_ptr<HostMemory> host_;
  std::atomic<HostPort*> port_{nullptr};
  Referee referee_{Policy::record};
  FaultPlan faults_;
  std::atomic<bool> lost_{false}, closing_{false};

  std::mutex order_mutex_;      // held while a message takes its place and is sent
  std::mutex translate_mutex_;  // held while a translation is looked up and its answer sent
  std::mutex state_mutex_;
  std::condition_variable changed_;
  struct Asked {
    Type type;
    std::uint32_t block;
    std::uint64_t sequence;
    Waiter* waiter;  // nullptr: an acknowledgement that nobody waits for
  };
  std::unordered_map<std::uint32_t, Asked> asked_;
  std::uint64_t sent_ = 0, finished_ = 0;  // messages so far
  std::uint32_t next_tag_ = 1;

  std::thread reader_;
};

}  // namespace hcq::models::served
