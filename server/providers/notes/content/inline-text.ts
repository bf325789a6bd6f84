import { withTarget } from './rich-text.ts'

/**
 * What a person reads of one line of enhanced Markdown: marks, colours and tags taken off, escapes undone. The format:
 * developers.notion.com/guides/data-apis/enhanced-markdown, by which every literal mark is escaped, so that there is nothing to guess.
 */
export function inlineText(line: string): string {
  return line.replace(INLINE, (...match) => readable(match.at(-1) as Groups))
}

type Groups = Readonly<Record<string, string | undefined>>

const INLINE = new RegExp(
  [
    /\\(?<escaped>[\\*~`$[\]<>{}|^])/,
    /`(?<code>[^`]*)`/,
    /\$`?(?<formula>[^$`]*)`?\$/,
    /!\[(?<caption>(?:\\.|[^\]\\])*)\]\([^)\s]*\)/,
    /\[\^(?<cited>[^\]]*)\]/,
    /\[(?<label>(?:\\.|[^\]\\])*)\]\((?<target>[^)\s]*)\)/,
    /<mention-date (?<date>[^>]*?)\/?>/,
    /<br *\/?>(?<newline>)/,
    /<\/?(?<tag>[a-z][a-z_-]*)(?:\s[^<>]*)?\/?>/,
    /(?<attributes>\{(?:[a-z_]+="[^"]*"\s*)+\})/,
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
