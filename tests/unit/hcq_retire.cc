// SPDX-License-Identifier: MIT
// The list of storage that waits for the timeline.
#include <gtest/gtest.h>

#include "hcq/retire.h"

namespace hcq {
namespace {

struct Probe {
  explicit Probe(int* count) : count(count) { ++*count; }
  ~Probe() { --*count; }
  int* count;
};

TEST(RetireList, FreesWhatTheTimelineHasPassed) {
  int alive = 0;
  RetireList list;
  list.add(std::make_shared<Probe>(&alive), 3);
  list.add(std::make_shared<Probe>(&alive), 5);
  list.collect(7, 2);
  EXPECT_EQ(alive, 2);
  list.collect(7, 3);
  EXPECT_EQ(alive, 1);
  list.collect(7, 5);
  EXPECT_EQ(alive, 0);
}

TEST(RetireList, NothingSubmittedMeansFreeAtOnce) {
  int alive = 0;
  RetireList list;
  list.add(std::make_shared<Probe>(&alive), 0);
  list.collect(0, 0);
  EXPECT_EQ(alive, 0);
}

// Dropped between recording and submit: the submission that names it has no timeline value yet.
TEST(RetireList, KeepsWhatAnOpenRecordingMayName) {
  int alive = 0;
  RetireList list;
  list.begin_recording(1);
  list.add(std::make_shared<Probe>(&alive), 4);
  list.collect(4, 4);
  EXPECT_EQ(alive, 1);
  list.end_recording(1);  // submitted as 6; 5 was the other queue's
  list.collect(6, 5);
  EXPECT_EQ(alive, 1);
  list.collect(8, 5);  // later submissions do not prolong it
  EXPECT_EQ(alive, 1);
  list.collect(8, 6);
  EXPECT_EQ(alive, 0);
}

TEST(RetireList, ALaterRecordingDoesNotHoldIt) {
  int alive = 0;
  RetireList list;
  list.begin_recording(0);
  list.add(std::make_shared<Probe>(&alive), 1);
  list.end_recording(0);
  list.begin_recording(0);
  list.collect(2, 2);
  EXPECT_EQ(alive, 0);
}

TEST(RetireList, DestructorsMayComeBack) {
  int alive = 0;
  RetireList list;
  auto inner = std::make_shared<Probe>(&alive);
  list.add(std::shared_ptr<void>(inner.get(), [&list, inner](void*) mutable { list.add(std::move(inner), 9); }), 1);
  inner.reset();
  list.collect(1, 1);
  EXPECT_EQ(list.size(), 1u);
  list.collect(9, 9);
  EXPECT_EQ(alive, 0);
}

}  // namespace
}  // namespace hcq
