import type { HelpBlock } from '../../output/draw-help.ts'

/** Printed by `memctl server --help` below the list of commands. */
export const SERVER_TEXT: readonly HelpBlock[] = [
  {
    text:
      "'memctl server start' runs a complete service on this machine without configuration: embedded storage in the data folder, an " +
      "admin key that the other commands find, and a collection named default. The 'memctl device' commands need no server."
  },
  {
    rows: [
      ['memctl server start --detach', 'run in the background and log to server.log in the data folder'],
      ['memctl server status', 'show whether the server is running and ready, and its configuration'],
      ['memctl server logs --follow', 'print log lines as they are written'],
      ['memctl server stop', 'finish the requests in flight, then stop'],
      ['memctl server check', 'verify the database; --repair needs the server to be stopped']
    ]
  },
  {
    text:
      "Ctrl-C stops a server in the foreground in the same way, with exit code 0. 'memctl server stop' succeeds if no server is " +
      "running. 'memctl server status' exits with 3 if no server is running, and with 7 if it does not answer or is not ready."
  },
  {
    text:
      "A setting comes from a flag of 'memctl server start', else from a variable, else from server.json in the config folder. " +
      "'memctl help environment' lists the settings. With --database-url postgres://... any number of servers share one PostgreSQL " +
      'database and store nothing locally.'
  },
  {
    text:
      'A data folder belongs to one server at a time. If another server uses the folder or the port, start exits with 6. A server that ' +
      'was killed loses nothing that it acknowledged: start it again.'
  },
  {
    text:
      'A start never replaces a lost database. If the database is missing or empty although its key file or an admin key exists, start ' +
      "exits with 6. 'memctl server start --new-store' starts with an empty database."
  },
  {
    text:
      'A command contacts the server that is named by --server, else MEMCTL_SERVER, else the settings, else http://127.0.0.1:8787. The ' +
      'key comes from MEMCTL_API_KEY, MEMCTL_API_KEY_FILE, MEMCTL_API_KEY_COMMAND or the credentials file, which holds one key for ' +
      "each server. 'memctl auth login' saves it there."
  },
  { heading: 'To and from a snapshot file' },
  {
    rows: [
      ['memctl device export -o F', 'save a collection as a file, completely or not at all'],
      ['memctl device import F', 'load a file into an ephemeral collection'],
      ['memctl collections restore F', 'load a file into a permanent collection, in parts; can be repeated']
    ]
  }
]
