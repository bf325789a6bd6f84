/** Names by id, of people, apps, channels and groups. */
export type Names = ReadonlyMap<string, string>

/**
 * Converts Slack's notation to plain text: mentions and links are in angle brackets, and `&`, `<`, `>` of the text are
 * entities (https://docs.slack.dev/messaging/formatting-message-text). Marks for bold and other styles stay.
 */
export function toPlainText(marked: string, names: Names): string {
  return marked.replace(/<([^<>]*)>|&(amp|lt|gt);/g, (whole, inner: string | undefined, entity: string | undefined) => {
    if (entity !== undefined) return ENTITIES[entity] ?? whole
    return inner ? writeReference(inner, names) : whole
  })
}

/** Returns the ids of people who are mentioned without a name. */
export function findMentions(marked: string): string[] {
  return [...marked.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((found) => found[1] ?? '')
}

/** Returns the labels of channels and groups in a text. Blocks name them by id only. */
export function findLabels(marked: string): Map<string, string> {
  const found = marked.matchAll(/<(?:#|!subteam\^)([A-Z0-9]+)\|([^<>]+)>/g)
  return new Map([...found].map(([, id = '', label = '']) => [id, unescapeText(label).replace(/^@/, '')]))
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

/** Converts the text between angle brackets: a sign for its type, an id or address, and an optional label. */
function writeReference(inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar === -1 ? inner : inner.slice(0, bar)
  const label = bar === -1 ? '' : unescapeText(inner.slice(bar + 1))
  if (target.startsWith('@')) return `@${names.get(target.slice(1)) ?? (label || target.slice(1))}`
  if (target.startsWith('#')) return `#${label || (names.get(target.slice(1)) ?? target.slice(1))}`
  if (target.startsWith('!')) return writeCommand(target.slice(1), label)
  return writeLink(unescapeText(target), label)
}

/** Converts a command: `here`, `channel`, `everyone`; a user group; or a date, whose label is the fallback text. */
function writeCommand(command: string, label: string): string {
  if (command.startsWith('date^')) return label
  if (command.startsWith('subteam^')) return label || '@group'
  return label ? (label.startsWith('@') ? label : `@${label}`) : `@${command}`
}

function writeLink(address: string, label: string): string {
  const bare = address.replace(/^(?:mailto:|tel:)/, '')
  if (label === '' || label === bare || label === address) return bare
  // Slack turns a bare name such as example.org into a link.
  return /^https?:\/\//.test(address) && address.replace(/^https?:\/\//, '') === label ? address : `${label} (${bare})`
}

function unescapeText(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
