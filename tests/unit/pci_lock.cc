// SPDX-License-Identifier: MIT
#include "drivers/pci/lock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "tests/support/pci_fake_tree.h"

namespace hcq::pci::test {
namespace {

using ::testing::HasSubstr;

constexpr const char* kName = "0000:03:00.0";

// The real /proc with a lock directory of our own.
Host real_host(FakeTree& tree) {
  Host h = tree.host();
  h.proc = "/proc";
  return h;
}

// A process that holds the lock file open; `locked` says whether it also locks it.
class OtherProcess {
 public:
  OtherProcess(const std::string& path, bool locked) {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const int fd = ::open(path.c_str(), O_RDONLY | O_CREAT, 0666);
      if (fd < 0 || (locked && ::flock(fd, LOCK_EX | LOCK_NB) != 0)) ::_exit(1);
      (void)!::write(ready[1], "r", 1);
      for (;;) ::pause();
    }
    ::close(ready[1]);
    char c = 0;
    EXPECT_EQ(::read(ready[0], &c, 1), 1);
    ::close(ready[0]);
  }
  ~OtherProcess() { end(); }
  void end() {
    if (pid_ <= 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
};

TEST(PciLock, ExcludesASecondOwnerUntilReleased) {
  FakeTree tree;
  const Host host = real_host(tree);
  {
    const auto lock = DeviceLock::acquire(host, kName);
    ASSERT_TRUE(lock.ok()) << describe(lock.error());
    const auto second = DeviceLock::acquire(host, kName);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, Errc::busy);
    EXPECT_TRUE(DeviceLock::acquire(host, "0000:04:00.0").ok());
  }
  EXPECT_TRUE(DeviceLock::acquire(host, kName).ok());
}

TEST(PciLock, BusyNamesTheHoldersPidAndCommand) {
  FakeTree tree;
  const Host host = real_host(tree);
  OtherProcess other(lock_path(host, kName), true);
  const auto lock = DeviceLock::acquire(host, kName);
  ASSERT_FALSE(lock.ok());
  EXPECT_EQ(lock.error().code, Errc::busy);
  EXPECT_EQ(lock.error().device, kName);
  EXPECT_THAT(lock.error().detail, HasSubstr(fmt::format("pid {}", other.pid())));
  EXPECT_THAT(lock.error().detail, HasSubstr("pci_tests"));
  const auto holder = lock_holder(host, kName);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, other.pid());
  EXPECT_TRUE(holder->certain);
  other.end();
  EXPECT_FALSE(lock_holder(host, kName));
  EXPECT_TRUE(DeviceLock::acquire(host, kName).ok());
}

TEST(PciLock, AChildThatInheritedTheLockIsTheHolder) {
  FakeTree tree;
  const Host host = real_host(tree);
  std::optional<OtherProcess> child;
  {
    const auto lock = DeviceLock::acquire(host, kName);
    ASSERT_TRUE(lock.ok());
    child.emplace((tree.root() / "unrelated").string(), false);
  }
  const auto holder = lock_holder(host, kName);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, child->pid());
}

TEST(PciLock, OpeningTheFileIsNotHoldingTheLock) {
  FakeTree tree;
  const Host host = real_host(tree);
  OtherProcess opener(lock_path(host, kName), false);
  EXPECT_FALSE(lock_holder(host, kName));
  EXPECT_EQ(opener_of(host, lock_path(host, kName))->pid, opener.pid());
  EXPECT_TRUE(DeviceLock::acquire(host, kName).ok());
}

TEST(PciLock, AskingForTheHolderDoesNotTakeTheLock) {
  FakeTree tree;
  const Host host = real_host(tree);
  ASSERT_FALSE(lock_holder(host, kName));
  EXPECT_FALSE(fs::exists(lock_path(host, kName)));
  const auto lock = DeviceLock::acquire(host, kName);
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(lock_holder(host, kName)->pid, ::getpid());
}

TEST(PciLock, FallsBackToTheLockTable) {
  FakeTree tree;
  Host host = tree.host();  // an empty /proc: descriptors of other users cannot be seen
  OtherProcess other(lock_path(host, kName), true);
  struct stat st {};
  ASSERT_EQ(::stat(lock_path(host, kName).c_str(), &st), 0);
  const auto line = [&](int pid) {
    return fmt::format(
        "1: POSIX  ADVISORY  WRITE 1 00:15:1 0 EOF\n2: FLOCK  ADVISORY  WRITE {} {:02x}:{:02x}:{} 0 EOF\n", pid,
        ::major(st.st_dev), ::minor(st.st_dev), st.st_ino);
  };
  tree.file("proc/locks", line(4711));
  tree.file("proc/4711/cmdline", std::string("hcq-run\0matmul\0", 15));
  auto holder = lock_holder(host, kName);
  ASSERT_TRUE(holder);
  EXPECT_FALSE(holder->certain);
  EXPECT_THAT(describe(*holder), HasSubstr("pid 4711 (hcq-run matmul"));
  // A process of another pid namespace shows as pid 0.
  tree.file("proc/locks", line(0));
  holder = lock_holder(host, kName);
  ASSERT_TRUE(holder);
  EXPECT_EQ(holder->pid, 0);
  EXPECT_THAT(DeviceLock::acquire(host, kName).error().detail, HasSubstr("cannot be seen"));
}

TEST(PciLock, WorksOnAReadOnlyFileOfSomebodyElse) {
  FakeTree tree;
  const Host host = real_host(tree);
  tree.file("lock/hcq_0000:03:00.0.lock", "");
  fs::permissions(lock_path(host, kName), fs::perms::owner_read | fs::perms::others_read);
  if (::geteuid() == 0) {
    ASSERT_EQ(::chown(lock_path(host, kName).c_str(), 65534, 65534), 0);
  }
  EXPECT_TRUE(DeviceLock::acquire(host, kName).ok());
}

TEST(PciLock, NewFileIsOpenToAllWhateverTheUmask) {
  FakeTree tree;
  const Host host = real_host(tree);
  const mode_t before = ::umask(077);
  const auto lock = DeviceLock::acquire(host, kName);
  ::umask(before);
  ASSERT_TRUE(lock.ok());
  EXPECT_EQ(fs::status(lock->path()).permissions(), static_cast<fs::perms>(0666));
}

TEST(PciLock, MissingDirectoryAndLinksAreNotBusy) {
  FakeTree tree;
  Host host = real_host(tree);
  fs::create_symlink("/etc/passwd", lock_path(host, kName));
  EXPECT_EQ(DeviceLock::acquire(host, kName).error().code, Errc::io);
  fs::remove(lock_path(host, kName));
  fs::create_directory(lock_path(host, kName));
  EXPECT_EQ(DeviceLock::acquire(host, kName).error().code, Errc::refused);
  host.lock_directory += "/gone";
  EXPECT_EQ(DeviceLock::acquire(host, kName).error().code, Errc::not_found);
}

}  // namespace
}  // namespace hcq::pci::test
