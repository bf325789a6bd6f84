import type { HelpBlock } from '../../output/draw-help.ts'

/** `memctl help formats`. */
export const FORMATS_TEXT: readonly HelpBlock[] = [
  { heading: 'Formats' },
  { text: 'Output goes to stdout, everything else to stderr. The format of the output depends on its reader:' },
  {
    rows: [
      ['terminal', 'a table that fits the width, with shortened ids'],
      [
        'pipe',
        'tab-separated values with full ids, and column names only with --header. A backslash, tab, line end or other control ' +
          'character in a value is written as \\\\ \\t \\n \\r \\uXXXX. Values other than text are JSON; absent values are empty'
      ],
      ['--json', 'one document: an array for a list, an object for a single result; absent values are null'],
      ['--jsonl', 'one value per line; for long operations one event per line, the last of which has "event": "done"'],
      [
        '--fields a,b',
        'only these fields, in this order. In a pipe a single result becomes one row of values, so --fields status prints the status ' +
          'alone'
      ]
    ]
  },
  {
    text:
      'With --json or --jsonl, a failure prints one line of JSON on stderr. Its member "error" has the members code, message, hint, ' +
      'exit_code, http_status, retryable and next. Some failures print a result on stdout too: a report (verify, diff, doctor), a ' +
      'result with warnings, a connection that still needs a selection or a sync, and the syncs that started or ended.'
  },
  { heading: 'Values' },
  {
    rows: [
      ['file name', '- means stdin or stdout'],
      [
        'time',
        '2026-01-31, 2026-01-31T18:30:00Z or 2026-01-31T18:30+02:00 (UTC without a zone), or a time before now: 2h, 3d ago'
      ],
      ['duration', '500ms, 30s, 10m, 2h, 3d or 1w'],
      [
        'id',
        'the id of a connection, collection, key or run can be shortened to its end, and that of a memory to its beginning, of at ' +
          'least 6 characters, if it is unique. A name that is unique is accepted instead: of a collection or key, or the provider or ' +
          'account of a connection'
      ]
    ]
  },
  { heading: 'Files' },
  {
    rows: [
      [
        'snapshot',
        'JSON Lines with one memory per line, by convention NAME.mem.jsonl. A snapshot in one JSON object can be read too, and is ' +
          'written with --format json. src/snapshot/FORMAT.md in the package specifies the format'
      ],
      [
        'batch',
        "input of 'memctl device store --batch': JSON Lines, with the turns of a conversation in order. raw_text is required; metadata, " +
          'at, speaker, conversation, position, given and supersedes are optional. given has facts that came with the text, ' +
          'such as {"subject":"Ann","predicate":"lives in","value":"Lisbon"}, with valid_from and valid_to if known. supersedes ' +
          'has the ids of the memories that the line corrects'
      ],
      [
        'queries',
        'input of \'memctl device search --queries\': lines such as {"id":"q1","query":"..."}. The output has lines such as ' +
          '{"id":"q1","response":{...}}'
      ]
    ]
  }
]
