import type { FactRecord } from '../../contract/snapshot.ts'
import type { TextSource } from '../text-source.ts'
import type { Block } from './block.ts'
import { fieldFacts } from './field-facts.ts'
import { headingFact } from './heading-fact.ts'
import { mailFacts } from './mail-facts.ts'
import { mailWriter } from './mail-writer.ts'
import { memberFacts } from './member-facts.ts'
import { tableFacts } from './table-facts.ts'
import { type Topic, topicsOf } from './topic.ts'

/** Facts of blocks that one memory may hold: the first ones of a long table. */
export const BLOCK_FACTS_MAX = 200

/**
 * What the layout of a text says, in any language: fields, tables, heads of mails, and lists under what they are a list of.
 * Spans are the line or cell that a fact came from. At most `BLOCK_FACTS_MAX` of them, in the order of the text.
 */
export function factsOfBlocks(blocks: readonly Block[], source: TextSource): FactRecord[] {
  const facts: FactRecord[] = []
  const topics = topicsOf(source.text, blocks)
  const title = source.title ?? frontTitle(source.text, blocks)
  const voice = { text: source.text, speaker: mailWriter(source.text, blocks) ?? source.speaker }
  for (let from = 0; from < blocks.length && facts.length < BLOCK_FACTS_MAX; ) {
    const to = endOfRun(blocks, from)
    const topic = withTitle(topics[from], title)
    for (const fact of factsOfRun(blocks.slice(from, to), voice, topic)) facts.push(fact)
    if (to - from === 1)
      for (const fact of headingFact(source.text, blocks, { at: from, topic: topic.above })) facts.push(fact)
    from = to
  }
  return facts.slice(0, BLOCK_FACTS_MAX)
}

/** So many blocks of one kind are read together. */
const RUN_BLOCKS_MAX = 200

/** Neighbouring blocks of one kind, fields of one form. */
function endOfRun(blocks: readonly Block[], from: number): number {
  const first = blocks[from]
  let to = from + 1
  for (let next = blocks[to]; next !== undefined && to - from < RUN_BLOCKS_MAX; next = blocks[++to]) {
    if (next.kind !== first?.kind || first.kind === 'heading') break
    if (next.kind === 'field' && first.kind === 'field' && next.form !== first.form) break
  }
  return to
}

function factsOfRun(run: readonly Block[], { text, speaker }: Voice, about: Subjects): FactRecord[] {
  const topic = about.nearest
  const fields = run.filter((block) => block.kind === 'field')
  if (fields[0]?.form === 'mail') return mailFacts(text, fields, topic)
  if (fields.length > 0) return fieldFacts(text, fields, { topic, speaker })
  const rows = run.filter((block) => block.kind === 'row')
  if (rows.length > 0) return rows.flatMap((row) => tableFacts(text, row, topic))
  const items = run.filter((block) => block.kind === 'item')
  return memberFacts(text, items, about)
}

/** A text, and who `my` is in it. */
type Voice = Pick<TextSource, 'text' | 'speaker'>

type Subjects = Pick<Topic, 'words' | 'nearest' | 'above'>

/** Where no heading names a topic, the title of the text does. */
function withTitle(topic: Topic | undefined, title: string | undefined): Subjects {
  return { words: topic?.words ?? title, nearest: topic?.nearest ?? title, above: topic?.above ?? title }
}

/** What the front matter calls the text. */
function frontTitle(text: string, blocks: readonly Block[]): string | undefined {
  for (const block of blocks) {
    if (block.kind !== 'field' || block.form !== 'front-matter') return undefined
    const { key, value } = block
    if (/^(?:title|name)$/i.test(text.slice(key.start, key.end)))
      return text.slice(value.start, value.end).slice(0, 200)
  }
  return undefined
}
