import { expect, test } from 'vitest'
import { diffSources } from '../../src/snapshot/diff-sources.ts'
import { file, forgetLine, memoryLine, sourceOf } from './builders.ts'

type Fact = [subject: string, predicate: string, value: string]

const told = (text: string, ...facts: Fact[]): string =>
  memoryLine({
    text,
    facts: facts.map(([subject, predicate, value]) => ({
      subject,
      predicate,
      value,
      rule: 'r',
      span: [0, text.length]
    }))
  })

function diff(before: readonly string[], after: readonly string[]): ReturnType<typeof diffSources> {
  return diffSources(sourceOf(file(...before)), sourceOf(file(...after)))
}

const texts = (records: readonly { text: string }[]): string[] => records.map(({ text }) => text)

test('reports added, missing, forgotten and changed memories', () => {
  const before = ['stays', 'goes', 'is taken back', 'changes'].map((text) => memoryLine({ text }))
  const changed = memoryLine({ text: 'changes', extractor: 1 })
  const after = [
    memoryLine({ text: 'stays' }),
    forgetLine({ text: 'is taken back' }),
    changed,
    memoryLine({ text: 'comes' })
  ]
  const { added, gone, forgotten, changed: differs } = diff(before, after)
  expect([added, gone, forgotten, differs].map(texts)).toEqual([['comes'], ['goes'], ['is taken back'], ['changes']])
  expect(differs[0]?.extractor).toBe(1)
})

test('ignores a line that loses on both sides', () => {
  const lines = [memoryLine({ text: 'a', extractor: 2 })]
  const { added, gone, changed } = diff(lines, [...lines, memoryLine({ text: 'a', extractor: 1 })])
  expect([added, gone, changed]).toEqual([[], [], []])
})

test('reports added, missing and changed facts', () => {
  const before = [
    told('one', ['Ada', 'lives in', 'London'], ['Ada', 'likes', 'tea']),
    told('two', ['Bob', 'has', 'a dog'])
  ]
  const after = [
    told('three', ['Ada', 'lives in', 'Lisbon'], ['Ada', 'likes', 'tea']),
    told('four', ['Cem', 'has', 'a cat'])
  ]
  const { facts } = diff(before, after)
  expect(facts.revalued).toEqual([{ subject: 'Ada', predicate: 'lives in', from: ['London'], to: ['Lisbon'] }])
  expect(facts.added.map(({ subject }) => subject)).toEqual(['Cem'])
  expect(facts.gone.map(({ subject }) => subject)).toEqual(['Bob'])
})

test('counts a fact of several memories once, and lists them all', () => {
  const { facts } = diff([], [told('one', ['a', 'b', 'c'], ['a', 'b', 'c']), told('two', ['a', 'b', 'c'])])
  expect(facts.added).toHaveLength(1)
  expect(facts.added[0]?.source_ids).toHaveLength(2)
})

test('reports the facts of forgotten memories as missing', () => {
  const line = told('one', ['a', 'b', 'c'])
  expect(diff([line], [line, forgetLine({ text: 'one' })]).facts.gone).toMatchObject([{ subject: 'a', value: 'c' }])
})

test('ignores order, repeats and form', () => {
  const lines = ['a', 'b', 'c'].map((text) => memoryLine({ text }))
  const { added, gone, forgotten, changed, facts } = diff(lines, [...lines, ...lines].reverse())
  expect([added, gone, forgotten, changed, facts.added, facts.gone, facts.revalued].flat()).toEqual([])
})

test('leaves out the facts of a superseded memory, so that a correction changes a value', () => {
  const old = told('7714', ['the code', 'is', '7714'])
  const correction = memoryLine({
    text: '4417',
    facts: [{ subject: 'the code', predicate: 'is', value: '4417', rule: 'r', span: [0, 4] }],
    supersedes: [(JSON.parse(old) as { id: string }).id]
  })
  const { added, gone, facts } = diff([old], [old, correction])
  expect([added, gone].map(texts)).toEqual([['4417'], []])
  expect(facts.revalued).toEqual([{ subject: 'the code', predicate: 'is', from: ['7714'], to: ['4417'] }])
})
