import type { FormatFacts } from '../../port/format.ts'

/**
 * RFC 4155 (mbox, whose messages begin with a line such as `From ann@example.com Thu Jan  2 10:20:30 2025`), RFC 5322
 * (a message), and https://cr.yp.to/proto/maildir.html (Maildir).
 */
export const FACTS: FormatFacts = {
  id: 'mail',
  name: 'mail',
  markers: [
    { path: /\.(mbox|mbx)$|(^|\/)[^./]+$/i, head: [/^\ufeff?From \S/, /^[!-9;-~]+: /m] },
    { path: /(^|\/)(cur|new)\/[^/]+$/, head: [/^[!-9;-~]+:[ \t]/, /^(From|Date|Subject|Message-ID|Received|To):/im] }
  ],
  general: /\.(eml|emlx)$/i,
  edits: false
}

/** The files of a Maildir that are not messages: the lists of Dovecot and Courier, and messages that are being delivered. */
export const MAILDIR_SETTINGS = /(^|\/)(tmp\/[^/]+|dovecot[\w.-]*|maildirfolder|subscriptions|courier\w*)$/

/**
 * The labels of Google Takeout that the connector leaves out too. Takeout writes them in the language of the account; these
 * are those of the largest languages (the names in Gmail's own menu).
 */
export const UNWANTED_LABELS: Readonly<Record<string, 'draft' | 'spam' | 'trash'>> = {
  draft: 'draft',
  drafts: 'draft',
  entwürfe: 'draft',
  brouillons: 'draft',
  borradores: 'draft',
  bozze: 'draft',
  rascunhos: 'draft',
  concepten: 'draft',
  spam: 'spam',
  'correo no deseado': 'spam',
  trash: 'trash',
  bin: 'trash',
  papierkorb: 'trash',
  corbeille: 'trash',
  papelera: 'trash',
  cestino: 'trash',
  lixeira: 'trash',
  prullenbak: 'trash'
}

/** Labels and folders of the mail that the owner of the mailbox wrote. */
export const SENT_NAMES: ReadonlySet<string> = new Set([
  'sent',
  'sent mail',
  'sent items',
  'sent messages',
  'gesendet',
  'messages envoyés',
  'enviados',
  'inviati',
  'posta inviata',
  'verzonden'
])
