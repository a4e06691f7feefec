# awk -v root=DIRECTORY -v most=LINES -f batches.awk FILES...
# Sorts sources into batches that are compiled as one text each, and prints "batch file" for every source that is in one.
#
# What a source keeps to itself (its anonymous namespaces, using-declarations, aliases) the rest of its batch sees too. So
# a source joins the first batch with room where none of its own names means anything else, be it in another source or in
# a header that only another source includes; nor where a type that it mentions could be another header's of that name. A new
# source or a new name moves to where it fits, and nobody need rename.
# Names are read off the text, which clang-format lays out: what a namespace holds begins in the first column.
# A source with a using-directive or a macro of its own is in no batch. Not seen: names that a source brings in through
# the headers of a library, and overloads that win silently; the former do not compile, and then renaming helps.

function strip_brackets(text,   before) {
  do { before = text; gsub(/<[^<>]*>/, "", text) } while (text != before)
  return text
}

# The name that a line in the first column declares, "" for none; `alias` says whether the line itself is all there is to it.
function name_of(line) {
  alias = 0
  sub(/[ \t]*\/\/.*/, "", line)
  line = strip_brackets(line)
  gsub(/\[\[[a-z_]*\]\] */, "", line)
  sub(/^template */, "", line)
  if (line ~ /^(namespace [A-Za-z_0-9]+ =|using )/) {
    alias = 1
    if (line ~ /=/) sub(/ *=.*/, "", line)
    else sub(/;.*/, "", line)
    sub(/.*[ :]/, "", line)
    return line
  }
  if (line ~ /^(namespace|static_assert|extern|friend|public|private|protected)/) return ""
  if (line ~ /^(struct|class|union|enum)/) {
    sub(/^(struct|class|union|enum class|enum struct|enum) */, "", line)
    sub(/[^A-Za-z_0-9:].*/, "", line)
  } else {
    if (line ~ /operator/) return ""
    sub(/[[({=;].*/, "", line)
    sub(/ *$/, "", line)
    if (line !~ /[ &*>]/) return ""  # a macro, or the rest of something
    sub(/.*[ &*>]/, "", line)
  }
  return line ~ /::/ || line !~ /^[A-Za-z_][A-Za-z_0-9]*$/ ? "" : line
}

# Reads FILE: own[file, name] for what it keeps to itself, open[file, name] for what others may see, by name and how many.
function read(file,   line, anonymous, name, target) {
  anonymous = 0
  while ((getline line < (root "/" file)) > 0) {
    lines[file]++
    if (line ~ /^#[ \t]*include "/) {
      split(line, target, "\"")
      include[file, ++includes[file]] = target[2]
    } else if (line ~ /^(using namespace|#[ \t]*define)/) alone[file] = 1
    else if (line == "namespace {") anonymous = 1
    else if (line ~ /^}  \/\/ namespace$/) anonymous = 0
    else if (line ~ /^[A-Za-z_[]/) {
      name = name_of(line)
      if (name == "") continue
      if (anonymous || alias) {
        own_name[file, ++own_count[file]] = name
        own_text[file, own_count[file]] = alias ? line : file
      } else {
        open_name[file, ++open_count[file]] = name
        if (line ~ /^(struct|class|enum) .*[^;]$/) type_header[name, ++type_headers[name]] = file
      }
    }
  }
  close(root "/" file)
  known[file] = 1
}

# Adds FILE's headers, and those that they include, to headers[of, ...].
function reach(of, file,   i, header) {
  for (i = 1; i <= includes[file]; i++) {
    header = include[file, i]
    if ((of, header) in reached) continue
    reached[of, header] = 1
    header_of[of, ++headers[of]] = header
    if (!(header in known)) read(header)
    reach(of, header)
  }
}

# Which types of several headers FILE mentions.
function find_mentions(file,   line, t) {
  while ((getline line < (root "/" file)) > 0)
    for (t = 1; t <= twins; t++) if (index(line, twin[t])) mentions[file, twin[t]] = 1
  close(root "/" file)
}

# Whether a type would mean another one to FILE or to its batch.
function types_clash(file, batch,   t, i, name, header) {
  for (t = 1; t <= twins; t++) {
    name = twin[t]
    for (i = 1; i <= type_headers[name]; i++) {
      header = type_header[name, i]
      if ((file, header) in reached) {
        if ((batch, name, header) in unaware) return 1
      } else if ((file, name) in mentions && (batch, header) in seen) return 1
    }
  }
  return 0
}

# Whether what FILE keeps to itself means something else in BATCH, or the other way round.
function clashes(file, batch,   i, j, name, header) {
  for (i = 1; i <= own_count[file]; i++) {
    name = own_name[file, i]
    if ((batch, name) in kept && kept[batch, name] != own_text[file, i]) return 1
    if ((batch, name) in shown) return 1
    for (j = 1; j <= shown_headers[batch, name]; j++)
      if (!((file, shown_header[batch, name, j]) in reached)) return 1
  }
  for (i = 1; i <= open_count[file]; i++) if ((batch, open_name[file, i]) in kept) return 1
  for (i = 1; i <= headers[file]; i++) {
    header = header_of[file, i]
    for (j = 1; j <= open_count[header]; j++) {
      name = open_name[header, j]
      if ((batch, name) in kept && !((batch, name, header) in keeper_reaches)) return 1
    }
  }
  return 0
}

function join(file, batch,   i, j, name, header) {
  filled[batch] += lines[file]
  for (i = 1; i <= own_count[file]; i++) {
    name = own_name[file, i]
    kept[batch, name] = own_text[file, i]
    for (j = 1; j <= headers[file]; j++) keeper_reaches[batch, name, header_of[file, j]] = 1
  }
  for (i = 1; i <= open_count[file]; i++) shown[batch, open_name[file, i]] = 1
  for (i = 1; i <= headers[file]; i++) {
    header = header_of[file, i]
    if ((batch, header) in seen) continue
    seen[batch, header] = 1
    for (j = 1; j <= open_count[header]; j++) {
      name = open_name[header, j]
      shown_header[batch, name, ++shown_headers[batch, name]] = header
    }
  }
  for (i = 1; i <= twins; i++) {
    name = twin[i]
    if (!((file, name) in mentions)) continue
    for (j = 1; j <= type_headers[name]; j++)
      if (!((file, type_header[name, j]) in reached)) unaware[batch, name, type_header[name, j]] = 1
  }
  print batch, file
}

BEGIN {
  for (a = 1; a < ARGC; a++) {
    read(ARGV[a])
    reach(ARGV[a], ARGV[a])
  }
  for (name in type_headers) if (type_headers[name] > 1) twin[++twins] = name
  for (a = 1; a < ARGC; a++) {
    find_mentions(ARGV[a])
    if (ARGV[a] in alone) continue
    for (b = 1; b <= batches; b++)
      if (filled[b] + lines[ARGV[a]] <= most && !clashes(ARGV[a], b) && !types_clash(ARGV[a], b)) break
    if (b > batches) batches = b
    join(ARGV[a], b)
  }
}
