// SPDX-License-Identifier: MIT
// What the PSP of the Navi31 model refuses: bootloader order and content, ring, frames, TMR, firmware.
#include "am_board.h"

namespace hcq::models::am::test {
namespace {

class Bootloader : public ::testing::Test, public Board {
 protected:
  void SetUp() override {
    ASSERT_TRUE(wait_bootloader());
    setup_mm_hub();
  }
  Bytes kdb() { return sos_component(fw::PSP_FW_TYPE_PSP_KDB); }
  Bytes sys() { return sos_component(fw::PSP_FW_TYPE_PSP_SYS_DRV); }
  Bytes sos() { return sos_component(fw::PSP_FW_TYPE_PSP_SOS); }
  // Ready, with an error code in [7:0].
  static bool failed(std::uint32_t status) {
    return (status & psp::kMailboxReady) && (status & psp::kBootloaderErrorMask);
  }
  bool dies() {
    write<regs::MP0_SMN_C2PMSG_35>(psp::PSP_BL__LOAD_SOSDRV);
    return !eventually([&] { return read<regs::MP0_SMN_C2PMSG_81>() != 0; }, 50ms);
  }
};

TEST_F(Bootloader, ReadyBitIsLowForAWhileAfterACommand) {
  put(kBuffer, kdb());
  hdp_flush();
  write<regs::MP0_SMN_C2PMSG_36>(static_cast<std::uint32_t>(mc(kBuffer) >> 20));
  write<regs::MP0_SMN_C2PMSG_35>(psp::PSP_BL__LOAD_KEY_DATABASE);
  EXPECT_EQ(read<regs::MP0_SMN_C2PMSG_35>() & psp::kMailboxReady, 0u);
  EXPECT_TRUE(poll<regs::MP0_SMN_C2PMSG_35>(~0u, psp::kMailboxReady));
  EXPECT_TRUE(clean()) << said();
}

TEST_F(Bootloader, CommandWhileBusy) {
  put(kBuffer, kdb());
  hdp_flush();
  write<regs::MP0_SMN_C2PMSG_36>(static_cast<std::uint32_t>(mc(kBuffer) >> 20));
  // A busy machine can let a whole command pass between two writes.
  for (int i = 0; i < 200 && !saw("psp.bootloader_busy"); ++i)
    write<regs::MP0_SMN_C2PMSG_35>(psp::PSP_BL__LOAD_KEY_DATABASE);
  EXPECT_TRUE(saw("psp.bootloader_busy"));
}

TEST_F(Bootloader, WrongOrder) {
  EXPECT_TRUE(failed(bootloader(psp::PSP_BL__LOAD_SYSDRV, sys())));
  EXPECT_TRUE(saw("psp.bootloader_order"));
  EXPECT_TRUE(dies()) << "only a reset helps after an error";
}

TEST_F(Bootloader, MissingMandatoryComponent) {
  bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, kdb());
  bootloader(psp::PSP_BL__LOAD_TOS_SPL_TABLE, kdb());
  bootloader(psp::PSP_BL__LOAD_SOSDRV, sos());
  EXPECT_TRUE(eventually([&] { return saw("psp.bootloader_order"); }));
  EXPECT_EQ(read<regs::MP0_SMN_C2PMSG_81>(), 0u);
}

TEST_F(Bootloader, ComponentTwice) {
  bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, kdb());
  EXPECT_TRUE(failed(bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, kdb())));
  EXPECT_TRUE(saw("psp.bootloader_order"));
}

TEST_F(Bootloader, ForeignContent) {
  std::vector<std::byte> wrong(kdb().begin(), kdb().end());
  wrong[100] ^= std::byte{1};
  EXPECT_TRUE(failed(bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, wrong)));
  EXPECT_TRUE(saw("psp.bootloader_content"));
}

TEST_F(Bootloader, ContentStuckInTheHdp) {
  put(kBuffer, kdb());  // no flush
  write<regs::MP0_SMN_C2PMSG_36>(static_cast<std::uint32_t>(mc(kBuffer) >> 20));
  write<regs::MP0_SMN_C2PMSG_35>(psp::PSP_BL__LOAD_KEY_DATABASE);
  EXPECT_TRUE(eventually([&] { return saw("psp.bootloader_content"); }));
}

