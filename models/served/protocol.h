// SPDX-License-Identifier: MIT
// The numbers and layouts of docs/model-protocol.md, and the checks that need no knowledge of the session. Everything
// is little endian, as are all machines hcq runs on.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/file.h"

namespace hcq::models::served {

static_assert(std::endian::native == std::endian::little);

inline constexpr std::uint32_t kMagic = 0x4d514348;
inline constexpr std::uint16_t kVersion = 1;
inline constexpr std::uint32_t kMaxPayload = 65'600, kMaxBlock = 65'536, kMaxText = 4096;
inline constexpr std::uint16_t kWindow = 1024;
inline constexpr unsigned kBars = 6, kMaxRegions = 256;
inline constexpr std::uint64_t kPageBytes = 4096;

enum class Type : std::uint16_t {
  hello = 1,
  config_read = 2,
  config_write = 3,
  bar_read = 4,
  bar_write = 5,
  block_read = 6,
  block_write = 7,
  resize_bar = 8,
  reset = 9,
  region_add = 10,
  region_remove = 11,
  invalidate = 12,
  irq_enable = 13,
  translate = 32,
  dma_read = 33,
  dma_write = 34,
  interrupt = 35,
  violation = 36,
};

inline constexpr std::uint16_t kReply = 1u << 0, kAck = 1u << 1, kError = 1u << 2;

struct Header {
  std::uint32_t length;
  std::uint16_t type, flags;
  std::uint32_t tag;
};
static_assert(sizeof(Header) == 12);

enum class Fault : std::uint32_t { version = 1, busy = 2, malformed = 3, refused = 4, no_memory_there = 5 };

struct ErrorReply {
  std::uint32_t code, value;  // text follows
};
static_assert(sizeof(ErrorReply) == 8);

inline constexpr std::uint32_t kHelloMapsBars = 1u << 0;
struct Hello {
  std::uint32_t magic;
  std::uint16_t version, zero0;
  std::uint32_t flags, zero1;
  char name[48];
};
static_assert(sizeof(Hello) == 64);

inline constexpr std::uint32_t kBarShared = 1u << 0, kHasInterrupts = 1u << 0;
struct HelloBar {
  std::uint64_t size, resizable;
  std::uint32_t flags, zero;
};
struct HelloReply {
  std::uint32_t magic;
  std::uint16_t version, window;
  std::uint32_t pid, flags;
  char model[32];
  HelloBar bars[kBars];
};
static_assert(sizeof(HelloReply) == 192);

struct ConfigRead {
  std::uint16_t offset, size;
};
struct ConfigWrite {
  std::uint16_t offset, size;
  std::uint32_t value;
};
struct BarAccess {  // BAR_READ; BAR_WRITE has the value behind it
  std::uint8_t bar, size;
  std::uint16_t zero0;
  std::uint32_t zero1;
  std::uint64_t offset;
};
struct BarWrite {
  BarAccess at;
  std::uint64_t value;
};
struct Block {  // BLOCK_READ; BLOCK_WRITE has the bytes behind it
  std::uint8_t bar, zero0;
  std::uint16_t zero1;
  std::uint32_t size;
  std::uint64_t offset;
};
struct ResizeBar {
  std::uint8_t bar, log2_mib;
  std::uint16_t zero0;
  std::uint32_t zero1;
};
inline constexpr std::uint32_t kRegionReadOnly = 1u << 0;
struct RegionAdd {
  std::uint32_t id, flags;
  std::uint64_t size;
};
struct RegionRemove {
  std::uint32_t id, zero;
};
struct Invalidate {
  std::uint64_t bus, size;
};
struct IrqEnable {
  std::uint32_t on, zero;
};

inline constexpr std::uint32_t kTranslateWrite = 1u << 0;
inline constexpr std::uint32_t kAccessRead = 1u << 0, kAccessWrite = 1u << 1;
struct Translate {
  std::uint64_t bus;
  std::uint32_t size, flags;
};
enum class Translated : std::uint32_t { region = 0, blocked = 1, indirect = 2 };
struct TranslateReply {
  std::uint32_t status, region;
  std::uint64_t bus, size, offset;
  std::uint32_t access, zero;
};
struct DmaAccess {  // DMA_READ; DMA_WRITE has the bytes behind it
  std::uint64_t bus;
  std::uint32_t size, zero;
};
struct Interrupt {
  std::uint32_t vector, zero;
};
static_assert(sizeof(ConfigRead) == 4 && sizeof(ConfigWrite) == 8 && sizeof(BarAccess) == 16 && sizeof(BarWrite) == 24);
static_assert(sizeof(Block) == 16 && sizeof(ResizeBar) == 8 && sizeof(RegionAdd) == 16 && sizeof(RegionRemove) == 8);
static_assert(sizeof(Invalidate) == 16 && sizeof(IrqEnable) == 8 && sizeof(Translate) == 16);
static_assert(sizeof(TranslateReply) == 40 && sizeof(DmaAccess) == 16 && sizeof(Interrupt) == 8);

struct Message {
  Header header{};
  std::vector<std::byte> payload{};
  std::vector<Fd> fds{};

  Type type() const { return static_cast<Type>(header.type); }
  bool reply() const { return header.flags & kReply; }
  bool ack() const { return header.flags & kAck; }
  bool error() const { return header.flags & kError; }
  // The payload's beginning; the message has passed check_*(), so it is there.
  template <class T>
  T as() const {
    T v{};
    assert(payload.size() >= sizeof(T));
    std::memcpy(&v, payload.data(), sizeof(T));
    return v;
  }
  Bytes rest(std::size_t from) const { return Bytes(payload).subspan(from); }
};

// Who sent what is checked.
enum class Side : std::uint8_t { host, device };

// What can be said about a message from its own bytes: type and flags that `sender` may send, the length that goes with
// them, fields in range, reserved ones zero, as many descriptors as belong to it. Errc::corrupt with the reason.
// Replies are checked for what all replies have; their length is the asker's business (check_reply).
Status check_message(const Message& m, Side sender);

// The reply to a question of this type, `block` bytes long if the question asked for a block: right length, or an
// ERROR.
Status check_reply(const Message& m, Type question, std::uint32_t block);

// The Error that an ERROR reply stands for.
Error error_of(const Message& m, std::string_view operation);

std::string_view type_name(Type t);

}  // namespace hcq::models::served
