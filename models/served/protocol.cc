// SPDX-License-Identifier: MIT
#include "models/served/protocol.h"

#include <fmt/format.h>

#include <algorithm>

namespace hcq::models::served {

namespace {

Error malformed(const Message& m, std::string detail) {
  return Error{.code = Errc::corrupt,
               .operation = "model protocol",
               .subject = std::string(type_name(m.type())),
               .actual = m.header.length,
               .detail = std::move(detail)};
}

bool power_of_two_up_to(unsigned size, unsigned most) { return std::has_single_bit(size) && size <= most; }

// The fixed part of a request, whether bytes may follow it, and what it must fulfil.
struct Shape {
  Type type;
  Side sender;
  std::uint16_t flags;  // allowed
  std::uint32_t fixed;
  bool tail;
  const char* (*check)(const Message&);  // nullptr when all is well, else what is wrong
};

const char* anything(const Message&) { return nullptr; }

const char* hello(const Message& m) {
  const auto p = m.as<Hello>();
  if (p.magic != kMagic) return "wrong magic";
  if (p.zero0 || p.zero1 || (p.flags & ~kHelloMapsBars)) return "reserved bits are set";
  return p.name[sizeof p.name - 1] ? "the name does not end" : nullptr;
}

const char* config_place(std::uint16_t offset, std::uint16_t size) {
  if (!power_of_two_up_to(size, 4)) return "size is not 1, 2 or 4";
  return offset % size || offset + size > 4096 ? "the access is misaligned or outside config space" : nullptr;
}
const char* config_read(const Message& m) { return config_place(m.as<ConfigRead>().offset, m.as<ConfigRead>().size); }
const char* config_write(const Message& m) {
  const auto p = m.as<ConfigWrite>();
  if (const char* bad = config_place(p.offset, p.size)) return bad;
  return p.size < 4 && p.value >> (8 * p.size) ? "the value is wider than the access" : nullptr;
}

const char* bar_access(const Message& m) {
  const auto p = m.as<BarAccess>();
  if (p.zero0 || p.zero1) return "reserved bits are set";
  if (p.bar >= kBars) return "no such BAR";
  if (!power_of_two_up_to(p.size, 8)) return "size is not 1, 2, 4 or 8";
  return p.offset % p.size ? "the access is misaligned" : nullptr;
}
const char* bar_write(const Message& m) {
  if (const char* bad = bar_access(m)) return bad;
  const auto p = m.as<BarWrite>();
  return p.at.size < 8 && p.value >> (8 * p.at.size) ? "the value is wider than the access" : nullptr;
}

const char* block_access(const Message& m) {
  const auto p = m.as<Block>();
  if (p.zero0 || p.zero1) return "reserved bits are set";
  if (p.bar >= kBars) return "no such BAR";
  return p.size == 0 || p.size > kMaxBlock ? "empty or too long" : nullptr;
}
const char* block_write(const Message& m) {
  if (const char* bad = block_access(m)) return bad;
  return m.as<Block>().size != m.payload.size() - sizeof(Block) ? "the bytes do not fit the size" : nullptr;
}

const char* resize_bar(const Message& m) {
  const auto p = m.as<ResizeBar>();
  if (p.zero0 || p.zero1) return "reserved bits are set";
  return p.bar >= kBars || p.log2_mib >= 44 ? "no such BAR or size" : nullptr;
}

const char* region_add(const Message& m) {
  const auto p = m.as<RegionAdd>();
  if (p.flags & ~kRegionReadOnly) return "reserved bits are set";
  if (p.id >= kMaxRegions) return "region id out of range";
  return p.size == 0 || p.size % kPageBytes || p.size > (1ull << 46) ? "the region's size is not possible" : nullptr;
}
const char* region_remove(const Message& m) {
  return m.as<RegionRemove>().id >= kMaxRegions || m.as<RegionRemove>().zero ? "region id out of range" : nullptr;
}
const char* invalidate(const Message& m) {
  const auto p = m.as<Invalidate>();
  return p.bus + p.size < p.bus ? "the range wraps around" : nullptr;
}
const char* irq_enable(const Message& m) {
  return m.as<IrqEnable>().on > 1 || m.as<IrqEnable>().zero ? "reserved bits are set" : nullptr;
}

const char* translate(const Message& m) {
  const auto p = m.as<Translate>();
  if (p.flags & ~kTranslateWrite) return "reserved bits are set";
  return p.size == 0 || p.bus % kPageBytes + p.size > kPageBytes ? "the question crosses a page" : nullptr;
}
const char* dma_access(const Message& m) {
  const auto p = m.as<DmaAccess>();
  if (p.zero) return "reserved bits are set";
  return p.size == 0 || p.size > kMaxBlock || p.bus + p.size < p.bus ? "empty, too long or wrapping" : nullptr;
}
const char* dma_write(const Message& m) {
  if (const char* bad = dma_access(m)) return bad;
  return m.as<DmaAccess>().size != m.payload.size() - sizeof(DmaAccess) ? "the bytes do not fit the size" : nullptr;
}
const char* interrupt(const Message& m) { return m.as<Interrupt>().zero ? "reserved bits are set" : nullptr; }
const char* violation(const Message& m) { return m.payload.size() > kMaxText ? "the text is too long" : nullptr; }

constexpr Shape kShapes[] = {
    {Type::hello, Side::host, 0, sizeof(Hello), false, hello},
    {Type::config_read, Side::host, 0, sizeof(ConfigRead), false, config_read},
    {Type::config_write, Side::host, 0, sizeof(ConfigWrite), false, config_write},
    {Type::bar_read, Side::host, 0, sizeof(BarAccess), false, bar_access},
    {Type::bar_write, Side::host, kAck, sizeof(BarWrite), false, bar_write},
    {Type::block_read, Side::host, 0, sizeof(Block), false, block_access},
    {Type::block_write, Side::host, kAck, sizeof(Block), true, block_write},
    {Type::resize_bar, Side::host, 0, sizeof(ResizeBar), false, resize_bar},
    {Type::reset, Side::host, 0, 0, false, anything},
    {Type::region_add, Side::host, 0, sizeof(RegionAdd), false, region_add},
    {Type::region_remove, Side::host, 0, sizeof(RegionRemove), false, region_remove},
    {Type::invalidate, Side::host, 0, sizeof(Invalidate), false, invalidate},
    {Type::irq_enable, Side::host, 0, sizeof(IrqEnable), false, irq_enable},
    {Type::translate, Side::device, 0, sizeof(Translate), false, translate},
    {Type::dma_read, Side::device, 0, sizeof(DmaAccess), false, dma_access},
    {Type::dma_write, Side::device, 0, sizeof(DmaAccess), true, dma_write},
    {Type::interrupt, Side::device, 0, sizeof(Interrupt), false, interrupt},
    {Type::violation, Side::device, 0, 0, true, violation},
};

const Shape* shape_of(Type t) {
  const auto it = std::find_if(std::begin(kShapes), std::end(kShapes), [&](const Shape& s) { return s.type == t; });
  return it == std::end(kShapes) ? nullptr : it;
}

}  // namespace

std::string_view type_name(Type t) {
  switch (t) {
    case Type::hello:
      return "HELLO";
    case Type::config_read:
      return "CONFIG_READ";
    case Type::config_write:
      return "CONFIG_WRITE";
    case Type::bar_read:
      return "BAR_READ";
    case Type::bar_write:
      return "BAR_WRITE";
    case Type::block_read:
      return "BLOCK_READ";
    case Type::block_write:
      return "BLOCK_WRITE";
    case Type::resize_bar:
      return "RESIZE_BAR";
    case Type::reset:
      return "RESET";
    case Type::region_add:
      return "REGION_ADD";
    case Type::region_remove:
      return "REGION_REMOVE";
    case Type::invalidate:
      return "INVALIDATE";
    case Type::irq_enable:
      return "IRQ_ENABLE";
    case Type::translate:
      return "TRANSLATE";
    case Type::dma_read:
      return "DMA_READ";
    case Type::dma_write:
      return "DMA_WRITE";
    case Type::interrupt:
      return "INTERRUPT";
    case Type::violation:
      return "VIOLATION";
  }
  return "unknown message";
}

Status check_message(const Message& m, Side sender) {
  const Shape* s = shape_of(m.type());
  if (!s) return malformed(m, fmt::format("type {} does not exist", m.header.type));
  if (m.reply()) {
    if (s->sender == sender) return malformed(m, "a reply to a question that this side asks");
    if (m.header.flags & ~(kReply | kError)) return malformed(m, "reserved flags are set");
    if (m.error() && m.payload.size() < sizeof(ErrorReply)) return malformed(m, "the error has no code");
    const bool may_carry = m.type() == Type::hello && !m.error();
    return m.fds.empty() || may_carry ? Status() : malformed(m, "a descriptor that does not belong here");
  }
  if (s->sender != sender) return malformed(m, "a question that only the other side asks");
  if (m.header.flags & ~s->flags) return malformed(m, "reserved flags are set");
  if (m.payload.size() < s->fixed || (!s->tail && m.payload.size() != s->fixed)) return malformed(m, "wrong length");
  if (m.fds.size() != (m.type() == Type::region_add ? 1u : 0u)) return malformed(m, "wrong number of descriptors");
  if (const char* bad = s->check(m)) return malformed(m, bad);
  return {};
}

Status check_reply(const Message& m, Type question, std::uint32_t block) {
  if (m.type() != question) return malformed(m, fmt::format("the question was {}", type_name(question)));
  if (m.error()) return {};
  std::size_t want = 0;
  switch (question) {
    case Type::hello:
      want = sizeof(HelloReply);
      break;
    case Type::config_read:
      want = 4;
      break;
    case Type::bar_read:
    case Type::resize_bar:
      want = 8;
      break;
    case Type::block_read:
    case Type::dma_read:
      want = block;
      break;
    case Type::translate:
      want = sizeof(TranslateReply);
      break;
    default:
      break;
  }
  return m.payload.size() == want ? Status() : malformed(m, fmt::format("the reply should have {} bytes", want));
}

Error error_of(const Message& m, std::string_view operation) {
  const auto e = m.as<ErrorReply>();
  const Bytes text = m.rest(sizeof(ErrorReply));
  Error out{.code = Errc::io, .operation = std::string(operation), .actual = e.value};
  out.detail.assign(reinterpret_cast<const char*>(text.data()), std::min<std::size_t>(text.size(), kMaxText));
  for (char& c : out.detail)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  switch (static_cast<Fault>(e.code)) {
    case Fault::version:
      out.code = Errc::unsupported;
      break;
    case Fault::busy:
      out.code = Errc::busy;
      break;
    case Fault::malformed:
      out.code = Errc::corrupt;
      break;
    case Fault::refused:
      out.code = Errc::refused;
      break;
    case Fault::no_memory_there:
      out.code = Errc::not_found;
      break;
  }
  return out;
}

}  // namespace hcq::models::served
