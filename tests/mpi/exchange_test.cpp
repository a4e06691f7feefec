// Hops, what ranks tell each other, and the thread that advances transfers.
#include "kernels/host/mpi/exchange.hpp"

#include "kernels/host/mpi/progress_thread.hpp"
#include "tests/mpi/ranks.hpp"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <numeric>
#include <stdexcept>

namespace ringsim::host {
namespace {

// The first byte of a message says whose it is, and the others count on from there.
std::vector<std::byte> message(int rank, std::size_t size) {
  std::vector<std::byte> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>((static_cast<std::size_t>(rank) + i) % 251);
  return bytes;
}

TEST(Exchange, BringsTheMessagesOfTheRankBefore) {
  Exchange exchange(ranks());
  // Two messages at once: below and above what MPI sends without asking.
  for (const std::size_t size : {std::size_t{1}, std::size_t{1000}, std::size_t{100'000}, std::size_t{3'000'001}}) {
    const std::array sent = {message(ranks().rank(), size), message(ranks().rank() + 100, size + 5)};
    std::array received = {std::vector<std::byte>(size), std::vector<std::byte>(size + 5)};
    const std::array<std::span<const std::byte>, 2> outgoing = {sent[0], sent[1]};
    const std::array<std::span<std::byte>, 2> incoming = {received[0], received[1]};
    const double before = now_s();
    exchange.run(outgoing, incoming);
    EXPECT_EQ(received[0], message(ranks().previous(), size));
    EXPECT_EQ(received[1], message(ranks().previous() + 100, size + 5));
    EXPECT_LE(before, exchange.posted_s());
    EXPECT_LE(exchange.posted_s(), exchange.received_s());
    EXPECT_LE(exchange.received_s(), exchange.done_s());
    EXPECT_LE(exchange.done_s(), now_s());
  }
}

TEST(Exchange, IsDoneWhereNothingWasPosted) {
  Exchange exchange(ranks());
  EXPECT_TRUE(exchange.progress());
}

TEST(Communicator, Collects) {
  const int n = ranks().size();
  EXPECT_EQ(ranks().maximum(ranks().rank()), n - 1);
  EXPECT_EQ(ranks().sum(1), n);
  EXPECT_EQ(ranks().broadcast(10 + ranks().rank()), 10);
  // Rank r has r values.
  const std::vector<double> own(static_cast<std::size_t>(ranks().rank()), ranks().rank());
  const auto all = ranks().gather(own);
  ASSERT_EQ(all.size(), ranks().rank() == 0 ? static_cast<std::size_t>(n) : 0U);
  for (std::size_t r = 0; r < all.size(); ++r) EXPECT_EQ(all[r], std::vector<double>(r, static_cast<double>(r)));
}

TEST(Communicator, StartsTogether) {
  const double start = ranks().start_together();
  const double left = now_s();
  EXPECT_GE(left, start);
  // All have the same moment in mind: its maximum is its mean.
  EXPECT_EQ(ranks().maximum(start), ranks().broadcast(start));
}

TEST(ProgressThread, PollsUntilItIsFinished) {
  int polls = 0;
  ProgressThread thread([&polls] {
    return ++polls == 300 ? Poll::finished : polls % 2 == 0 ? Poll::idle : Poll::moved;
  });
  thread.join();
  EXPECT_EQ(polls, 300);
}

TEST(ProgressThread, HandsOnWhatWasThrown) {
  ProgressThread thread([]() -> Poll { throw std::runtime_error("lost"); });
  EXPECT_THROW(thread.join(), std::runtime_error);
  EXPECT_TRUE(thread.failed());
}

TEST(ProgressThread, StopsWhenNobodyWantsItAnyMore) {
  std::atomic<int> polls = 0;
  {
    const ProgressThread thread([&polls] {
      ++polls;
      return Poll::idle;
    });
    while (polls == 0) std::this_thread::yield();
  }
  const int last = polls;
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  EXPECT_EQ(polls, last);
}

}  // namespace
}  // namespace ringsim::host
