import type { HelpBlock } from '../../output/draw-help.ts'

/** `memctl help sandbox`. */
export const SANDBOX_TEXT: readonly HelpBlock[] = [
  { heading: 'Sandbox' },
  {
    text:
      'The sandbox has accounts of the four providers with sample content. It speaks the protocols of the real services, so code that ' +
      'works with it works with them. A server without providers of its own has the sandbox built in. ' +
      "'memctl server sandbox' runs it alone and prints the variables that point a server at it. Once it is ready:"
  },
  { commands: ['memctl server sandbox > sandbox.env &', 'source sandbox.env && memctl server start'] },
  {
    text:
      'The sandbox keeps everything in memory. Each start has the same content; changes are lost in a restart, connections are not. ' +
      'The consent page is one form without scripts. In it, account is an id from the list of accounts, decision is approve or deny, ' +
      'and request is sent back unchanged.'
  },
  { heading: 'Control' },
  {
    text:
      'The control address speaks JSON. In a sandbox that runs alone, every program on this machine can use it. In a server it needs ' +
      'an admin key: add -H "Authorization: Bearer $KEY" and use port 8787.'
  },
  { commands: ['S=http://127.0.0.1:8788/sandbox/control'] },
  {
    rows: [
      ['curl $S/accounts', 'list the accounts and the available changes'],
      ['curl $S/requests', 'list the requests received with operation, status and time, never a token'],
      ['curl -X DELETE $S/requests', 'clear the list of requests'],
      ['curl -X POST $S/reset', 'restore content, errors and clock to their initial state'],
      ['curl $S/clock', 'show the clock'],
      [`curl $S/clock -d '{"advance_ms": 3600000}'`, 'advance the clock by an hour; tokens expire by this clock'],
      [`curl $S/clock -d '{"set": "2026-07-01T09:00:00Z"}'`, 'set the clock']
    ]
  },
  { heading: 'Changes' },
  { text: 'A change is made as a person would make it at the provider. ACCOUNT is an id or an address:' },
  { commands: [`curl $S/accounts/team_chat/ACCOUNT/post -d '{"channel": "general", "text": "Lunch?"}'`] },
  { heading: 'cloud_drive' },
  {
    rows: [
      ['add_file', '{parent, name, text|base64, size?, mimeType?, downloadable?, abusive?, count?}'],
      ['add_folder', '{parent, name}'],
      ['add_shortcut', '{parent, name, target}'],
      ['edit_file', '{id, text|base64, size?}'],
      ['rename', '{id, name}'],
      ['move', '{id, parent}'],
      ['trash', '{id, trashed?}'],
      ['delete', '{id}'],
      ['unshare', '{id}'],
      ['comment', '{id, author, text, quoted?, reply_to?}'],
      ['delete_comment', '{id, comment}']
    ]
  },
  {
    text:
      'The parent "root" is the top folder; null means that another person shared the file. With size, the content is repeated up to ' +
      'that number of bytes.'
  },
  { heading: 'team_chat' },
  {
    rows: [
      ['post', '{channel, text?, user?, at?, count?, subtype?, bot?, app?, blocks?, attachments?, files?}'],
      ['reply', '{channel, thread, text?, user?, at?, count?, broadcast?}'],
      ['edit', '{channel, ts, text}'],
      ['delete', '{channel, ts}'],
      ['join', '{channel, user?}'],
      ['invite', '{channel, user?}'],
      ['kick', '{channel, user?}'],
      ['add_channel', '{name, private?, count?}'],
      ['archive', '{channel, archived?}'],
      ['rename', '{channel, name}'],
      ['add_person', '{handle, name, bot?}']
    ]
  },
  { text: 'A channel is an id or a name, a user an id or a handle. Times are in milliseconds.' },
  { heading: 'mailbox' },
  {
    rows: [
      ['receive', '{from?, to?, cc?, subject?, text?, html?, reply_to?, attachments?, labels?, count?}, or {raw}'],
      ['trash', '{id}'],
      ['untrash', '{id}'],
      ['spam', '{id}'],
      ['unspam', '{id}'],
      ['delete', '{id}'],
      ['label', '{id, add?, remove?}'],
      ['expire_history', '{}']
    ]
  },
  { text: 'An attachment is {name, type?, base64?}.' },
  { heading: 'notes' },
  {
    rows: [
      ['add_page', '{title, text?, parent?, listed?}'],
      ['edit_page', '{page, title?, text?, values?, listed?}'],
      ['append_block', '{page, text}'],
      ['comment', '{page, block?, author, text}'],
      ['add_database', '{parent, title, columns?}'],
      ['edit_database', '{database, title}'],
      ['share', '{id}'],
      ['unshare', '{id}'],
      ['add_row', '{database, title, values?, text?}'],
      ['move', '{page, to?}'],
      ['trash', '{id}'],
      ['restore', '{id}']
    ]
  },
  { text: "The text is like Markdown, line by line. Without parent or 'to' a page is at the top level." },
  { heading: 'Errors' },
  { text: 'An order makes the next calls fail. Orders apply in sequence:' },
  { commands: [`curl $S/faults -d '{"provider":"notes","kind":"rate_limited","times":2}'`] },
  {
    rows: [
      ['curl $S/faults', 'list the orders that still apply'],
      ['curl -X DELETE $S/faults', 'delete all orders']
    ]
  },
  {
    text:
      'An order selects calls by provider, by operation as in the list of requests (oauth.authorize, oauth.token and oauth.revoke ' +
      'too) or by path. times is the number of calls that fail (default: 1), after the number of calls that pass before (default: 0).'
  },
  {
    rows: [
      ['rate_limited', 'status 429, or the one in status; with retry_after in seconds if given'],
      ['server_error', 'status 500, or the one in status'],
      ['overloaded', 'status 503, or the one in status'],
      ['timeout', 'no reply until the caller gives up'],
      ['slow', 'the reply after ms milliseconds'],
      ['cut_body', 'the reply, cut off after bytes bytes'],
      ['html', 'a login page of a guest network instead of the reply'],
      ['wrong_shape', 'the names of the reply with values of undocumented types'],
      ['big', 'the reply after bytes bytes of white space'],
      ['expired_token', 'an expired access token, which can be renewed'],
      ['dead_grant', 'a revoked grant'],
      ['lag', 'a listing without the last changes; value is their number'],
      ['repeat_cursor', 'a page whose next page is itself']
    ]
  }
]
