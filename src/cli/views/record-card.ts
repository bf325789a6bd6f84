import type { MemoryRecord } from '../../contract/snapshot.ts'
import { cardLines, textLines } from '../output/card.ts'
import { jsonText } from '../output/json-text.ts'
import type { Line, Page } from '../output/line.ts'

/** One memory whole, for eyes: what is known of it, its text, and what was understood. */
export function recordLines(record: MemoryRecord, page: Page): Line[] {
  const known = cardLines(
    [
      ['id', record.id],
      ['at', record.undated ? `${record.at} (undated: when it was stored)` : record.at],
      ['speaker', record.speaker],
      ['conversation', record.conversation],
      ['position', record.position],
      ['metadata', record.metadata === undefined ? undefined : jsonText(record.metadata)]
    ],
    page
  )
  return [...known, [''], ...textLines(record.text, page), ...understoodLines(record, page)]
}

/** What was understood of a text, a line each; nothing where nothing was. Entries of another make are passed over. */
export function understoodLines(record: MemoryRecord, page: Page): Line[] {
  return [
    ...section('facts', statements(record.facts, ['subject', 'predicate', 'value']), page),
    ...section('procedures', statements(record.procedures, ['statement']), page),
    ...section('events', statements(record.events, ['statement']), page)
  ]
}

function statements(entries: readonly unknown[] | undefined, names: readonly string[]): string[] {
  return (entries ?? []).flatMap((entry) => {
    const texts = names.map((name) => textField(entry, name))
    return texts.includes(undefined) ? [] : [texts.join(' · ')]
  })
}

function textField(entry: unknown, name: string): string | undefined {
  const value = typeof entry === 'object' && entry !== null ? Reflect.get(entry, name) : undefined
  return typeof value === 'string' ? value : undefined
}

function section(title: string, said: readonly string[], page: Page): Line[] {
  if (said.length === 0) return []
  return [[''], [{ text: title, look: 'bold' }], ...said.flatMap((statement) => textLines(statement, page, 2))]
}
