import type { Block, HeadingBlock } from './block.ts'
import { isKnownKey } from './read-fields.ts'

/** The topic of a block: the headings above it. */
export type Topic = {
  /** The heading directly above, and its words without numbering. */
  heading: HeadingBlock | undefined
  words: string | undefined
  /** The nearest heading that names a topic: for `Ann Lee` over `Contact`, the first. */
  nearest: string | undefined
  /** The same, without the heading directly above. */
  above: string | undefined
}

/** Finds the topic of every block, in order. A lead-in (`Guests:`) applies only to what directly follows it. */
export function findTopics(text: string, blocks: readonly Block[]): Topic[] {
  let open: Open[] = []
  let topic = toTopic(open)
  return blocks.map((block, at) => {
    const last = blocks[at - 1]
    const isHeading = block.kind === 'heading'
    const level = isHeading
      ? block.level
      : last?.kind !== 'heading' && last?.kind !== block.kind
        ? LEAD_LEVEL
        : undefined
    if (level !== undefined && open.some(({ heading }) => heading.level >= level)) {
      open = open.filter(({ heading }) => heading.level < level)
      topic = toTopic(open)
    }
    const own = topic
    if (isHeading) {
      open = [...open, { heading: block, words: headingWords(text, block) }]
      topic = toTopic(open)
    }
    return own
  })
}

type Open = { heading: HeadingBlock; words: string }

const LEAD_LEVEL = 7

/** Returns a heading's words: `Packing list` for `3.2 Packing list`. */
function headingWords(text: string, { content }: HeadingBlock): string {
  const words = toPlainWords(text.slice(content.start, Math.min(content.end, content.start + 200)))
  return words.replace(/^(?:\d{1,3}\.)*\d{0,3}[.)]? +(?=\p{L})/u, '')
}

function toTopic(open: readonly Open[]): Topic {
  const last = open.at(-1)
  return { heading: last?.heading, words: last?.words, nearest: topicIn(open), above: topicIn(open.slice(0, -1)) }
}

function topicIn(open: readonly Open[]): string | undefined {
  return open.findLast(({ words }, at) => at === 0 || !(GENERAL_HEADINGS.has(words.toLowerCase()) || isKnownKey(words)))
    ?.words
}

/** Headings that divide the topic of the heading above them. */
const GENERAL_HEADINGS: ReadonlySet<string> = new Set(
  [
    'about|contact|contacts|contact details|contact information|data|details|facts|general|info|information|key facts|metadata',
    'overview|personal|personal details|profile|properties|settings|specification|specifications|specs|status|summary|basics',
    'notes|note|tasks|task|todo|todos|to do|to-do|to-dos|action items|actions|next steps|next|open|done|later|backlog|agenda',
    'decisions|minutes|discussion|ideas|links|resources|references|quotes|log|journal|diary|today|plan|questions|open questions',
    'background|context|history|misc|miscellaneous|other|remarks|comments|thoughts|reminders|highlights|outcomes|results',
    'angaben|daten|kontakt|überblick|coordonnées|détails|datos|contacto|dati|contatti|gegevens|контакты|данные|概要|基本情報'
  ].flatMap((line) => line.split('|'))
)

/** Removes Markdown, quotation marks and repeated spaces from a section of text. */
export function toPlainWords(words: string): string {
  const flat = words
    .replace(/!?\[([^[\]\n]{1,200})\](?:\([^()\s]{1,400}\)|\[[^[\]\n]{1,200}\])/g, '$1')
    .replace(/!?\[\[(?:[^[\]\n|]{1,200}\|)?([^[\]\n|]{1,200})\]\]/g, '$1')
    .replace(/\*\*|__|`/g, '')
    .replace(/""/g, '"')
    .replace(/\\([|*_`])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
  return stripQuotes(flat)
}

function stripQuotes(words: string): string {
  const closing = PAIRS.get(words.charAt(0))
  if (closing === undefined || words.length < 3 || !words.endsWith(closing)) return words
  const inner = words.slice(1, -1)
  return inner.includes(closing) || inner.includes(words.charAt(0)) ? words : inner.trim()
}

const PAIRS: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['*', '*'],
  ['_', '_'],
  ['“', '”'],
  ['„', '“'],
  ['«', '»'],
  ['「', '」']
])
