import { expect, test } from 'vitest'
import type { FactRecord } from '../../../src/contract/snapshot.ts'
import { understand } from '../../../src/memory/understand.ts'

const log = (question: string, answer: string) => `[3/4/26, 10:01] Ann: ${question}\n[3/4/26, 10:02] Bob: ${answer}`

function joinedIn(text: string): FactRecord[] {
  const { facts = [] } = understand({ text, at: undefined, speaker: undefined, title: undefined })
  return (facts as FactRecord[]).filter(({ rule }) => rule === 'answer.joined')
}

test.each([
  ['Where did you move?', 'Porto, last month.', 'Bob | moved to | Porto, last month'],
  ['Where do you live now?', 'In Porto.', 'Bob | lives in | Porto'],
  ['Where did you buy the boat?', 'Oslo.', 'Bob | bought | the boat in Oslo'],
  ['Hi Bob! What did you bake?', 'A rye loaf.', 'Bob | baked | a rye loaf'],
  ['Who did you travel with?', 'My sister.', "Bob | traveled with | Bob's sister"],
  ['When are you leaving?', 'Next Friday.', 'Bob | is leaving | next Friday'],
  ['When did you write to my brother?', 'On 3 May.', "Bob | wrote | to Ann's brother on 3 May"],
  ["What is your dog's name?", 'Rex!', "Bob's dog's name | is | Rex"],
  ['Which instrument do you play?', 'The cello.', 'Bob | plays | the cello']
])('joins "%s" and "%s"', (question, answer, fact) => {
  expect(
    joinedIn(log(question, answer)).map(({ subject, predicate, value }) => `${subject} | ${predicate} | ${value}`)
  ).toEqual([fact])
})

test('has the range of the answer and of the question', () => {
  const text = log('Hi Bob! Where did you move?', 'Porto, last month.')
  const [fact] = joinedIn(text)
  expect(text.slice(...(fact?.span ?? [0, 0]))).toBe('Porto, last month')
  expect(text.slice(...(fact?.question ?? [0, 0]))).toBe('Where did you move?')
})

test.each([
  ['an answer that is a statement', 'Where did you move?', 'I moved to Porto.'],
  ['an answer that tells nothing', 'Where did you move?', 'No idea.'],
  ['a question in return', 'Where did you move?', 'Porto?'],
  ['a question about another person', 'Where did Karl move?', 'Porto.'],
  ['a statement before it', 'I moved.', 'Porto, last month.'],
  ['a question for yes or no', 'Did you move?', 'Last month.']
])('joins no fact from %s', (_what, question, answer) => {
  expect(joinedIn(log(question, answer))).toEqual([])
})
