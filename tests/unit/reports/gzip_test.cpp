// What is compressed comes back as it was, and the same text gives the same bytes whenever it is written.

#include "reports/gzip.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <sstream>
#include <string>

namespace ringsim::reports {
namespace {

std::string compressed(const std::string& text, std::size_t piece) {
  std::ostringstream out;
  GzipStream stream(out);
  for (std::size_t at = 0; at < text.size(); at += piece) stream << text.substr(at, piece);
  stream.finish();
  EXPECT_TRUE(stream.good());
  return out.str();
}

std::string restored(std::string file) {
  std::string text(1 << 22, '\0');
  z_stream inflater{};
  EXPECT_EQ(inflateInit2(&inflater, 15 + 16), Z_OK);
  inflater.next_in = reinterpret_cast<Bytef*>(file.data());
  inflater.avail_in = static_cast<uInt>(file.size());
  inflater.next_out = reinterpret_cast<Bytef*>(text.data());
  inflater.avail_out = static_cast<uInt>(text.size());
  EXPECT_EQ(inflate(&inflater, Z_FINISH), Z_STREAM_END) << "not whole, or its checksum is another";
  text.resize(inflater.total_out);
  EXPECT_EQ(inflater.avail_in, 0U) << "nothing behind the end";
  inflateEnd(&inflater);
  return text;
}

TEST(Gzip, GivesBackWhatWasWritten) {
  // Many buffers long, in pieces that end within one; and nothing at all.
  std::string text;
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i * 7919 % 10007) + ",";
  const std::string file = compressed(text, 12345);
  EXPECT_LT(file.size(), text.size() / 2);
  EXPECT_EQ(restored(file), text);
  EXPECT_EQ(restored(compressed("", 1)), "");
}

TEST(Gzip, HasNoTimeInIt) {
  // RFC 1952: two bytes of magic, method 8, no flags (no name), and four bytes of time that are 0: not known.
  const std::string file = compressed("the same", 3);
  EXPECT_EQ(file.substr(0, 8), std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00", 8));
  EXPECT_EQ(file, compressed("the same", 3));
}

TEST(Gzip, AFullDiskIsNoticed) {
  std::ostringstream full;
  full.setstate(std::ios::badbit);
  GzipStream stream(full);
  stream << std::string(1 << 20, 'x');
  stream.finish();
  EXPECT_FALSE(stream.good());
}

}  // namespace
}  // namespace ringsim::reports
