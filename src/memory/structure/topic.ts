import type { Block, HeadingBlock } from './block.ts'
import { plainWords } from './plain-words.ts'

/** What stretches of a text are about: the headings above each block. */
export type Topic = {
  /** The heading above, without its numbering, that names a topic: of `Ann Lee` over `Contact`, the first. */
  nearest: string | undefined
  /** The heading right above. */
  heading: HeadingBlock | undefined
}

/** For every block, in order, the topic that it stands under. A lead-in (`Guests:`) counts for what follows it at once. */
export function topicsOf(text: string, blocks: readonly Block[]): Topic[] {
  let open: HeadingBlock[] = []
  return blocks.map((block, at) => {
    const above = blocks[at - 1]
    if (above?.kind !== 'heading' && above?.kind !== block.kind) open = open.filter(({ level }) => level < LEAD_LEVEL)
    if (block.kind !== 'heading') return topicOf(text, open)
    open = open.filter(({ level }) => level < block.level)
    const topic = topicOf(text, open)
    open.push(block)
    return topic
  })
}

/** A heading's words: `3.2 Packing list` is `Packing list`. */
function headingWords(text: string, { content }: HeadingBlock): string {
  const words = plainWords(text.slice(content.start, Math.min(content.end, content.start + 200)))
  return words.replace(/^(?:\d{1,3}\.)*\d{0,3}[.)]? +(?=\p{L})/u, '')
}

const LEAD_LEVEL = 7

function topicOf(text: string, open: readonly HeadingBlock[]): Topic {
  const words = open.map((heading) => headingWords(text, heading))
  const own = words.findLast((heading, at) => at === 0 || !GENERAL_HEADINGS.has(heading.toLowerCase()))
  return { heading: open.at(-1), nearest: own }
}

/** They divide what the heading above them is about. */
const GENERAL_HEADINGS: ReadonlySet<string> = new Set(
  [
    'about|contact|contacts|contact details|contact information|data|details|facts|general|info|information|key facts|metadata',
    'overview|personal|personal details|profile|properties|settings|specification|specifications|specs|status|summary|basics',
    'angaben|daten|kontakt|überblick|coordonnées|détails|datos|contacto|dati|contatti|gegevens|контакты|данные|概要|基本情報'
  ].flatMap((line) => line.split('|'))
)
