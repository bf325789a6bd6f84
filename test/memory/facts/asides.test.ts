import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test.each([
  ['an opinion at its end', 'I like the old harbour better I think', 'Ida | likes | the old harbour better'],
  ['a written laugh', 'I sold my boat to Karl lol', "Ida | sold | Ida's boat to Karl"],
  ['an interjection without a comma', 'Ohh I moved to Bray', 'Ida | moved to | Bray'],
  ['I mean without a comma', "I mean I've never eaten snails in Lyon", 'Ida | has never eaten | snails in Lyon'],
  ['I must say', 'I must say, I like the soup in Bray.', 'Ida | likes | the soup in Bray'],
  ['a question about it', "I'm 60 and earning 900 euros, will that be enough?", 'Ida | is | 60 and earning 900 euros'],
  ['a question after so', 'I failed the exam in May, so how can I pass it?', 'Ida | failed | the exam in May'],
  ['you after a comma', 'I live in Bray, you?', 'Ida | lives in | Bray']
])('reads a statement without %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test.each([
  ['a get-together', "I'm planning a small get-together with Karl.", 'a small get-together with Karl'],
  ['a hands-on cook', 'I am a hands-on cook from Bray.', 'a hands-on cook from Bray'],
  ['a town with its country', 'I live in Bray, Ireland.', 'Bray, Ireland']
])('keeps %s whole', (_what, text, value) => {
  expect(recordsIn(text, 'Ida').map((fact) => fact.value)).toContain(value)
})

test('reads the main clause behind an opening one without a comma', () => {
  expect(factsIn('When I visit Lyon I always take the tram.', 'Ida')).toContain('Ida | always takes | the tram')
})

test.each([
  ['a denial', "I've never planned or prepared for a race in Bray.", 'Ida | never prepared for | a race in Bray'],
  ['an obligation', 'I had to fix the boat and catch up with Karl.', 'Ida | had to catch up with | Karl']
])('copies %s to the second verb', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test('does not mark what the speaker decided and could not do as open', () => {
  expect(recordsIn('I decided to try the ferry to Bray.', 'Ida')[0]?.modality).toBeUndefined()
  expect(recordsIn("I couldn't find the ferry to Bray.", 'Ida')[0]?.modality).toBeUndefined()
})

test.each([
  ['praise of a place', 'Bray has some incredible beaches.'],
  ['what everybody knows', 'Swans are known for their long necks.'],
  ['what a thing can do to people', 'Music has a unique way of calming us.'],
  ['a mood with its degree', "I'm kinda curious today."],
  ['whereabouts of the moment', "I'm home now."],
  ['an order in a recipe', 'Heat pan with butter and oil.'],
  ['what is for the person addressed', "I'll show you tomorrow what I got."],
  ['a thing that is named elsewhere', 'I am captivated by the story.'],
  ['a remark of another person', 'As Karl pointed out on Monday, it rains.'],
  ['a part of a name', 'The Cirque du Vent Group is big.']
])('gives no fact for %s', (_what, text) => {
  expect(factsIn(text, 'Ida').filter((fact) => !fact.startsWith('The Cirque du Vent Group'))).toEqual([])
})

test('copies an obligation to have as the second verb', () => {
  expect(factsIn('We got to see the lake and have a late dinner in Bray.', 'Ida')).toContain(
    'Ida | got to have | a late dinner in Bray'
  )
})

test('copies a wish to the second verb', () => {
  expect(factsIn('I wanna go to Lviv and get a samovar.', 'Ida')).toEqual([
    'Ida | wants to go to | Lviv',
    'Ida | wants to get | a samovar'
  ])
  expect(factsIn('I hope to learn Welsh, teach it and write a book.', 'Ida')).toContain('Ida | hopes to write | a book')
})

test.each([
  ['I am rich cause I won a prize.', ['Ida | is | rich', 'Ida | won | a prize']],
  ['We went to the beach today it was lovely.', ['Ida | went to | the beach today']],
  [
    'I study drawing, especially since my sister Nora, who is 60, met me.',
    ['Ida | studies | drawing', "Ida's sister Nora | is | 60", "Ida's sister Nora | met | Ida"]
  ],
  ['I baked bread (with rye and salt and left.', ['Ida | baked | bread']],
  ['I run in the woods and in winter I ski.', ['Ida | runs in | the woods']],
  ['I went skating on the lake lol I fell.', ['Ida | went | skating on the lake']],
  [
    'I like many styles, but jazz music is the best of all.',
    ['Ida | likes | many styles', 'Ida | finds | jazz music the best of all']
  ],
  ['Dancing on the boat was amazing it was like flying.', ['Ida | found | Dancing on the boat amazing']],
  ["I stayed inside my tent that's why I am dry.", ["Ida | stayed inside | Ida's tent"]],
  ['I watched a show called ‘Emma Two’.', ['Ida | watched | a show called ‘Emma Two’']]
])('ends the value where the next statement begins: %s', (text, facts) => {
  expect(factsIn(text, 'Ida')).toEqual(facts)
})

test('writes a group of which the speaker is part as the speaker', () => {
  expect(factsIn('We both love the fish in Bergen.', 'Ida')).toEqual(['Ida | loves | the fish in Bergen'])
  expect(factsIn('I come from Bray.', 'Ida')).toEqual(['Ida | comes from | Bray'])
})

test.each([
  ['what a picture shows', 'I took a photo of the fresh bread that I baked.', 'Ida | baked'],
  ['an evaluation of a whole statement', 'I run with my new friends, which is great.', 'is | great'],
  ['a date', 'I opened my stall on May 5, which went well.', 'May 5 |'],
  ['an open question', 'I know what colour I chose.', 'Ida | chose'],
  ['a number alone', 'I got 4.', 'got'],
  ['a condition that is given', 'Given that I have to rest a lot these days, my friends help.', 'given'],
  ['a time alone', "As for films I've enjoyed lately, I recently watched Emma.", 'enjoyed'],
  ['a thing that is pointed at', 'I have joined that book club.', 'club'],
  ['two statements in a row', 'I came home cooked some rice.', 'came'],
  ['what the person addressed did', 'Painting, working on a boat and seeing your friends.', 'boat'],
  ['what could not be helped', "I couldn't help but laugh at the geese.", 'help'],
  ['a fear whose verb is missing', "I'm worried my stall on the quay, which is old, is too small.", 'worried']
])('gives no fact about %s', (_what, text, part) => {
  expect(factsIn(text, 'Ida').join('\n')).not.toContain(part)
})
