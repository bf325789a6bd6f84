/** What `memctl help connect` says below the flags. */
export const CONNECT_TEXT = `How an account is linked
  1  The server says where to consent; connect prints that address on a line of its own on stderr,
     and on a terminal opens it in the browser, unless --no-browser is given.
  2  A person opens it in a browser, takes an account and approves. The server keeps the grant,
     sealed; no password and no token ever comes to this program.
  3  A mailbox or notes begin to sync at once. Of a drive or a chat it is first chosen what is
     wanted: on a terminal connect shows its folders or channels to pick from, unless --no-pick is
     given, and 'memctl connections config ID' shows them at any time.

The keys while picking
  letters          filter by name, without regard to case, accents, hyphens and spaces
  Space            choose, or take back; the counter says how many may be chosen
  Right, Left      open and close a folder; what lies in it is loaded then
  PgUp PgDn Home End, Up and Down
  Ctrl-U           ends the filter
  Enter            done: shows what differs and asks before anything is synced anew
  Esc              leaves everything as it is

Ctrl-C while it waits takes nothing back: the consent can still be given, and --resume STATE goes on
waiting for it. A consent that was begun is good for 10 minutes.

On another machine, over ssh: the address of the server must be one that the browser can reach. For
a server that listens on the loopback of the far machine, connect prints the line that makes a tunnel

  ssh -L 8787:127.0.0.1:8787 HOST

Without one, approve all the same: the browser ends at an address that does not load. Paste it while
connect waits, or give it to 'memctl connect PROVIDER --callback-url URL'. It goes to the server of
this command and nowhere else, whatever host it names.

Without a person: 'memctl help ci'. With made-up accounts: 'memctl help sandbox'.
`
