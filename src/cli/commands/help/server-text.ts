/** What `memctl help server` says below the list of commands. */
export const SERVER_TEXT = `'memctl server start' gives a working service on this machine with no set-up: an embedded storage in
the data folder, an admin key that is kept where the other commands look for it, and a collection
named default. 'memctl device' needs none of it.

  memctl server start --detach     in the background, its log in server.log of the data folder
  memctl server status             whether it runs and is ready, and how it is set
  memctl server logs --follow      what it says
  memctl server stop               finishes what is under way, then ends
  memctl server check              whether its database is as it was written; --repair once it is stopped

Ctrl-C ends a server in the foreground the same way, with exit 0. 'stop' is content where none runs;
'status' is 3 where none runs, 7 where it does not answer or is not ready.

Settings, each of them by a flag of 'server start' where one is useful, by a variable, or in the file
server.json of the config folder, in this order: 'memctl help environment' lists them. With
--database-url postgres://... any number of servers share one PostgreSQL and keep nothing themselves.

A data folder belongs to one server at a time; another one, or a port that is taken, is exit 6. A server
that was killed loses nothing that was acknowledged: start it again.

A start never replaces a store that was lost: if the database is missing or empty although a key file
or an admin key of it exists, that is exit 6. 'server start --new-store' starts with an empty one.

Which server and key a command uses: --server, else MEMCTL_SERVER, else the settings, else
http://127.0.0.1:8787. The key comes from MEMCTL_API_KEY, MEMCTL_API_KEY_FILE, MEMCTL_API_KEY_COMMAND or
the credentials file, which holds one for each server; 'memctl auth login' puts it there.

To and from a snapshot file
  memctl device export -o F        a collection as a file, whole or not at all
  memctl device import F           a file as a collection that deletes itself
  memctl collections restore F     a file into a lasting collection, in parts; can be given again
`
