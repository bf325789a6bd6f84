/** Names by id, of people and channels. */
export type Names = ReadonlyMap<string, string>

/**
 * Text as a person sees it, out of Slack's own notation: mentions and links stand in angle brackets, and `&`, `<`, `>` of the
 * text itself as entities (https://docs.slack.dev/messaging/formatting-message-text). Signs for bold and the like stay.
 */
export function plainText(marked: string, names: Names): string {
  return marked.replace(/<([^<>]*)>|&(amp|lt|gt);/g, (whole, inner: string | undefined, entity: string | undefined) => {
    if (entity !== undefined) return ENTITIES[entity] ?? whole
    return inner ? plainReference(inner, names) : whole
  })
}

/** The ids of people who are mentioned without a name. */
export function mentionedIn(marked: string): string[] {
  return [...marked.matchAll(/<@([UW][A-Z0-9]+)(?:\|[^<>]*)?>/g)].map((found) => found[1] ?? '')
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>' }

/** What stands between the brackets: a sign that says what it is, an id or address, and maybe a label. */
function plainReference(inner: string, names: Names): string {
  const bar = inner.indexOf('|')
  const target = bar === -1 ? inner : inner.slice(0, bar)
  const label = bar === -1 ? '' : unescaped(inner.slice(bar + 1))
  if (target.startsWith('@')) return `@${names.get(target.slice(1)) ?? (label || target.slice(1))}`
  if (target.startsWith('#')) return `#${label || (names.get(target.slice(1)) ?? target.slice(1))}`
  if (target.startsWith('!')) return plainCommand(target.slice(1), label)
  return plainLink(unescaped(target), label)
}

/** `here`, `channel`, `everyone`; a group of people; a moment, whose label is for who cannot show it in local time. */
function plainCommand(command: string, label: string): string {
  if (command.startsWith('date^')) return label
  if (command.startsWith('subteam^')) return label || '@group'
  return label ? (label.startsWith('@') ? label : `@${label}`) : `@${command}`
}

function plainLink(address: string, label: string): string {
  const bare = address.replace(/^(?:mailto:|tel:)/, '')
  if (label === '' || label === bare || label === address) return bare
  // Slack makes a link of a bare name like example.org.
  return /^https?:\/\//.test(address) && address.replace(/^https?:\/\//, '') === label ? address : `${label} (${bare})`
}

function unescaped(text: string): string {
  return text.replace(/&(amp|lt|gt);/g, (whole, entity: string) => ENTITIES[entity] ?? whole)
}