TEST_F(Bootloader, OffsetInsteadOfMcAddress) {
  put(kBuffer, kdb());
  hdp_flush();
  write<regs::MP0_SMN_C2PMSG_36>(static_cast<std::uint32_t>(kBuffer >> 20));
  write<regs::MP0_SMN_C2PMSG_35>(psp::PSP_BL__LOAD_KEY_DATABASE);
  EXPECT_TRUE(eventually([&] { return saw("psp.bootloader_address"); }));
}

TEST_F(Bootloader, AddressNotOnAMegabyte) {
  // The register holds megabytes: a buffer that is not aligned to one is simply not where the bootloader looks.
  put(kBuffer + 0x1000, kdb());
  hdp_flush();
  write<regs::MP0_SMN_C2PMSG_36>(static_cast<std::uint32_t>(mc(kBuffer + 0x1000) >> 20));
  write<regs::MP0_SMN_C2PMSG_35>(psp::PSP_BL__LOAD_KEY_DATABASE);
  EXPECT_TRUE(eventually([&] { return saw("psp.bootloader_content"); }));
}

TEST_F(Bootloader, WithoutSystemApertureNothingIsReadable) {
  write<regs::MMMC_VM_SYSTEM_APERTURE_HIGH_ADDR>(0);
  EXPECT_TRUE(failed(bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, kdb())));
  EXPECT_TRUE(saw("psp.bootloader_address"));
}

TEST_F(Bootloader, ComponentThisChipDoesNotHave) {
  bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, kdb());
  EXPECT_TRUE(failed(bootloader(psp::PSP_BL__LOAD_SOCDRV, sys())));
  EXPECT_TRUE(saw("psp.bootloader_command"));
}

TEST_F(Bootloader, SilentAfterSos) {
  ASSERT_TRUE(start_sos()) << said();
  write<regs::MP0_SMN_C2PMSG_35>(psp::PSP_BL__LOAD_KEY_DATABASE);
  EXPECT_TRUE(saw("psp.bootloader_after_sos"));
}

TEST_F(Bootloader, SignOfLifeOnlyAfterSos) {
  EXPECT_EQ(read<regs::MP0_SMN_C2PMSG_81>(), 0u);
  bootloader(psp::PSP_BL__LOAD_KEY_DATABASE, kdb());
  bootloader(psp::PSP_BL__LOAD_TOS_SPL_TABLE, kdb());
  bootloader(psp::PSP_BL__LOAD_SYSDRV, sys());
  EXPECT_EQ(read<regs::MP0_SMN_C2PMSG_81>(), 0u);
  bootloader(psp::PSP_BL__LOAD_SOSDRV, sos());
  EXPECT_TRUE(eventually([&] { return read<regs::MP0_SMN_C2PMSG_81>() != 0; }));
  EXPECT_NE(read<regs::MP0_SMN_C2PMSG_58>(), 0u);
  EXPECT_TRUE(clean()) << said();
}

TEST_F(Bootloader, RingBeforeSos) {
  write<regs::MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_INIT_GPCOM_RING);
  EXPECT_TRUE(saw("psp.ring_before_sos"));
}

TEST_F(Bootloader, FlashMailboxWantsACommand) {
  write<regs::MP0_SMN_C2PMSG_73>(1);
  EXPECT_TRUE(saw("psp.flash_no_command"));
}

class PspRing : public ::testing::Test, public Board {
 protected:
  void SetUp() override {
    ASSERT_TRUE(wait_bootloader());
    setup_mm_hub();
    ASSERT_TRUE(start_sos()) << said();
  }
  Bytes toc() { return sos_component(fw::PSP_FW_TYPE_PSP_TOC); }
  static bool refused(std::uint32_t status) { return (status & psp::GFX_CMD_STATUS_MASK) != 0; }
};

TEST_F(PspRing, TwiceWithoutDestroying) {
  EXPECT_EQ(create_ring(mc(kPspRing)), psp::kMailboxReady);
  EXPECT_TRUE(refused(create_ring(mc(kPspRing))));
  EXPECT_TRUE(saw("psp.ring_exists"));
}

TEST_F(PspRing, DestroyAndCreateAgain) {
  EXPECT_EQ(create_ring(mc(kPspRing)), psp::kMailboxReady);
  write<regs::MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_DESTROY_RINGS);
  ASSERT_TRUE(poll<regs::MP0_SMN_C2PMSG_64>(psp::kMailboxReady, psp::kMailboxReady));
  EXPECT_EQ(create_ring(mc(kPspRing)), psp::kMailboxReady);
  EXPECT_EQ(load_toc(toc()), 0u);
  EXPECT_TRUE(clean()) << said();
}

