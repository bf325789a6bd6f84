import type { HelpBlock } from '../../output/draw-help.ts'

/** Printed by `memctl connect --help` below the examples. */
export const CONNECT_TEXT: readonly HelpBlock[] = [
  { heading: 'How an account is linked' },
  {
    rows: [
      [
        '1',
        'The server returns the address of the consent page. connect prints it on stderr, on a line of its own. In an interactive ' +
          'session it also opens your browser, unless you give --no-browser.'
      ],
      [
        '2',
        'You choose an account in the browser and approve. The server stores the grant encrypted; memctl never receives a password or ' +
          'token.'
      ],
      [
        '3',
        'A mailbox or notes workspace starts to sync at once. For a drive or chat you first choose what to sync. In an interactive ' +
          "session connect shows the folders or channels, unless you give --no-pick. 'memctl connections config ID' changes the " +
          'selection later.'
      ]
    ]
  },
  { heading: 'Keys in the picker' },
  {
    rows: [
      ['letters', 'filter by name; case, accents, hyphens and spaces are ignored'],
      ['Space', 'select or deselect; the counter shows the limit'],
      ['Right, Left', 'open or close a folder, whose contents load when it opens'],
      ['Up, Down', 'move by one line'],
      ['PgUp, PgDn', 'move by one page'],
      ['Home, End', 'move to the first or last line'],
      ['Ctrl-U', 'clear the filter'],
      ['Enter', 'show the changes, and confirm before everything is synced again'],
      ['Esc', 'leave without changes']
    ]
  },
  {
    text:
      "Ctrl-C stops waiting and cancels nothing: you can still approve, and 'memctl connect PROVIDER --resume STATE' continues to wait. " +
      'A consent request expires after 10 minutes.'
  },
  { heading: 'Over ssh' },
  {
    text:
      'Your browser must be able to reach the server. If the server listens on the loopback address of the remote machine, connect ' +
      'prints the command that creates a tunnel:'
  },
  { commands: ['ssh -L 8787:127.0.0.1:8787 HOST'] },
  {
    text:
      'Without a tunnel, approve anyway. The browser ends at an address that does not load. Paste this address while connect waits, or ' +
      "pass it to 'memctl connect PROVIDER --callback-url URL'. It is sent only to the server of this command, whatever host it names."
  },
  { text: "For scripts, see 'memctl help ci'. For sandbox accounts, see 'memctl help sandbox'." }
]
