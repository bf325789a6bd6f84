import { expect, test } from 'vitest'
import { gradeQuestion } from '../../../src/search/analyse/detect-traits.ts'

test.each([
  ['How are you?', 2],
  ['How are you?!  ', 2],
  ['Er fragte: "Wie?"', 2],
  ['今日は元気ですか？', 2],
  ['كيف حالك؟', 2],
  ['How are you? I am fine.', 1],
  ['I am fine.', 0],
  ['see https://example.org/a?b=c for more', 0],
  ['', 0]
])('gives %s the grade %i', (text, grade) => {
  expect(gradeQuestion(text)).toBe(grade)
})
