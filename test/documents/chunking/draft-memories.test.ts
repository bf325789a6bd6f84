import { expect, test } from 'vitest'
import { draftMemories, type TextItem, type TextPart } from '../../../src/documents/chunking/draft-memories.ts'

const AT = Date.parse('2026-03-04T05:06:07.089Z')

const draftsOf = (parts: readonly TextPart[], more: Partial<TextItem> = {}) => [
  ...draftMemories({ id: 'item-1', parts, ...more }, { source: 'notes' })
]

const long = Array.from({ length: 100 }, (_, i) => `Sentence ${i} says what no other one says.`).join(' ')

test('makes one memory of a message, with its speaker, time, conversation, position, title and URL', () => {
  const part = { text: 'The roof will be zinc.\n', at: AT, speaker: 'Mara', conversation: 'C1/2026-03-04', position: 7 }
  expect(draftsOf([part], { title: 'general', url: 'https://chat.example/p1' })).toEqual([
    {
      text: 'The roof will be zinc.',
      metadata: {
        ...{ source: 'notes', item: 'item-1', title: 'general', url: 'https://chat.example/p1' },
        ...{ conversation: 'notes:C1/2026-03-04', position: 7, speaker: 'Mara', at: '2026-03-04T05:06:07.089Z' }
      },
      shownAt: undefined
    }
  ])
})

test('gives chunks of a long message its speaker and time, and consecutive positions', () => {
  const drafts = draftsOf([{ text: long, at: AT, speaker: 'Mara', conversation: 'thread', position: 40 }])
  expect(drafts.map(({ metadata }) => metadata.position)).toEqual(drafts.map((_, i) => 40 + i))
  expect(drafts.length).toBeGreaterThan(1)
  for (const { metadata, shownAt } of drafts) {
    expect(metadata).toMatchObject({ speaker: 'Mara', at: '2026-03-04T05:06:07.089Z', conversation: 'notes:thread' })
    expect(shownAt).toBeUndefined()
  }
})

test('makes an undated conversation of a document, which shows its time and has chunks numbered from 1', () => {
  const drafts = draftsOf([{ text: long, at: AT }, { text: 'And this.' }], { title: 'Handbook' })
  expect(drafts.map(({ metadata }) => metadata.position)).toEqual(drafts.map((_, i) => i + 1))
  expect(drafts.map(({ shownAt }) => shownAt)).toEqual([...drafts.slice(1).map(() => AT), undefined])
  for (const { metadata } of drafts) {
    expect(metadata).toMatchObject({ conversation: 'notes:item-1', title: 'Handbook' })
    expect(metadata).not.toHaveProperty('at')
    expect(metadata).not.toHaveProperty('speaker')
  }
})

test('adds the section to the chunks of a document', () => {
  const text = `# Handbook\n\n${long}\n\n## Travel\n\n${long}`
  expect(new Set(draftsOf([{ text }]).map(({ metadata }) => metadata.section))).toEqual(
    new Set(['Handbook', 'Handbook > Travel'])
  )
})

test('makes a message undated if it has no time or one beyond all years', () => {
  for (const at of [undefined, 9e15]) {
    const [draft] = draftsOf([{ text: 'Hello.', speaker: 'Mara', ...(at !== undefined && { at }) }])
    expect(draft?.metadata).not.toHaveProperty('at')
    expect(draft?.metadata).toMatchObject({ conversation: 'notes:item-1', position: 1 })
  }
})

test('makes nothing of blank parts', () => {
  expect(draftsOf([{ text: ' \n' }, { text: '' }])).toEqual([])
})

test('keeps metadata small and valid for any names', () => {
  const bad = `\ud800\u202e\0${'name\n'.repeat(4000)}`
  const heading = `# ${'h'.repeat(190)}\n\n${long}\n\n`
  const drafts = draftsOf([{ text: `${bad}\n\n${heading}${long}`, speaker: bad, conversation: bad, at: AT }], {
    ...{ id: bad, title: bad, url: `https://example.test/${'x'.repeat(10_000)}` }
  })
  expect(drafts.length).toBeGreaterThan(3)
  for (const { text, metadata } of drafts) {
    const written = JSON.stringify(metadata)
    expect(text.isWellFormed()).toBe(true)
    expect(Object.values(metadata).every((value) => typeof value !== 'string' || value.isWellFormed())).toBe(true)
    expect(written.length).toBeLessThan(10_000)
    expect(metadata).not.toHaveProperty('url')
    expect(metadata.title).toMatch(/^.{250,299}…$/u)
  }
})

test('makes a title one line', () => {
  expect(draftsOf([{ text: 'a' }], { title: ' Minutes\n of\t May ' })[0]?.metadata.title).toBe('Minutes of May')
})
