// SPDX-License-Identifier: MIT
#include "drivers/am/flash/rom_window.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "drivers/am/abi/ifwi.h"

namespace hcq::am::flash {
namespace {

using namespace regs;

constexpr std::uint32_t kPage = 64u << 10;

// The window in one byte order, with what it found in the registers.
class Window {
 public:
  Window(Board& board, bool swapped) : io_(board.io()), link_(board.link()), swapped_(swapped) {}

  Status save() {
    control_ = HCQ_TRY(io_.read<ROM_CNTL>()).raw;
    index_ = HCQ_TRY(io_.read<ROM_INDEX>()).raw;
    return {};
  }
  // ROM_CNTL says whether this order was the right one to write in; if not, the other one undoes the damage.
  Status restore() {
    HCQ_TRY(io_.write_raw<ROM_INDEX>(order(index_)));
    std::uint32_t now = 0;
    for (const std::uint32_t value : {order(control_), __builtin_bswap32(order(control_))}) {
      HCQ_TRY(io_.write_raw<ROM_CNTL>(value));
      now = HCQ_TRY(io_.read<ROM_CNTL>()).raw;
      if (now == control_) return {};
    }
    Error e = link_.error(Errc::device_fault, "ROM_CNTL", "it did not take its old value back");
    e.expected = control_;
    e.actual = now;
    return e;
  }
  Status advance_by_itself() {
    const std::uint32_t on = io_.map().encode<ROM_CNTL>(control_, {ROM_CNTL::ROM_INDEX_ADDRESS_AUTO_INCREASE(1)});
    return io_.write_raw<ROM_CNTL>(order(on));
  }
  // The published tool writes the reversed number of the 256-byte unit; for whole pages that is the offset itself.
  Status seek(std::uint32_t page) { return io_.write_raw<ROM_INDEX>(swapped_ ? order(page >> 8) : page); }
  Result<std::uint32_t> next() { return HCQ_TRY(io_.read<ROM_DATA>()).raw; }

  // Four dwords from the start of the flash that are not all the same one.
  Result<bool> advances() {
    HCQ_TRY(seek(0));
    std::array<std::uint32_t, 8> v{};
    for (std::uint32_t& x : v) x = HCQ_TRY(next());
    return std::ranges::any_of(v, [&](std::uint32_t x) { return x != v[0]; });
  }

 private:
  std::uint32_t order(std::uint32_t v) const { return swapped_ ? __builtin_bswap32(v) : v; }
  RegisterIo& io_;
  Link& link_;
  const bool swapped_;
  std::uint32_t control_ = 0, index_ = 0;
};

Status read_all(Window& w, MutableBytes out, const std::function<void(std::uint64_t)>& progress) {
  for (std::uint32_t page = 0; page < out.size(); page += kPage) {
    HCQ_TRY(w.seek(page));
    // One dword at a time: a block access would walk over neighbouring registers.
    for (std::uint32_t i = 0; i < kPage; i += 4) {
      const std::uint32_t v = HCQ_TRY(w.next());
      std::memcpy(out.data() + page + i, &v, 4);
    }
    if (progress) progress(page + kPage);
  }
  return {};
}

// True: this order works and `out` is filled.
Result<bool> try_order(Board& board, bool swapped, MutableBytes out,
                       const std::function<void(std::uint64_t)>& progress) {
  Window w(board, swapped);
  HCQ_TRY(w.save());
  const auto work = [&]() -> Result<bool> {
    if (!HCQ_TRY(w.advances())) {
      HCQ_TRY(w.advance_by_itself());
      if (!HCQ_TRY(w.advances())) return false;
    }
    HCQ_TRY(read_all(w, out, progress));
    return true;
  };
  auto done = work();
  const Status restored = w.restore();
  if (done.ok() && !restored.ok()) return restored.error();
  return done;
}

Error absent(Board& board) {
  Error e = board.link().error(Errc::refused, "ROM_CNTL", "the ROM controller is not available: it reads all ones");
  e.hint = "the function's own ROM aperture shows something else and is not used instead";
  return e;
}

}  // namespace

Status read_rom_window(Board& board, RomOrder order, MutableBytes out,
                       const std::function<void(std::uint64_t)>& progress) {
  assert(out.size() % kPage == 0);
  const OperationScope scope(board.link(), "flash/rom_window");
  if (HCQ_TRY(board.io().read<ROM_CNTL>()).raw == ~0u || HCQ_TRY(board.io().read<ROM_INDEX>()).raw == ~0u)
    return absent(board);
  if (order != RomOrder::swapped && HCQ_TRY(try_order(board, false, out, progress))) return {};
  if (order != RomOrder::natural && HCQ_TRY(try_order(board, true, out, progress))) return {};
  Error e = board.link().error(Errc::device_fault, "ROM_DATA", "the window shows the same dword again and again");
  if (order != RomOrder::automatic) e.hint = "try the other byte order with --rom-order";
  return e;
}

Status check_rom_content(const std::string& device, Bytes content) {
  Error e{.code = Errc::corrupt, .device = device, .operation = "flash/rom_window", .subject = "content"};
  std::uint32_t magic = 0;
  if (content.size() >= sizeof magic) std::memcpy(&magic, content.data(), sizeof magic);
  if (magic != abi::ifwi::kEfsMagic) {
    e.expected = abi::ifwi::kEfsMagic;
    e.actual = magic;
    e.address = 0;
    e.detail = "what the window shows does not begin like a firmware image";
    e.hint = "try the other byte order with --rom-order";
    return e;
  }
  const std::size_t half = content.size() / 2;
  if (std::ranges::equal(content.first(half), content.subspan(half))) {
    e.detail = "both halves are equal: the window shows half of the flash twice";
    return e;
  }
  return {};
}

}  // namespace hcq::am::flash
