#include "reports/gzip.hpp"

#include <zlib.h>

#include <array>
#include <ios>
#include <stdexcept>
#include <streambuf>

namespace ringsim::reports {
namespace {

constexpr int level = 6;  // fixed, as all else that decides which bytes come out
constexpr int gzip_frame =
    15 + 16;  // the largest window, and gzip's header and trailer, of which zlib leaves the time 0
constexpr int memory = 8;
constexpr std::size_t chunk = 1 << 15;

}  // namespace

class GzipStream::Buffer final : public std::streambuf {
 public:
  explicit Buffer(std::ostream& out) : out_(out) {
    if (deflateInit2(&deflate_, level, Z_DEFLATED, gzip_frame, memory, Z_DEFAULT_STRATEGY) != Z_OK) {
      throw std::runtime_error("zlib cannot begin to compress");
    }
    setp(text_.data(), text_.data() + text_.size());
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  Buffer(Buffer&&) = delete;
  Buffer& operator=(Buffer&&) = delete;
  ~Buffer() override { deflateEnd(&deflate_); }

  bool compress(int how) {
    deflate_.next_in = reinterpret_cast<Bytef*>(pbase());
    deflate_.avail_in = static_cast<uInt>(pptr() - pbase());
    do {
      deflate_.next_out = bytes_.data();
      deflate_.avail_out = static_cast<uInt>(bytes_.size());
      if (deflate(&deflate_, how) == Z_STREAM_ERROR) throw std::logic_error("zlib: the stream has ended");
      const auto made = static_cast<std::streamsize>(bytes_.size() - deflate_.avail_out);
      out_.write(reinterpret_cast<const char*>(bytes_.data()), made);
    } while (deflate_.avail_out == 0);
    setp(text_.data(), text_.data() + text_.size());
    return out_.good();
  }

 protected:
  int_type overflow(int_type next) override {
    if (!compress(Z_NO_FLUSH)) return traits_type::eof();
    if (!traits_type::eq_int_type(next, traits_type::eof())) sputc(traits_type::to_char_type(next));
    return traits_type::not_eof(next);
  }

 private:
  std::ostream& out_;
  z_stream deflate_{};
  std::array<char, chunk> text_{};
  std::array<Bytef, chunk> bytes_{};
};

GzipStream::GzipStream(std::ostream& compressed)
    : std::ostream(nullptr), buffer_(std::make_unique<Buffer>(compressed)) {
  rdbuf(buffer_.get());
}

GzipStream::~GzipStream() = default;

void GzipStream::finish() {
  if (!buffer_->compress(Z_FINISH)) setstate(std::ios::badbit);
}

}  // namespace ringsim::reports
