import { expect, test } from 'vitest'
import {
  blankAnnotations,
  buildAnnotationFacts,
  findAnnotations,
  isAnnotation
} from '../../../src/memory/structure/find-annotations.ts'
import { understand } from '../../../src/memory/understand.ts'

const TEXT = 'Look at her! [image: a grey cat asleep on a shelf] I keep two boats. [Photo: two boats]'
const source = { text: TEXT, at: undefined, speaker: 'Ada', title: undefined }

test('finds annotations with their label and content', () => {
  const found = findAnnotations(TEXT, 0, TEXT.length)
  expect(found.map(({ label, content }) => [label, TEXT.slice(content.start, content.end)])).toEqual([
    ['image', 'a grey cat asleep on a shelf'],
    ['photo', 'two boats']
  ])
  expect(found.map(({ start, end }) => TEXT[start] + (TEXT[end - 1] ?? ''))).toEqual(['[]', '[]'])
  expect(findAnnotations(TEXT, 0, 20)).toEqual([])
})

test('gives a fact for shared content only if the speaker is known', () => {
  expect(buildAnnotationFacts(source)).toMatchObject([
    { subject: 'Ada', predicate: 'shared image', value: 'a grey cat asleep on a shelf', span: [13, 50] },
    { subject: 'Ada', predicate: 'shared photo', value: 'two boats' }
  ])
  expect(buildAnnotationFacts({ ...source, speaker: undefined })).toEqual([])
})

test('does not read the description of a picture as speech', () => {
  const { facts = [] } = understand(source)
  expect(facts.map((fact) => (fact as { rule: string }).rule).filter((rule) => rule !== 'annotation.shared')).toEqual([
    'clause.plain'
  ])
})

test.each(['[see: chapter 3]', '[1]', '[image:\nnext line]', '[[image: x]', `[image: ${'x'.repeat(3000)}]`])(
  'does not read %s as an annotation, or only its inner one',
  (text) => {
    expect(findAnnotations(text, 0, text.length).length).toBe(text.startsWith('[[') ? 1 : 0)
  }
)

test('scans unclosed brackets in linear time', () => {
  expect(findAnnotations('[image: x '.repeat(50_000), 0, 500_000)).toEqual([])
})

test('keeps every offset when annotations are blanked', () => {
  const bare = blankAnnotations(TEXT)
  expect(bare).toHaveLength(TEXT.length)
  expect(bare.replace(/ +/g, ' ')).toBe('Look at her! I keep two boats. ')
})

test('recognises the predicate of an annotation by its label', () => {
  expect(['shared image', 'shared link', 'shared a flat', 'shared', 'image'].map(isAnnotation)).toEqual([
    true,
    true,
    false,
    false,
    false
  ])
})
