#include "kernels/host/mpi/exchange.hpp"

#include <algorithm>

namespace ringsim::host {
namespace {

// MPI counts in int: longer messages go in pieces, which arrive in order.
constexpr std::size_t piece_bytes = std::size_t{1} << 30U;

// Calls start(bytes, tag) for the pieces of all messages.
template <class Byte, class Start>
void for_each_piece(std::span<const std::span<Byte>> messages, const Start& start) {
  int tag = 0;
  for (const std::span<Byte>& message : messages) {
    for (std::size_t first = 0; first < message.size(); first += piece_bytes) {
      start(message.subspan(first, std::min(piece_bytes, message.size() - first)), tag++);
    }
  }
}

bool all_done(std::vector<MPI_Request>& requests) {
  int done = 0;
  check_mpi(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE), "MPI_Testall");
  return done != 0;
}

}  // namespace

Exchange::Exchange(const Communicator& ranks) : next_(ranks.next()), previous_(ranks.previous()) {
  check_mpi(MPI_Comm_dup(ranks.handle(), &ranks_), "MPI_Comm_dup");
  check_mpi(MPI_Comm_set_errhandler(ranks_, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
}

Exchange::~Exchange() { MPI_Comm_free(&ranks_); }

void Exchange::post(std::span<const std::span<const std::byte>> outgoing,
                    std::span<const std::span<std::byte>> incoming) {
  posted_s_ = now_s();
  receives_.clear();
  sends_.clear();
  for_each_piece(incoming, [this](std::span<std::byte> piece, int tag) {
    check_mpi(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, previous_, tag, ranks_,
                        &receives_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Irecv");
  });
  for_each_piece(outgoing, [this](std::span<const std::byte> piece, int tag) {
    check_mpi(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, next_, tag, ranks_,
                        &sends_.emplace_back(MPI_REQUEST_NULL)),
              "MPI_Isend");
  });
  receiving_ = true;
  sending_ = true;
}

bool Exchange::progress() {
  if (receiving_ && all_done(receives_)) {
    receiving_ = false;
    received_s_ = now_s();
    if (!sending_) done_s_ = received_s_;
  }
  if (sending_ && all_done(sends_)) {
    sending_ = false;
    if (!receiving_) done_s_ = now_s();
  }
  return !receiving_ && !sending_;
}

void Exchange::run(std::span<const std::span<const std::byte>> outgoing,
                   std::span<const std::span<std::byte>> incoming) {
  post(outgoing, incoming);
  while (!progress()) {
  }
}

}  // namespace ringsim::host
