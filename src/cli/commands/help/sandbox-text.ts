/** `memctl help sandbox`. */
export const SANDBOX_TEXT = `Sandbox

Stand-ins for the four providers, with made-up accounts, on the wire of the real services: what
connects to them connects to the real ones. A server without providers of its own has them built in.
'memctl server sandbox' runs them alone and prints the variables that point a server at them:

  memctl server sandbox > sandbox.env &      then, once it says that it is ready:
  source sandbox.env && memctl server start

Everything is in memory. Content is the same at every start; what was changed is gone with a
restart, connections are not. The consent page is one form without scripts: 'account' is an id from
the list of accounts, 'decision' is approve or deny, and 'request' goes back as it came.

Control, as JSON; of a sandbox that runs alone any program of this machine has it, inside a server
who has an admin's key (add -H "Authorization: Bearer $KEY"):

  S=http://127.0.0.1:8788/sandbox/control    inside a server: http://127.0.0.1:8787/sandbox/control
  curl $S/accounts                           who is there, and which changes there are
  curl $S/requests                           what came in: operation, status, time; never a token
  curl -X DELETE $S/requests                 begins to count anew
  curl -X POST $S/reset                      content, faults and clock as at the start
  curl $S/clock
  curl $S/clock -d '{"advance_ms": 3600000}' an hour later; tokens expire by this clock
  curl $S/clock -d '{"set": "2026-07-01T09:00:00Z"}'

Changes are made as a person would make them at the provider; an account goes by id or address:

  curl $S/accounts/team_chat/ACCOUNT/post -d '{"channel": "general", "text": "The boat leaves at nine."}'

  cloud_drive    parent "root" is the top, null: shared by somebody else; content is text or base64
    add_file {parent, name, text|base64, size?, mimeType?, downloadable?, abusive?, count?}
      size: so many bytes, the content again and again
    add_folder {parent, name}   add_shortcut {parent, name, target}   edit_file {id, text|base64, size?}
    rename {id, name}   move {id, parent}   trash {id, trashed?}   delete {id}   unshare {id}
  team_chat      channels go by id or name, people by id or handle; times are milliseconds
    post {channel, text?, user?, at?, count?, subtype?, bot?, blocks?, files?}
    reply {channel, thread, text?, user?, at?, count?, broadcast?}
    edit {channel, ts, text}   delete {channel, ts}   join {channel, user?}   invite {channel, user?}
    kick {channel, user?}   add_channel {name, private?, count?}   archive {channel, archived?}
    rename {channel, name}   add_person {handle, name, bot?}
  mailbox
    receive {from?, to?, cc?, subject?, text?, html?, reply_to?, attachments?, labels?, count?}
      or raw alone; attachments: [{name, type?, base64?}]
    trash {id}   untrash {id}   spam {id}   unspam {id}   delete {id}   label {id, add?, remove?}
    expire_history {}
  notes          text is like Markdown, line by line; without a parent or 'to' a page stands at the top
    add_page {title, text?, parent?, listed?}   edit_page {page, title?, text?, values?, listed?}
    append_block {page, text}   add_database {parent, title, columns?}   share {id}   unshare {id}
    add_row {database, title, values?, text?}   move {page, to?}   trash {id}   restore {id}

Faults are ordered for calls to come, one order after the other:

  curl $S/faults -d '{"provider": "notes", "kind": "rate_limited", "retry_after": 30, "times": 2}'
  curl $S/faults                             what is still open
  curl -X DELETE $S/faults                   none of it any more

  for which calls   provider; operation, as 'curl $S/requests' tells it (oauth.authorize, oauth.token
                    and oauth.revoke too), or path; times (1); after: calls that go by first (0)
  rate_limited      429, retry_after in seconds if given; status: another one
  server_error      500, or status
  overloaded        503, or status
  timeout           nothing, until the caller leaves
  slow              the answer, ms milliseconds later
  cut_body          the answer, breaking off after bytes bytes
  html              a page of a guest network in place of the answer
  wrong_shape       the answer's names with values that nobody described
  big               the answer behind bytes bytes of white space
  expired_token     the access token is over; renewing it helps
  dead_grant        the grant is over, as if the person had taken it back
  lag               a listing that does not know the last changes yet: value of them
  repeat_cursor     a page that names itself as the next one
`
