#pragma once
// A stream whose text arrives compressed in another stream, as a file of gzip's (RFC 1952). The same text gives the same bytes: no time
// stamp and no file name are in it.

#include <memory>
#include <ostream>

namespace ringsim::reports {

class GzipStream final : public std::ostream {
 public:
  explicit GzipStream(std::ostream& compressed);
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;
  GzipStream(GzipStream&&) = delete;
  GzipStream& operator=(GzipStream&&) = delete;
  ~GzipStream() override;
  /// Writes what is left and the end of the file; nothing may be written afterwards. Errors of the stream below are in its own state.
  void finish();

 private:
  class Buffer;
  std::unique_ptr<Buffer> buffer_;
};

}  // namespace ringsim::reports
