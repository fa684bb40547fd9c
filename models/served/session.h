// SPDX-License-Identifier: MIT
// One host's connection to a served device, from the greeting to the end. Two threads: one reads the socket and never
// waits for anything else, one carries out the host's requests in their order. The model's own threads ask through the
// HostPort half.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>

#include "models/core/device.h"
#include "models/served/channel.h"
#include "models/served/regions.h"

namespace hcq::models::served {

class Session final : public HostPort {
 public:
  // `name` is the model's, for the greeting and for log lines.
  Session(std::shared_ptr<Device> device, std::string name, std::unique_ptr<Channel> channel);
  ~Session() override;  // ends it, if it has not ended

  // Answers the greeting, plugs the device in and starts the threads.
  Status start(const Message& hello);
  // Closes the connection and waits until the device is unplugged. Not from the session's own threads.
  void end();
  // The connection is over; end() will not have to wait for the host.
  bool over() const { return over_.load(std::memory_order_acquire); }
  bool peer_gone() const { return over() || channel_->peer_gone(); }
  int peer_pid() const { return channel_->peer_pid(); }
  const std::string& peer_name() const { return peer_name_; }

  // Host memory in no region. Errc::not_found when there is none, Errc::io when the connection is over.
  Status dma_read(std::uint64_t bus, MutableBytes out);
  Status dma_write(std::uint64_t bus, Bytes in);

  // HostPort
  std::byte* translate(std::uint64_t bus, std::size_t size, bool write) override;
  std::uint64_t generation() const override { return generation_.load(std::memory_order_acquire); }
  void interrupt(unsigned vector) override;

 private:
  struct Question {
    Type type = Type::translate;
    Translate translate{};
    std::uint32_t block = 0;
    bool done = false;
    std::byte* memory = nullptr;   // TRANSLATE
    std::optional<Message> reply;  // the others
  };

  struct Request {
    Message message;
    std::string refusal{};  // REGION_ADD whose descriptor cannot be trusted: why
  };

  void read_socket();
  void carry_out();
  Status received(Message m);
  Status answered(const Message& m);
  Status map_change(Request& r);
  Status execute(const Request& r);
  Status execute_bar(const Message& m);
  Status reply(const Message& to, std::initializer_list<Bytes> parts = {}) {
    return channel_->send(to.type(), kReply, to.header.tag, parts);
  }
  // Asks and waits for the answer; false when the connection ended first.
  bool ask(Question& q, std::initializer_list<Bytes> parts);
  Status inside_bar(unsigned bar, std::uint64_t offset, std::uint64_t size) const;
  void fail(const Error& why);
  void stop_accusing();

  std::shared_ptr<Device> device_;
  std::string name_, peer_name_;
  std::unique_ptr<Channel> channel_;
  Regions regions_;
  std::atomic<std::uint64_t> generation_;
  std::atomic<bool> interrupts_{false}, over_{false};
  Policy policy_;
  unsigned listener_ = 0;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Request> requests_;
  std::unordered_map<std::uint32_t, Question*> questions_;
  std::uint32_t next_tag_ = 1;
  bool no_more_requests_ = false;

  std::thread reader_, worker_;
};

}  // namespace hcq::models::served
