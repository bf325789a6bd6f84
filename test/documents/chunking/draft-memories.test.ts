import { expect, test } from 'vitest'
import { draftMemories, type TextItem, type TextPart } from '../../../src/documents/chunking/draft-memories.ts'

const AT = Date.parse('2026-03-04T05:06:07.089Z')

const draftsOf = (parts: readonly TextPart[], more: Partial<TextItem> = {}) => [
  ...draftMemories({ id: 'item-1', parts, ...more }, { source: 'notes' })
]

const long = Array.from({ length: 100 }, (_, i) => `Sentence ${i} says what no other one says.`).join(' ')

test('a message becomes one memory with its speaker, time, talk, place, title and address', () => {
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

test('chunks of a long message have its speaker and time, and count on from its place', () => {
  const drafts = draftsOf([{ text: long, at: AT, speaker: 'Mara', conversation: 'thread', position: 40 }])
  expect(drafts.map(({ metadata }) => metadata.position)).toEqual(drafts.map((_, i) => 40 + i))
  expect(drafts.length).toBeGreaterThan(1)
  for (const { metadata, shownAt } of drafts) {
    expect(metadata).toMatchObject({ speaker: 'Mara', at: '2026-03-04T05:06:07.089Z', conversation: 'notes:thread' })
    expect(shownAt).toBeUndefined()
  }
})

test('a document is undated, shows its time, and is a talk of its own with chunks numbered from 1 on', () => {
  const drafts = draftsOf([{ text: long, at: AT }, { text: 'And this.' }], { title: 'Handbook' })
  expect(drafts.map(({ metadata }) => metadata.position)).toEqual(drafts.map((_, i) => i + 1))
  expect(drafts.map(({ shownAt }) => shownAt)).toEqual([...drafts.slice(1).map(() => AT), undefined])
  for (const { metadata } of drafts) {
    expect(metadata).toMatchObject({ conversation: 'notes:item-1', title: 'Handbook' })
    expect(metadata).not.toHaveProperty('at')
    expect(metadata).not.toHaveProperty('speaker')
  }
})

test('chunks of a document name their section', () => {
  const text = `# Handbook\n\n${long}\n\n## Travel\n\n${long}`
  expect(new Set(draftsOf([{ text }]).map(({ metadata }) => metadata.section))).toEqual(
    new Set(['Handbook', 'Handbook > Travel'])
  )
})

test('a message without a time is undated; a time beyond all years is none', () => {
  for (const at of [undefined, 9e15]) {
    const [draft] = draftsOf([{ text: 'Hello.', speaker: 'Mara', ...(at !== undefined && { at }) }])
    expect(draft?.metadata).not.toHaveProperty('at')
    expect(draft?.metadata).toMatchObject({ conversation: 'notes:item-1', position: 1 })
  }
})

test('blank parts become nothing', () => {
  expect(draftsOf([{ text: ' \n' }, { text: '' }])).toEqual([])
})

test('whatever names come, metadata stays small and sound', () => {
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

test('a title is one line', () => {
  expect(draftsOf([{ text: 'a' }], { title: ' Minutes\n of\t May ' })[0]?.metadata.title).toBe('Minutes of May')
})
