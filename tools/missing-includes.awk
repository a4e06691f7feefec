# awk -f tools/missing-includes.awk FILES...   from the top of the repository; FILES are all sources and headers
# Prints "file:line: NAME needs HEADER" for each use of a name whose header is neither included nor reached through headers
# of ours. Compiled in batches such a source may get by on an include of its neighbour; on its own it need not compile.
#
# Names: types of ours that one header alone defines, and those of the libraries listed below. A source that declares the
# type itself needs no header. Functions of ours are not looked at, too many local names are theirs as well; nor are types
# that share their name with a member of another. The compiler, source by source (./dev build dev), sees all.

function needs(header, names,   list, count, i) {
  count = split(names, list, " ")
  for (i = 1; i <= count; i++) library[list[i]] = header
}

BEGIN {
  needs("<vector>", "std::vector")
  needs("<string>", "std::string std::to_string std::getline")
  needs("<string_view>", "std::string_view")
  needs("<optional>", "std::optional std::nullopt")
  needs("<map>", "std::map std::multimap")
  needs("<set>", "std::set std::multiset")
  needs("<array>", "std::array")
  needs("<deque>", "std::deque")
  needs("<queue>", "std::queue std::priority_queue")
  needs("<unordered_map>", "std::unordered_map")
  needs("<unordered_set>", "std::unordered_set")
  needs("<span>", "std::span")
  needs("<variant>", "std::variant std::visit std::get_if std::holds_alternative std::monostate")
  needs("<tuple>", "std::tuple std::tie")
  needs("<functional>", "std::function std::reference_wrapper")
  needs("<memory>", "std::unique_ptr std::shared_ptr std::make_unique std::make_shared")
  needs("<algorithm>", "std::sort std::stable_sort std::find std::find_if std::any_of std::all_of std::none_of std::count_if " \
    "std::max_element std::min_element std::minmax_element std::transform std::clamp std::lower_bound std::upper_bound " \
    "std::nth_element std::reverse std::unique std::rotate std::is_sorted std::copy_if std::replace")
  needs("<numeric>", "std::accumulate std::iota std::gcd std::lcm std::partial_sum std::reduce")
  needs("<limits>", "std::numeric_limits")
  needs("<cmath>", "std::sqrt std::pow std::exp std::log std::log2 std::log10 std::floor std::ceil std::round std::llround " \
    "std::lround std::isfinite std::isnan std::isinf std::hypot std::fma std::fmod std::cos std::sin std::erf std::nextafter")
  needs("<sstream>", "std::ostringstream std::istringstream std::stringstream")
  needs("<fstream>", "std::ifstream std::ofstream std::fstream")
  needs("<iostream>", "std::cout std::cerr std::cin")
  needs("<filesystem>", "std::filesystem")
  needs("<chrono>", "std::chrono")
  needs("<thread>", "std::thread std::this_thread std::jthread")
  needs("<mutex>", "std::mutex std::lock_guard std::unique_lock std::scoped_lock")
  needs("<atomic>", "std::atomic")
  needs("<random>", "std::mt19937 std::mt19937_64 std::uniform_int_distribution std::uniform_real_distribution")
  needs("<numbers>", "std::numbers")
  needs("<charconv>", "std::from_chars std::to_chars")
  needs("<bit>", "std::bit_cast std::popcount std::countr_zero std::bit_width std::bit_ceil")
  needs("<cstring>", "std::memcpy std::memset std::strcmp std::strerror")
  needs("<regex>", "std::regex")
  needs("<fmt/format.h>", "fmt::format fmt::format_to fmt::join")
  needs("<nlohmann/json", "nlohmann::json nlohmann::ordered_json")
  needs("<CLI/CLI.hpp>", "CLI::App")
  needs("<gmock/gmock.h>", "EXPECT_THAT ASSERT_THAT")
}

# Without comments and texts. A raw string may go on over lines: raw_end is what ends it.
function code_of(line,   at, rest) {
  if (raw_end != "") {
    at = index(line, raw_end)
    if (!at) return ""
    line = substr(line, at + length(raw_end))
    raw_end = ""
  }
  while (match(line, /R"[a-z]*\(/)) {
    raw_end = ")" substr(line, RSTART + 2, RLENGTH - 3) "\""
    rest = substr(line, RSTART + RLENGTH)
    line = substr(line, 1, RSTART - 1) "0"
    at = index(rest, raw_end)
    if (!at) break
    line = line substr(rest, at + length(raw_end))
    raw_end = ""
  }
  gsub(/\\./, "", line)
  gsub(/'"'/, "0", line)
  gsub(/"[^"]*"/, "0", line)
  sub(/\/\/.*/, "", line)
  return line
}

function used(name) {
  if (!((FILENAME, name) in first_use)) first_use[FILENAME, name] = FNR
}

FNR == 1 {
  raw_end = ""
  file_at[++files] = FILENAME
}

raw_end == "" && /^[ \t]*#[ \t]*include[ \t]*["<]/ {
  name = $0
  sub(/^[^"<]*/, "", name)
  sub(/[">][^">]*$/, "", name)
  include[FILENAME, ++includes[FILENAME]] = name ~ /^</ ? name ">" : substr(name, 2)
  next
}

{
  line = code_of($0)
  # A name that a type's member or a template's parameter bears somewhere may be that one anywhere.
  rest = line
  while (match(rest, /(struct|class|enum|using|typename) +[A-Z][A-Za-z0-9]+/)) {
    at = RSTART
    name = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    sub(/.* /, "", name)
    declares[FILENAME, name] = 1
    if (line ~ /^ / && FILENAME ~ /\.hpp$/) member[name] = 1
    else if (at == 1 && rest !~ /^;/ || line ~ /^(template <.*> |enum )/) defined_at[name] = defined_at[name] FILENAME " "
  }
  sub(/^[A-Z_]+\([A-Za-z]*, *[A-Za-z]*/, "", line)  # TEST(Suite, Name)
  while (match(line, /[A-Za-z_][A-Za-z_0-9]*(::[A-Za-z_][A-Za-z_0-9]*)*/)) {
    name = substr(line, RSTART, RLENGTH)
    line = substr(line, RSTART + RLENGTH)
    if (name in library) used(name)
    count = split(name, part, "::")
    if (part[1] "::" part[2] in library) used(part[1] "::" part[2])
    if (name ~ /^(std|fmt|nlohmann|CLI|testing|rc|benchmark)::|s4u::/) continue
    # What follows a type is its member.
    for (i = 1; i <= count; i++) {
      if (part[i] ~ /^[A-Z]/) {
        used(part[i])
        break
      }
    }
  }
}

function reach(of, file,   i, header) {
  for (i = 1; i <= includes[file]; i++) {
    header = include[file, i]
    if ((of, header) in reached) continue
    reached[of, header] = 1
    if (header ~ /^<nlohmann\/json/) reached[of, "<nlohmann/json"] = 1
    if (header !~ /^</) reach(of, header)
  }
}

END {
  for (f = 1; f <= files; f++) reach(file_at[f], file_at[f])
  for (use in first_use) {
    split(use, part, SUBSEP)
    file = part[1]
    name = part[2]
    header = ""
    if (name in library) header = library[name]
    else if (name in defined_at && !(name in member)) {
      # Defined once, in a header.
      if (split(defined_at[name], place, " ") == 1 && place[1] ~ /\.(hpp|h|cuh)$/ && !((file, name) in declares) &&
          place[1] != file) header = place[1]
    }
    if (header == "" || (file, header) in reached) continue
    print file ":" first_use[use] ": " name " needs " header
    failed = 1
  }
  exit failed
}
