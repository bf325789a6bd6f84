/** `memctl help offline`. */
export const OFFLINE_TEXT = `Offline

All 'memctl device' commands work without a network, always: the snapshot is a file on this
machine, and searching it needs nothing else. Only what is about a server asks one: export, import,
and store and search where --remote is given. 'memctl quickstart' shows it: it searches in a
process in which every use of the network throws.

Which snapshot: --snapshot FILE, else MEMCTL_SNAPSHOT, else the setting 'snapshot' (memctl.json
here or in a folder above, then the user's settings), else ./memctl.mem.jsonl, else the default
one in the data folder, which makes itself when something is first stored.

The search index is a cache in the cache folder, made by the first search and kept up by later
ones. It can be deleted at any time; the snapshot alone is what matters. Copy it, put it under
git, merge it with 'memctl device merge'.

A store that was acknowledged survives a crash and a power cut. Several processes may store into
one file at once. What cannot be kept: stores made while a program without our lock (an editor,
git) rewrites the file.
`
