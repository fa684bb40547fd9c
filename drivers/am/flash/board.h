// SPDX-License-Identifier: MIT
// flash::Board: a graphics board as one sees it who cares for nothing but its flash. Nothing is booted and no discovery
// table is read, because a board with an empty flash has none: the registers are where they are on Navi31, and the
// board must be one by its PCI id. Not thread-safe.
#pragma once

#include <memory>

#include "base/error.h"
#include "drivers/am/link.h"
#include "drivers/am/register_io.h"
#include "drivers/pci/function.h"
#include "drivers/spi/controller.h"

namespace hcq::am::flash {

// A display function of AMD; whether it is a board with a flash that is known, open() says.
bool is_amd_display(const pci::Identity& id);

class Board {
 public:
  // Checks the PCI id before anything else (Errc::unsupported), turns on memory decoding and maps BAR 5. `pacer` must
  // outlive the board.
  static Result<std::unique_ptr<Board>> open(std::unique_ptr<pci::Function> function, spi::Pacer& pacer);

  RegisterIo& io() { return io_; }
  Link& link() { return link_; }
  spi::Pacer& pacer() { return pacer_; }
  const std::string& name() const { return link_.name(); }
  const pci::Identity& identity() const { return function_->identity(); }

  // True while the board's boot ROM reports that it has run from its flash (C2PMSG_33).
  Result<bool> firmware_ran();
  // True when a driver has started the secure OS (C2PMSG_81).
  Result<bool> secure_os_runs();

 private:
  Board(std::unique_ptr<pci::Function> function, pci::Mmio bar5, regs::RegisterMap map, spi::Pacer& pacer);

  std::unique_ptr<pci::Function> function_;
  Link link_;
  RegisterIo io_;
  spi::Pacer& pacer_;
};

// The registers of the ROM controller and the PSP's mailboxes of Navi31, without a discovery table.
Result<regs::RegisterMap> register_map();

// Waits until `done` says so. Looks often at first, then leaves it to the pacer; Errc::timeout is for the caller to
// word. False: the limit passed.
template <class Done>
Result<bool> wait_until(spi::Pacer& pacer, Clock::duration limit, Done done) {
  constexpr unsigned kEager = 256;
  const auto end = pacer.now() + limit;
  for (unsigned looks = 0;; ++looks) {
    // Looked at once more after the deadline: the thread may have slept through a good answer.
    const bool last = pacer.now() >= end;
    if (HCQ_TRY(done())) return true;
    if (last) return false;
    if (looks >= kEager) pacer.wait(std::chrono::microseconds(100));
  }
}

}  // namespace hcq::am::flash
