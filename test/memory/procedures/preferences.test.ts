import { expect, test } from 'vitest'
import { linesIn, proceduresIn } from './procedures-in.ts'

test.each([
  ['I prefer tea over coffee.', 'preference.prefer: Ada prefers tea over coffee'],
  ['Honestly, I prefer the window seat!', 'preference.prefer: Ada prefers the window seat'],
  ['I think I prefer paper maps.', 'preference.prefer: Ada prefers paper maps'],
  ['We prefer our builds small.', "preference.prefer: Ada prefers Ada's builds small"],
  [
    "I'd rather walk than drive when it's sunny.",
    "preference.rather: Ada would rather walk than drive when it's sunny"
  ],
  ["That's why I love old maps!", 'preference.liking: Ada loves old maps'],
  ['We left early, because I hate queues.', 'preference.liking: Ada hates queues'],
  ['I really love hiking.', 'preference.liking: Ada really loves hiking'],
  ['I like to swim and dive.', 'preference.liking: Ada likes to swim and dive'],
  ['I love the sea.', 'preference.liking-of-the: Ada loves the sea'],
  ["I'm a big fan of maps.", 'preference.liking: Ada is a big fan of maps'],
  ['I’m not fond of heights', 'preference.liking: Ada is not fond of heights'],
  ["I don't like olives.", "preference.aversion: Ada doesn't like olives"],
  ["I can't stand loud music.", "preference.aversion: Ada can't stand loud music"],
  ['I never drink milk.', 'preference.habit: Ada never drinks milk'],
  ['I usually take the train and read.', 'preference.habit: Ada usually takes the train and reads'],
  ['I do not eat meat.', 'preference.habit: Ada does not eat meat'],
  ["I've always loved jazz.", 'preference.lasting: Ada has always loved jazz'],
  ['My favourite editor is Helix.', "preference.favourite: Ada's favourite editor is Helix"],
  ["Green is Bo's favorite colour.", "preference.favourite: Green is Bo's favorite colour"],
  ['Bo prefers rebasing over merging.', 'preference.of-another: Bo prefers rebasing over merging'],
  ['Jaws is my all-time favourite film.', "preference.favourite: Jaws is Ada's all-time favourite film"],
  ['Bo loves his garden.', 'preference.of-another: Bo loves his garden'],
  ['The team prefers short meetings.', 'preference.of-another: The team prefers short meetings'],
  ['My brother never drinks coffee.', "preference.of-another: Ada's brother never drinks coffee"],
  ["Bo Lee doesn't like crowds.", "preference.of-another: Bo Lee doesn't like crowds"]
])('reads %j as a preference', (text, expected) => {
  expect(linesIn(text, 'Ada')).toEqual([expected])
})

test('reads each clause as its own preference, up to the next clause', () => {
  expect(linesIn("I never drink milk, and I love hiking - it calms me. But I can't stand queues!", 'Ada')).toEqual([
    'preference.habit: Ada never drinks milk',
    'preference.liking: Ada loves hiking',
    "preference.aversion: Ada can't stand queues"
  ])
})

test('leaves the words unchanged without a speaker', () => {
  expect(linesIn('I prefer my tea cold.')).toEqual(['preference.prefer: I prefer my tea cold'])
})

test('attributes the words of a transcript to their speakers', () => {
  const text = 'Ann: I prefer tea, it is calm.\nBob: I hate tea. Who is next?\nAnn: no way'
  expect(linesIn(text, 'Sam')).toEqual(['preference.prefer: Ann prefers tea', 'preference.liking: Bob hates tea'])
})

test('records the rule, confidence and span of a preference', () => {
  const text = 'It rained. I prefer rye bread, but Bo baked none.'
  expect(proceduresIn(text, { speaker: 'Ada' })).toEqual([
    {
      kind: 'preference',
      statement: 'Ada prefers rye bread',
      rule: 'preference.prefer',
      span: [11, 29],
      confidence: 0.9
    }
  ])
  expect(text.slice(11, 29)).toBe('I prefer rye bread')
})

test.each([
  ['a question', 'Do you prefer tea? Do I like tea?'],
  ['a question without its mark', 'do you prefer tea'],
  ['an offer', 'Would you like some cake?'],
  ['a wish', "I would love to come. I'd like to order. I'd love that."],
  ['a momentary impression', 'I like that! I love your coat. I love it. I like how it hangs. I love this.'],
  ['the past', 'I liked it. I used to love jazz. I loved the old shed.'],
  ['a supposition', 'If I liked tea, I would buy it. Suppose I prefer tea.'],
  ['reported speech', 'Bo told me I prefer tea. "I prefer tea," said Bo.'],
  ['a supposed reason', 'If I left because I hate queues, I would say so. She asked why I love maps.'],
  ['a feeling', 'I always think of you. I never knew. I always forget.'],
  ['a saying', 'I hate to say it. I love to hear the news. Monday usually brings rain.'],
  ['comparison', 'It looks like rain. It sounds like a heron.'],
  ['an unknown person', 'She prefers tea. They love it.'],
  ['a favourite that is pointed at', 'This is my favourite! My favourite is back. It was my favourite.'],
  ['a single event', 'I never saw the heron again. I only bought bread.'],
  ['no object', 'I prefer. I love'],
  ['an intention', "I'm keen to see the harbour."]
])('does not read %s as a preference', (_what, text) => {
  expect(linesIn(text, 'Ada')).toEqual([])
})
