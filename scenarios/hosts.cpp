#include "scenarios/hosts.hpp"

#include "models/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <system_error>

namespace ringsim::scenarios {
namespace {

constexpr std::int64_t longest_list = 1'000'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r'; }

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t value = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || !is_digit(text.front()) || failure != std::errc() || stop != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

bool is_host_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '-' || c == '_' || c == '.';
  });
}

// Digits count as numbers: node2 before node10. Equal numbers (node02, node2): as text.
bool natural_less(std::string_view a, std::string_view b) {
  const std::string_view whole_a = a;
  const std::string_view whole_b = b;
  while (!a.empty() && !b.empty()) {
    if (!is_digit(a.front()) || !is_digit(b.front())) {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
      continue;
    }
    const auto number = [](std::string_view& text) {
      std::size_t end = 0;
      while (end < text.size() && is_digit(text[end])) ++end;
      std::string_view digits = text.substr(0, end);
      text.remove_prefix(end);
      while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
      return digits;
    };
    const std::string_view x = number(a);
    const std::string_view y = number(b);
    if (x.size() != y.size()) return x.size() < y.size();
    if (x != y) return x < y;
  }
  if (a.empty() != b.empty()) return a.empty();
  return whole_a < whole_b;
}

void add(std::vector<Host>& hosts, std::map<std::string, std::string, std::less<>>& seen, Host host) {
  const auto [first, is_new] = seen.emplace(host.name, host.origin);
  if (!is_new) {
    throw Error(fmt::format("the host {} stands here a second time", host.name), host.origin,
                "one entry a host, with all its slots");
  }
  hosts.push_back(std::move(host));
}

Host host_of_line(std::string_view line, const std::string& origin) {
  const Error wrong(fmt::format("\"{}\" names no host", line), origin,
                    "node01, node01 slots=8, or node01:8; # starts a comment");
  const std::size_t end = std::min(line.find_first_of(" \t:"), line.size());
  Host host{std::string(line.substr(0, end)), 0, origin};
  if (!is_host_name(host.name)) throw wrong;
  std::string_view rest = line.substr(end);
  std::optional<std::int64_t> slots;
  if (rest.starts_with(':')) {
    slots = whole(trimmed(rest.substr(1)));
    if (!slots) throw wrong;
  } else {
    // Of Open MPI's words the number of slots is what counts here; max_slots is the same for us.
    while (!(rest = trimmed(rest)).empty()) {
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
      rest.remove_prefix(word.size());
      const std::size_t equals = word.find('=');
      const std::string_view key = word.substr(0, equals);
      if (equals == std::string_view::npos || (key != "slots" && key != "max_slots" && key != "max-slots")) throw wrong;
      const auto value = whole(word.substr(equals + 1));
      if (!value) throw wrong;
      if (key == "slots" || !slots) slots = value;
    }
  }
  if (slots && *slots < 1) throw Error(fmt::format("the host {} has no slot", host.name), origin, "leave it out");
  host.slots = slots.value_or(0);
  return host;
}

// "node[01-04,07]" without commas outside of brackets, into names.
void expand(std::string_view item, const Error& wrong, std::vector<std::string>& names) {
  const std::size_t open = item.find('[');
  if (open == std::string_view::npos) {
    if (!is_host_name(item)) throw wrong;
    names.emplace_back(item);
    return;
  }
  const std::size_t close = item.find(']', open);
  if (close == std::string_view::npos) throw wrong;
  const std::string head(item.substr(0, open));
  std::vector<std::string> tails;
  if (close + 1 == item.size()) {
    tails.emplace_back();
  } else {
    expand("x" + std::string(item.substr(close + 1)), wrong, tails);  // x: a tail alone need not be a name
    for (std::string& tail : tails) tail.erase(0, 1);
  }
  std::string_view list = item.substr(open + 1, close - open - 1);
  while (true) {
    const std::size_t comma = list.find(',');
    const std::string_view range = list.substr(0, comma);
    const std::size_t dash = range.find('-');
    const std::string_view low_text = range.substr(0, dash);
    const auto low = whole(low_text);
    const auto high = dash == std::string_view::npos ? low : whole(range.substr(dash + 1));
    if (!low || !high || *high < *low || *high - *low >= longest_list) throw wrong;
    for (std::int64_t i = *low; i <= *high; ++i) {
      for (const std::string& tail : tails) {
        names.push_back(fmt::format("{}{:0{}}{}", head, i, low_text.size(), tail));
        if (static_cast<std::int64_t>(names.size()) > longest_list) throw wrong;
      }
    }
    if (comma == std::string_view::npos) break;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<Host> parse_hostfile(std::string_view text, const std::string& file) {
  std::vector<Host> hosts;
  std::map<std::string, std::string, std::less<>> seen;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    line = trimmed(line.substr(0, line.find('#')));
    if (!line.empty()) add(hosts, seen, host_of_line(line, fmt::format("{}:{}", file, number)));
  }
  if (hosts.empty()) throw Error("the hostfile names no host", file, "a line a host: node01 slots=8");
  return hosts;
}

std::vector<Host> parse_node_list(std::string_view text, const std::string& origin) {
  const Error wrong(fmt::format("\"{}\" is no list of nodes", text), origin, "node[01-04,07],other1");
  std::vector<std::string> names;
  std::size_t begin = 0;
  bool inside = false;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    if (i < text.size() && (text[i] == '[' || text[i] == ']')) {
      if (inside == (text[i] == '[')) throw wrong;
      inside = !inside;
    }
    if (i == text.size() || (text[i] == ',' && !inside)) {
      expand(trimmed(text.substr(begin, i - begin)), wrong, names);
      begin = i + 1;
    }
  }
  if (inside) throw wrong;
  std::vector<Host> hosts;
  std::map<std::string, std::string, std::less<>> seen;
  for (std::string& name : names) add(hosts, seen, {std::move(name), 0, origin});
  return hosts;
}

std::vector<std::int64_t> gpus_of_ranks(const std::vector<Host>& hosts, std::int64_t nodes,
                                        std::int64_t gpus_per_node) {
  if (static_cast<std::int64_t>(hosts.size()) > nodes) {
    throw Error(fmt::format("{} hosts are named, but the cluster has {} nodes", hosts.size(), nodes),
                hosts[static_cast<std::size_t>(nodes)].origin, fmt::format("cluster: {{nodes: {}}}", hosts.size()));
  }
  std::vector<std::string_view> names;
  names.reserve(hosts.size());
  for (const Host& host : hosts) names.push_back(host.name);
  std::sort(names.begin(), names.end(), natural_less);
  std::vector<std::int64_t> gpus;
  for (const Host& host : hosts) {
    const std::int64_t slots = host.slots == 0 ? gpus_per_node : host.slots;
    if (slots > gpus_per_node) {
      throw Error(fmt::format("the host {} has {} slots, but a node has {} GPUs", host.name, slots, gpus_per_node),
                  host.origin, fmt::format("slots={}, or fewer", gpus_per_node));
    }
    const auto node = static_cast<std::int64_t>(std::lower_bound(names.begin(), names.end(), host.name, natural_less) -
                                                names.begin());
    for (std::int64_t slot = 0; slot < slots; ++slot) gpus.push_back(node * gpus_per_node + slot);
  }
  return gpus;
}

}  // namespace ringsim::scenarios