TEST_F(PspRing, Parameters) {
  EXPECT_TRUE(refused(create_ring(mc(kPspRing) + 0x100)));
  EXPECT_TRUE(saw("psp.ring_parameters"));
  device->referee().clear();
  EXPECT_TRUE(refused(create_ring(kPspRing))) << "an offset is not a memory-controller address";
  EXPECT_TRUE(saw("psp.ring_parameters"));
  device->referee().clear();
  EXPECT_TRUE(refused(create_ring(mc(kPspRing), 0x3000)));
  EXPECT_TRUE(saw("psp.ring_parameters"));
}

TEST_F(PspRing, CommandBeforeTheOneBeforeIsConfirmed) {
  write<regs::MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_DESTROY_RINGS);
  write<regs::MP0_SMN_C2PMSG_64>(psp::GFX_CTRL_CMD_ID_INIT_GPCOM_RING);
  EXPECT_TRUE(saw("psp.ring_control_busy"));
}

TEST_F(PspRing, UnknownRingCommand) {
  write<regs::MP0_SMN_C2PMSG_64>(0x00770000);
  EXPECT_TRUE(eventually([&] { return saw("psp.ring_control"); }));
}

TEST_F(PspRing, WritePointerInBytesOrWithoutRing) {
  write<regs::MP0_SMN_C2PMSG_67>(16);
  EXPECT_TRUE(saw("psp.no_ring"));
  ASSERT_EQ(create_ring(mc(kPspRing)), psp::kMailboxReady);
  write<regs::MP0_SMN_C2PMSG_67>(4);
  EXPECT_TRUE(saw("psp.wptr"));
  device->referee().clear();
  write<regs::MP0_SMN_C2PMSG_67>(0x10000 / 4);
  EXPECT_TRUE(saw("psp.wptr"));
}

TEST_F(PspRing, FrameStuckInTheHdp) {
  ASSERT_EQ(create_ring(mc(kPspRing)), psp::kMailboxReady);
  psp::Command c{};
  c.cmd_id = psp::GFX_CMD_ID_LOAD_TOC;
  EXPECT_FALSE(submit(c, false));
  EXPECT_TRUE(saw("psp.frame"));
}

TEST_F(PspRing, WrapsAround) {
  ASSERT_EQ(create_ring(mc(kPspRing), 0x1000), psp::kMailboxReady);
  // 64 frames fill the ring; the pointer of frame 63 wraps to 0.
  psp::RingFrame f{};
  f.cmd_buf_addr_lo = lo32(mc(kCommand));
  f.cmd_buf_addr_hi = hi32(mc(kCommand));
  f.fence_addr_lo = lo32(mc(kFence));
  f.fence_addr_hi = hi32(mc(kFence));
  psp::Command c{};
  c.cmd_id = psp::GFX_CMD_ID_LOAD_TOC;
  c.cmd.load_toc = {lo32(mc(kBuffer)), hi32(mc(kBuffer)), static_cast<std::uint32_t>(toc().size())};
  put(kBuffer, toc());
  for (std::uint32_t i = 0; i < 70; ++i) {
    f.fence_value = 100 + i;
    put(kCommand, c);
    put(kPspRing + i % 64 * 64, f);
    hdp_flush();
    write<regs::MP0_SMN_C2PMSG_67>((i + 1) % 64 * 16);
    ASSERT_TRUE(eventually([&] { return get<std::uint32_t>(kFence) == f.fence_value; })) << i << said();
    EXPECT_EQ(get<psp::Command>(kCommand).resp.status, 0u);
  }
  EXPECT_TRUE(clean()) << said();
}

TEST_F(PspRing, UnknownCommand) {
  ASSERT_EQ(create_ring(mc(kPspRing)), psp::kMailboxReady);
  EXPECT_EQ(simple_command(0x99), psp::PSP_ERR_UNKNOWN_COMMAND);
  EXPECT_TRUE(saw("psp.unknown_command"));
}

TEST_F(PspRing, MailboxOfVirtualFunctions) {
  write<regs::MP0_SMN_C2PMSG_101>(psp::GFX_CTRL_CMD_ID_INIT_GPCOM_RING);
  EXPECT_TRUE(saw("psp.vf_mailbox"));
}

class PspCommands : public ::testing::Test, public Board {
 protected:
  void SetUp() override { ASSERT_TRUE(boot_to_ring()) << said(); }
  Bytes toc() { return sos_component(fw::PSP_FW_TYPE_PSP_TOC); }
};

