// SPDX-License-Identifier: MIT
// The boot, in order. A warm start (firmware of the previous session still running) skips the rows marked cold.
#include "drivers/am/boot.h"
#include "drivers/am/clock_gating.h"
#include "drivers/am/gfx.h"
#include "drivers/am/gpu.h"
#include "drivers/am/psp.h"
#include "drivers/am/sdma.h"
#include "drivers/am/smu.h"

namespace hcq::am {

namespace {

constexpr BootStep kSteps[] = {
    {"pci/bus_master", When::always, [](Gpu& g) { return pci::set_bus_master(g.function(), true); },
     [](Gpu& g) {
       if (!g.link().lost()) g.note_undo(pci::set_bus_master(g.function(), false));
     }},
    // Until mark_booted a process that dies here makes the next one reset the chip.
    {"boot/mark_dirty", When::always, [](Gpu& g) { return g.mark_dirty(); }, [](Gpu& g) { g.mark_clean(); }},
    {"nbio/init", When::cold, [](Gpu& g) { return g.nbio().init(); }, nullptr},
    {"nbio/doorbells", When::always, [](Gpu& g) { return g.nbio().enable_doorbells(); },
     [](Gpu& g) { g.nbio().disable_doorbells(); }},
    // Also on a warm start: a new process maps from an empty root table.
    {"gmc/mm_hub", When::always, [](Gpu& g) { return g.gmc().start_mm_hub(); }, nullptr},
    {"ih/start", When::always, [](Gpu& g) { return g.ih().start(); }, [](Gpu& g) { g.ih().stop(); }},
    {"psp/load_sos", When::cold, [](Gpu& g) { return g.psp().load_secure_os(); }, nullptr},
    {"psp/create_ring", When::cold, [](Gpu& g) { return g.psp().create_ring(); },
     [](Gpu& g) { g.psp().forget_ring(); }},
    {"psp/load_toc", When::cold, [](Gpu& g) { return g.psp().load_toc(); }, nullptr},
    {"psp/load_smu", When::cold, [](Gpu& g) { return g.psp().load_smu_firmware(); }, nullptr},
    {"psp/setup_tmr", When::cold, [](Gpu& g) { return g.psp().setup_tmr(); }, nullptr},
    {"psp/load_ip", When::cold, [](Gpu& g) { return g.psp().load_ip_firmware(); }, nullptr},
    {"psp/autoload", When::cold, [](Gpu& g) { return g.psp().start_autoload(); }, nullptr},
    {"smu/start", When::always, [](Gpu& g) { return g.smu().start(); }, nullptr},
    {"gfx/wait_rlc", When::always, gfx::wait_for_rlc, nullptr},
    {"gmc/gc_hub", When::always, [](Gpu& g) { return g.gmc().start_gc_hub(); }, [](Gpu& g) { g.gmc().stop_gc_hub(); }},
    {"memory/start", When::always, [](Gpu& g) { return g.start_memory(); }, [](Gpu& g) { g.stop_memory(); }},
    {"gfx/reset_queues", When::always, [](Gpu& g) { return g.warm() ? gfx::reset_queues(g) : Status(); }, nullptr},
    {"gfx/configure_mec", When::always, gfx::configure_mec, nullptr},
    {"gfx/configure_shaders", When::always, gfx::configure_shaders, nullptr},
    {"gfx/doorbells", When::always, gfx::route_doorbells, nullptr},
    {"gfx/start_mec", When::always, gfx::start_mec, gfx::stop_mec},
    {"sdma/start", When::always, sdma::start_engine, sdma::stop_engine},
    {"smu/clocks", When::always, [](Gpu& g) { return g.smu().raise_clocks(); }, [](Gpu& g) { g.smu().lower_clocks(); }},
    {"gfx/clock_gating", When::always, enable_clock_gating, nullptr},
    {"boot/mark_booted", When::always, [](Gpu& g) { return g.mark_booted(); }, nullptr},
};

}  // namespace

std::span<const BootStep> boot_steps() { return kSteps; }

}  // namespace hcq::am
