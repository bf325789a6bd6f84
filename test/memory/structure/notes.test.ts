import { describe, expect, test } from 'vitest'
import type { MemoryRecord } from '../../../src/contract/snapshot.ts'
import { readEvents, readFacts } from '../../../src/memory/extracted.ts'
import { understand } from '../../../src/memory/understand.ts'

const AT = '2026-11-25T10:00:00.000Z'

function read(text: string, title?: string): MemoryRecord {
  const understood = understand({ text, at: AT, speaker: undefined, title })
  return { ...understood, type: 'memory', id: '', at: AT, text }
}

function factsIn(text: string, title?: string): string[] {
  return readFacts(read(text, title)).map(({ subject, predicate, value }) => [subject, predicate, value].join(' | '))
}

function eventsIn(text: string, title?: string): string[] {
  return readEvents(read(text, title)).map(({ statement, aspect, started_at: from, ended_at: to }) =>
    [statement, aspect, from ?? '', to ?? ''].join(' | ')
  )
}

describe('lists', () => {
  test('reads the items below an attribute as its values of the topic', () => {
    const text = '# Mira Voss\n\n## Gift ideas\n- a head torch\n- a map\n\n## Attendees\n- [[Tom Alder]]'
    expect(factsIn(text)).toEqual([
      'Mira Voss | gift ideas | a head torch',
      'Mira Voss | gift ideas | a map',
      'Mira Voss | attendees | Tom Alder'
    ])
  })

  test('takes neither statements nor instructions for members of a list', () => {
    expect(factsIn('# Kitchen\n\n## Decisions\n- The fridge stays on the left wall\n- Call the plumber')).toEqual([
      'The fridge | stays on | the left wall'
    ])
  })

  test('reads an item that begins with an adjective as a property of the topic', () => {
    expect(factsIn('# Mira Voss\n\n- Allergic to peanuts\n- Good at chess')).toEqual([
      'Mira Voss | is | allergic to peanuts',
      'Mira Voss | is | good at chess'
    ])
  })

  test('reads a labelled item as a field of the topic', () => {
    expect(factsIn('# 2026-03-05\n\n- Idea: a podcast about old maps')).toEqual([
      '2026-03-05 | idea | a podcast about old maps'
    ])
  })

  test('finds no facts in the steps of instructions', () => {
    const text = '# Rye bread\n\n## Steps\n1. Mix everything in a large bowl\n2. Let it rest\n3. Bake it'
    expect(factsIn(text)).toEqual([])
  })

  test('names the topic of fields below a heading that only divides it', () => {
    expect(factsIn('# Choir board\n\n## Outcome\n- Next meeting: 6 April')).toEqual([
      'Choir board | next meeting | 6 April'
    ])
  })
})

describe('tasks', () => {
  test('are open or finished tasks of the topic', () => {
    const text = '# Kitchen\n\n## Tasks\n- [ ] Order tiles\n- [x] Call the plumber ✅ 2026-03-02'
    expect(factsIn(text)).toEqual(['Kitchen | open task | Order tiles', 'Kitchen | finished task | Call the plumber'])
  })

  test('without a topic are subjects of their own', () => {
    expect(factsIn('- [ ] Order tiles')).toEqual(['Order tiles | is | open task'])
  })

  test.each([
    ['📅 2026-04-01', '2026-04-01'],
    ['[due:: 2026-04-02]', '2026-04-02'],
    ['by Friday', '2026-11-27'],
    ['by 3 December', '2026-12-03']
  ])('have the due day that %s states', (words, due) => {
    expect(factsIn(`# Kitchen\n- [ ] Pay the bill ${words}`).at(-1)).toMatch(
      new RegExp(`^Pay the bill.* \\| due \\| ${due}$`)
    )
  })

  test('state nothing about the world, and their dates are planned, or past if they are finished', () => {
    const text = '# Choir\n- [ ] Nadia books the hall on 3 May 2026\n- [x] Sam wrote to the council on 4 May 2026'
    expect(factsIn(text).map((fact) => fact.split(' | ')[1])).toEqual(['open task', 'finished task'])
    expect(eventsIn(text).map((event) => event.split(' | ')[1])).toEqual(['planned', 'past'])
  })
})

describe('dates', () => {
  test.each([
    ['a heading', '# 2026-03-05\n\nThe car passed its inspection yesterday.', undefined],
    ['a heading with the weekday', '# Thursday, 5 March 2026\n\nThe car passed its inspection yesterday.', undefined],
    ['front matter', '---\ndate: 2026-03-05T08:00\n---\nThe car passed its inspection yesterday.', undefined],
    ['the title', 'The car passed its inspection yesterday.', '2026-03-05']
  ])('relate to the day in %s', (_where, text, title) => {
    expect(eventsIn(text, title)).toEqual([
      'The car passed its inspection yesterday | past | 2026-03-04T00:00:00.000Z | 2026-03-05T00:00:00.000Z'
    ])
  })

  test('relate to the nearest heading above that names a day', () => {
    const text = '# 2026-03-05\n\nThe car broke down yesterday.\n\n# 2026-03-09\n\nThe car was sold yesterday.'
    expect(eventsIn(text).map((event) => event.split(' | ')[2]?.slice(0, 10))).toEqual(['2026-03-04', '2026-03-08'])
  })

  test('of a moved event are those it was moved to', () => {
    expect(eventsIn('The concert was moved from 9 May to 16 May.', '2026-03-05')).toEqual([
      'The concert was moved from 9 May to 16 May | planned | 2026-05-16T00:00:00.000Z | 2026-05-17T00:00:00.000Z'
    ])
  })
})

describe('Markdown', () => {
  test('that is struck out gives neither facts nor events', () => {
    expect(factsIn('# Kitchen\n- ~~Paint: white~~ Paint: sage green\n- Floor: oak')).toEqual([
      'Kitchen | paint | sage green',
      'Kitchen | floor | oak'
    ])
    expect(factsIn('~~Ann lives in Oslo.~~ Ann lives in Rome.')).toEqual(['Ann | lives in | Rome'])
  })

  test('does not hide the words of sentences', () => {
    expect(factsIn('[[Mira Voss|Mira]] **works at** [Nordlicht](https://acme.test) #job ^a1')).toEqual([
      'Mira Voss | works at | Nordlicht'
    ])
    expect(factsIn('We met [[Mira Voss]]. She lives in [[Places/Hamburg|Hamburg]].').at(-1)).toBe(
      'Mira Voss | lives in | Hamburg'
    )
  })

  test('keeps the spans of facts in the text as it is written', () => {
    const text = '~~Tom~~ [[Mira Voss|Mira]] works at [Nordlicht](https://acme.test).'
    const [fact] = readFacts(read(text))
    expect(text.slice(...(fact?.span ?? [0, 0]))).toBe('Mira Voss|Mira]] works at [Nordlicht')
  })
})