TEST_F(PspCommands, FirmwareBeforeToc) {
  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_SMU, smu_firmware()), 0u);
  EXPECT_TRUE(saw("psp.order"));
}

TEST_F(PspCommands, ForeignToc) {
  EXPECT_NE(load_toc(sos_component(fw::PSP_FW_TYPE_PSP_KDB)), 0u);
  EXPECT_TRUE(saw("psp.firmware_content"));
}

TEST_F(PspCommands, TocOfNoLength) {
  EXPECT_NE(load_toc({}), 0u);
  EXPECT_TRUE(saw("psp.load_toc"));
}

TEST_F(PspCommands, TmrBeforeSmu) {
  ASSERT_EQ(load_toc(toc()), 0u);
  EXPECT_NE(setup_tmr(good_tmr()), 0u);
  EXPECT_TRUE(saw("psp.order"));
}

TEST_F(PspCommands, GraphicsFirmwareBeforeTmr) {
  ASSERT_EQ(load_toc(toc()), 0u);
  ASSERT_EQ(load_fw(psp::GFX_FW_TYPE_SMU, smu_firmware()), 0u);
  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_RLC_G, rlc_g()), 0u);
  EXPECT_TRUE(saw("psp.order"));
}

TEST_F(PspCommands, TmrParameters) {
  ASSERT_EQ(load_toc(toc()), 0u);
  ASSERT_EQ(load_fw(psp::GFX_FW_TYPE_SMU, smu_firmware()), 0u);
  ASSERT_TRUE(clean()) << said();
  const auto wrong = [&](auto change) {
    psp::SetupTmr t = good_tmr();
    change(t);
    const bool refused = setup_tmr(t) != 0 && saw("psp.tmr_parameters");
    device->referee().clear();
    return refused;
  };
  EXPECT_TRUE(wrong([](auto& t) { t.tmr_flags = 0; }));
  EXPECT_TRUE(wrong([](auto& t) { t.tmr_flags |= psp::kTmrSriovEnabled; }));
  EXPECT_TRUE(wrong([](auto& t) { t.buf_size -= 4096; }));
  EXPECT_TRUE(wrong([](auto& t) { t.buf_size = 0; }));
  EXPECT_TRUE(wrong([](auto& t) { t.buf_phy_addr_lo += 4096; }));
  EXPECT_TRUE(wrong([](auto& t) { t.system_phy_addr_lo += 0x100000; }));
  EXPECT_TRUE(wrong([&](auto& t) {
    t.buf_phy_addr_lo = lo32(kTmr);
    t.buf_phy_addr_hi = hi32(kTmr);
  }));
  EXPECT_EQ(setup_tmr(good_tmr()), 0u);
  EXPECT_NE(setup_tmr(good_tmr()), 0u) << "a second region";
  EXPECT_TRUE(saw("psp.tmr_exists"));
}

TEST_F(PspCommands, ApplicationRules) {
  const auto load = [&](std::uint64_t app, std::uint32_t bytes, std::uint64_t shared, std::uint32_t shared_bytes) {
    psp::Command c{};
    c.cmd_id = psp::GFX_CMD_ID_LOAD_TA;
    c.cmd.load_ta = {lo32(app), hi32(app), bytes, lo32(shared), hi32(shared), shared_bytes};
    return submit(c) ? c.resp.status : 0u;
  };
  EXPECT_NE(load(mc(kBuffer) + 16, 4096, 0, 0), 0u) << "not aligned";
  EXPECT_TRUE(saw("psp.ta_parameters"));
  device->referee().clear();
  EXPECT_NE(load(mc(kBuffer), 4096, mc(kTable), 100), 0u) << "a shared buffer that is not whole pages";
  EXPECT_TRUE(saw("psp.ta_parameters"));
  put(kBuffer, std::vector<std::byte>(4096, std::byte{7}));
  EXPECT_NE(load(mc(kBuffer), 4096, 0, 0x4000), 0u);
  EXPECT_TRUE(saw("psp.ta_content"));
  psp::Command c{};
  c.cmd_id = psp::GFX_CMD_ID_INVOKE_CMD;
  c.cmd.invoke_cmd = {.session_id = 3, .ta_cmd_id = 1};
  ASSERT_TRUE(submit(c));
  EXPECT_NE(c.resp.status, 0u);
  EXPECT_TRUE(saw("psp.ta_session"));
}

