import { withTarget } from './rich-text.ts'

/**
 * What a person reads of one line of enhanced Markdown: marks, colours and tags taken off, escapes undone. The format:
 * developers.notion.com/guides/data-apis/enhanced-markdown, by which every literal mark is escaped, so that there is nothing to guess.
 */
export function inlineText(line: string): string {
  return line.replace(INLINE, (...match) => readable(match.at(-1) as Groups))
}

type Groups = Readonly<Record<string, string | undefined>>

/** What stands between two marks has a limit (that of rich text: developers.notion.com/reference/request-limits), so that none is sought far away. */
const INLINE = new RegExp(
  [
    /\\(?<escaped>[\\*~`$[\]<>{}|^])/,
    /`(?<code>[^`]{0,2000})`/,
    /\$`?(?<formula>[^$`]{0,2000})`?\$/,
    /!\[(?<caption>(?:\\.|[^\]\\]){0,2000})\]\([^)\s]{0,4000}\)/,
    /\[\^(?<cited>[^\]]{0,2000})\]/,
    /\[(?<label>(?:\\.|[^\]\\]){0,2000})\]\((?<target>[^)\s]{0,4000})\)/,
    /<mention-date (?<date>[^<>]{0,400}?)\/?>/,
    /<br *\/?>(?<newline>)/,
    /<\/?(?<tag>[a-z][a-z_-]{0,40})(?:\s[^<>]{0,4000})?\/?>/,
    /(?<attributes>\{(?:[a-z_]{1,40}="[^"]{0,200}" ?){1,10}\})/,
    /(?<mark>\*\*|\*|~~)/
  ]
    .map(({ source }) => source)
    .join('|'),
  'g'
)

function readable({ escaped, code, formula, caption, label, target, date, newline }: Groups): string {
  if (newline !== undefined) return '\n'
  if (label !== undefined) return withTarget(inlineText(label), target)
  if (caption !== undefined) return inlineText(caption)
  if (date !== undefined) return dateText(date)
  return escaped ?? code ?? formula ?? ''
}

function dateText(attributes: string): string {
  const said = (name: string) => new RegExp(`\\b${name}="([^"]*)"`).exec(attributes)?.[1]
  const from = [said('start'), said('startTime')].filter(Boolean).join(' ')
  const to = [said('end'), said('endTime')].filter(Boolean).join(' ')
  return to === '' ? from : `${from} → ${to}`
}
