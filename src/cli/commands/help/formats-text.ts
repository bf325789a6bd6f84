/** `memctl help formats`. */
export const FORMATS_TEXT = `Formats

Answers go to stdout, everything else to stderr.
  on a terminal   a table that fits its width; ids are shortened
  in a pipe       tab-separated values with full ids; a header line only with --header.
                  In a value a backslash, tab, line end or other control is written
                  \\\\ \\t \\n \\r \\uXXXX; what is no text is JSON; absent is empty
  --json          one document: an array for a list, an object for one; null where absent
  --jsonl         one value a line; for long work one event a line, the last {"event":"done",...}
  --fields a,b    only these fields, in this order. Of one thing a pipe gets them as one row too,
                  below their names with --header: --fields status is the status, nothing else
With --json or --jsonl a failure puts one line on stderr, and nothing on stdout but what holds all
the same: a report (verify, diff, doctor), an answer with warnings, a connection that was made but
needs a choice or a sync, and of several syncs those that began or ended, however they did:
  {"error":{"code","message","hint","exit_code","http_status","retryable","next"}}

Words
  a file name     - is stdin or stdout
  a time          2026-01-31, 2026-01-31T18:30:00Z, 2026-01-31T18:30+02:00 (no zone means UTC),
                  or a duration back from now: 2h, 3d ago
  a duration      500ms 30s 10m 2h 3d 1w
  an id           may be cut to its first 6 characters or more, while one memory begins so

Snapshots are JSON Lines, one memory a line, by convention NAME.mem.jsonl. The form of one JSON
object is read as well, and written with --format json. The package describes the format in
src/snapshot/FORMAT.md.

A batch for 'device store --batch' is JSON Lines, the lines of a conversation in their order:
  {"raw_text":"...","metadata":{...},"at":"...","speaker":"...","conversation":"...","position":1}
Only raw_text must be there.

Queries for 'device search --queries' are lines {"id":"q1","query":"..."}; answers are lines
{"id":"q1","response":{...}}.
`