TEST_F(PspCommands, FirmwareRules) {
  ASSERT_EQ(load_toc(toc()), 0u);
  ASSERT_EQ(load_fw(psp::GFX_FW_TYPE_SMU, smu_firmware()), 0u);
  ASSERT_EQ(setup_tmr(good_tmr()), 0u);
  ASSERT_TRUE(clean()) << said();

  EXPECT_NE(load_fw(0x7777, rlc_g()), 0u);
  EXPECT_TRUE(saw("psp.firmware_type"));
  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_SDMA0, rlc_g()), 0u) << "gfx11 has no such image";
  device->referee().clear();

  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_RLC_P, rlc_g()), 0u);
  EXPECT_TRUE(saw("psp.firmware_content"));
  device->referee().clear();

  std::vector<std::byte> damaged_g(rlc_g().begin(), rlc_g().end());
  damaged_g[0x1234] ^= std::byte{4};
  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_RLC_G, damaged_g), 0u);
  EXPECT_TRUE(saw("psp.firmware_content"));
  device->referee().clear();

  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_RLC_G, rlc_g().first(0x6000)), 0u) << "a piece of it";
  EXPECT_TRUE(saw("psp.firmware_content"));
  device->referee().clear();

  EXPECT_EQ(load_fw(psp::GFX_FW_TYPE_RLC_G, rlc_g()), 0u);
  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_RLC_G, rlc_g()), 0u);
  EXPECT_TRUE(saw("psp.firmware_twice"));
}

TEST_F(PspCommands, FirmwareLargerThanAMegabyte) {
  ASSERT_EQ(load_toc(toc()), 0u);
  EXPECT_NE(load_fw(psp::GFX_FW_TYPE_SMU, std::vector<std::byte>(0x100004)), 0u);
  EXPECT_TRUE(saw("psp.firmware_size"));
}

TEST_F(PspCommands, AutoloadNeedsTheWholeSet) {
  ASSERT_EQ(load_toc(toc()), 0u);
  ASSERT_EQ(load_fw(psp::GFX_FW_TYPE_SMU, smu_firmware()), 0u);
  ASSERT_EQ(setup_tmr(good_tmr()), 0u);
  for (const auto& [type, content] : graphics_firmware()) ASSERT_EQ(load_fw(type, content), 0u) << type;
  EXPECT_NE(simple_command(psp::GFX_CMD_ID_AUTOLOAD_RLC), 0u);
  EXPECT_TRUE(saw("psp.autoload_incomplete"));
  device->referee().clear();
  ASSERT_EQ(load_fw(psp::GFX_FW_TYPE_RLC_G, rlc_g()), 0u);
  EXPECT_EQ(simple_command(psp::GFX_CMD_ID_AUTOLOAD_RLC), 0u);
  EXPECT_NE(simple_command(psp::GFX_CMD_ID_AUTOLOAD_RLC), 0u);
  EXPECT_TRUE(saw("psp.order"));
}

TEST_F(PspCommands, HostMayNotTouchTheTmr) {
  ASSERT_EQ(load_toc(toc()), 0u);
  ASSERT_EQ(load_fw(psp::GFX_FW_TYPE_SMU, smu_firmware()), 0u);
  ASSERT_EQ(setup_tmr(good_tmr()), 0u);
  EXPECT_EQ(get<std::uint64_t>(kTmr + 0x1000), ~0ull);
  EXPECT_TRUE(saw("hdp.tmr_access"));
}

TEST(PspFaults, EachStageCanFail) {
  for (const char* point : {"psp/never_ready", "psp/bootloader_hang", "psp/sos_dead", "psp/ring_control_hang",
                            "psp/command_hang", "psp/command_status"}) {
    Board b;
    b.patience = 100ms;
    b.failing = point;
    if (std::string_view(point) == "psp/never_ready") {
      ASSERT_TRUE(b.function->reset().ok());
    }
    bool ok = b.poll<regs::MP0_SMN_C2PMSG_33>(psp::kMailboxReady, psp::kMailboxReady);
    if (ok) {
      b.setup_mm_hub();
      ok = b.start_sos() && b.create_ring(b.mc(Board::kPspRing)) == psp::kMailboxReady &&
           b.load_toc(b.sos_component(fw::PSP_FW_TYPE_PSP_TOC)) == 0;
    }
    EXPECT_FALSE(ok) << point;
    EXPECT_TRUE(b.failed) << point;
    EXPECT_TRUE(b.clean()) << point << "\n" << b.said();
  }
}

}  // namespace
}  // namespace hcq::models::am::test
