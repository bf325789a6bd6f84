import { expect, test } from 'vitest'
import { factsIn, recordsIn } from './facts-in.ts'

test('replaces I and we by the speaker and conjugates the verb', () => {
  expect(factsIn('I live in Oslo.', 'Ida')).toEqual(['Ida | lives in | Oslo'])
  expect(factsIn("I'm learning Welsh.", 'Ida')).toEqual(['Ida | is learning | Welsh'])
  expect(factsIn('We have two goats.', 'Ida')).toEqual(['Ida | has | two goats'])
  expect(factsIn("I don't eat fish.", 'Ida')).toEqual(["Ida | doesn't eat | fish"])
})

test('replaces my and me by the speaker', () => {
  expect(factsIn('My sister gave me a kayak.', 'Ida')).toEqual(["Ida's sister | gave | Ida a kayak"])
})

test('leaves the words unchanged without a speaker', () => {
  expect(factsIn('I live in Oslo.')).toEqual(['I | live in | Oslo'])
})

test('reads curly apostrophes like straight ones', () => {
  expect(factsIn('I’m learning Welsh and don’t like fish.', 'Ida')).toEqual([
    'Ida | is learning | Welsh',
    "Ida | doesn't like | fish"
  ])
})

test('adds the implied speaker', () => {
  expect(factsIn('Went to Rome last week.', 'Ida')).toEqual(['Ida | went to | Rome last week'])
  expect(factsIn('Been painting the shed.', 'Ida')).toEqual(['Ida | has been painting | the shed'])
  expect(factsIn("Can't wait to see the lake.", 'Ida')).toEqual(["Ida | can't wait to see | the lake"])
})

test('attributes a state of mind to the speaker', () => {
  expect(factsIn('So proud of the team!', 'Ida')).toEqual(['Ida | is | so proud of the team'])
})

test.each([
  ['thanks', 'Thanks for the lift, Karl!'],
  ['a greeting', "I'm doing well."],
  ['a wish for the person addressed', 'I hope your trip goes well.'],
  ['advice to the person addressed', 'A long walk would help you.'],
  ['an opinion about what was just said', "That's great to hear!"],
  ['a guess', 'I guess the shop is closed.'],
  ['a general statement', 'A picnic needs a blanket.'],
  ['a thing that is shown', 'This picture was taken by my brother.'],
  ['an unnamed person', 'He sold his flat.'],
  ['an unnamed thing', "I'm not used to it yet."],
  ['an open question', 'I was wondering if the shop is closed.'],
  ['a promise to the person addressed', "I'll make sure to call."],
  ['another promise', "I'll keep that in mind."],
  ['a courtesy with a reason', "I'm so glad to hear that the boat is fine, and that you got home safely in the storm."],
  ['thanks for advice', 'I appreciate the detailed explanation.'],
  ['a general description of an activity', 'Sailing across the lake offers a sense of calm.'],
  ['a general statement without substance', 'Boats are important.'],
  ['general praise', 'Sailing across the lake can be a fun and rewarding pastime.'],
  ['agreement', 'Lisbon is indeed known for its trams.'],
  ['an impression', 'Porto sounds lovely.'],
  ['a wish for help', 'I need help with the roof of my shed.'],
  ['a wish to know', "I'd like to know how I can mend my tent."],
  ['an uncertainty', "I'm not sure how to mend my tent in Bray."],
  ['a question to oneself', "I'm wondering if the ferry to Bray is full."],
  ['what follows', 'I have got the following plan so far:'],
  ['a question without a subject', 'Got any tips on skating.'],
  ['how a day was', 'I had a pretty busy day at work.'],
  ['how an evening was', 'My evening was quite nice.'],
  ['pleasure of the talk', 'I really enjoyed our conversation.'],
  ['a farewell', 'I should get back to my soup now.'],
  ['whereabouts of the moment', "I'm at the cinema."],
  ['a statement about a kind of animal', 'Cats really know how to relax.'],
  ['a statement about an idea', 'Capitalism is a flawed system.'],
  ['two statements without a mark', "I'm good just came from the market."],
  ['an unnamed picture', "Here's a photo of the place."],
  ['another person without a name', 'I picked her up.'],
  ['belongings of another person', 'I was outside his house.'],
  ['praise of a thing in sight', 'The harbour is stunning.'],
  ['an opinion of an unnamed thing', 'It was a lovely evening.'],
  ['praise of a suggestion', 'Apple cake is a great choice.'],
  ['a value that points back', 'I enjoy both.'],
  ['a value that names nothing', "I'm enjoying the whole experience."],
  ['an unnamed thing that did something', 'The friendly banter added to the mood.'],
  ['a thing of which only a relative clause tells', 'A village that left us in awe.'],
  ['a musing', "I'm just wondering."],
  ['a pointer alone', 'I felt it.'],
  ['a picture of a place', 'This is the Old Harbour Quarter.'],
  ['material of the conversation', 'Here is some example code to get started.'],
  ['a remark about what another person does', 'Getting up before dawn, every single day – impressive.'],
  ['an unnamed thing in a bare particle phrase', 'I did that to my neighbour.'],
  ['a purpose', 'Please show me the steps, so I can bake it.']
])('finds no fact in %s', (_kind, text) => {
  expect(factsIn(text, 'Ida')).toEqual([])
})

test.each([
  ['Ive moved to Porto.', 'Ida | has moved to | Porto'],
  ['I dont eat fish.', "Ida | doesn't eat | fish"],
  ['Ill ask the landlord.', 'Ida | will ask | the landlord'],
  ['Karl said hi. Its a boat from Oslo.', undefined]
])('reads contractions without an apostrophe: %s', (text, fact) => {
  if (fact === undefined) expect(factsIn(text, 'Ida').join()).not.toContain('Its')
  else expect(factsIn(text, 'Ida')).toEqual([fact])
})

test('attributes a judgement to the speaker', () => {
  expect(factsIn('It was fun to see the lake.', 'Ida')).toEqual(['Ida | found | it fun to see the lake'])
  expect(factsIn('Baking bread is a great hobby.', 'Ida')).toEqual(['Ida | finds | baking bread a great hobby'])
  expect(factsIn('The match was amazing.', 'Ida')).toEqual(['Ida | found | the match amazing'])
})

test('describes a person instead of recording a judgement', () => {
  expect(factsIn('My brother is a great cook.', 'Ida')).toEqual(["Ida's brother | is | a great cook"])
})

test('ignores statements without meaning outside their context', () => {
  expect(factsIn("That's great! You're right. It was so fun.", 'Ida')).toEqual([])
})

test('resolves a pronoun to the only person that fits', () => {
  expect(factsIn('My brother owns a bakery. He sells rye bread.', 'Ida')).toContain("Ida's brother | sells | rye bread")
  expect(factsIn('In 2019, Clara moved to Rome. She works at the port.')).toContain('Clara | works at | the port')
})

test('leaves an ambiguous pronoun in a text without speaker as a word, at half the confidence', () => {
  const [met, was] = recordsIn('My brother met my uncle. He was tired of work.')
  expect(met).toMatchObject({ subject: 'My brother' })
  expect(was).toMatchObject({ subject: 'He', predicate: 'was tired of', value: 'work' })
  expect(was?.confidence).toBeLessThan(0.5)
})

test('does not take a vocative as the subject', () => {
  expect(factsIn('That is a kind offer to the club, Karl!', 'Ida').join()).not.toContain('Karl')
})

test('cuts a value where the next clause begins', () => {
  expect(factsIn('I hope to run a race in Porto, and I am looking for a coach.', 'Ida')).toContain(
    'Ida | hopes to run | a race in Porto'
  )
})

test('leaves out openings that say nothing', () => {
  expect(factsIn("As for me, I've been painting the shed.", 'Ida')).toEqual(['Ida | has been painting | the shed'])
  expect(factsIn('Seriously, I walked to Bray.', 'Ida')).toEqual(['Ida | walked to | Bray'])
})

test('names the speaker inside a value', () => {
  expect(factsIn("Here's the cake I baked.", 'Ida')).toContain('Ida | shows | the cake Ida baked')
  expect(factsIn("I told Karl I'm moving.", 'Ida')).toEqual(['Ida | told | Karl Ida is moving'])
})

test('keeps the marks of a title', () => {
  expect(factsIn('I\'m reading "Emma" by Jane Austen.', 'Ida')).toEqual(['Ida | is reading | "Emma" by Jane Austen'])
})

test('reads the statement before a question', () => {
  expect(factsIn('I have an exam on 9 May, can you help me study?', 'Ida')).toEqual(['Ida | has | an exam on 9 May'])
  expect(factsIn('I flew to Oslo in June, how do I claim the delay?', 'Ida')).toEqual(['Ida | flew to | Oslo in June'])
})

test('ends a value where a question begins', () => {
  expect(factsIn('I got 4,500 visits in October, do you have any tips', 'Ida')).toEqual([
    'Ida | got | 4,500 visits in October'
  ])
})

test('takes a request for no statement of the speaker', () => {
  expect(factsIn('I am stuck on the roof, so please bring a ladder.', 'Ida').join()).not.toContain('bring')
})

test('does not take the time of a relative clause for its object', () => {
  expect(factsIn('It was a sunny day we went to the fair in Bray.', 'Ida').join()).not.toContain('a sunny day the fair')
})

test.each([
  ['two nouns share their head', "I've solved 25 bridge and poker problems.", '25 bridge and poker problems'],
  [
    'two nouns share what they belong to',
    "I'm a fan of green tea and dark chocolate.",
    'a fan of green tea and dark chocolate'
  ],
  ['a compound precedes a noun', 'I reached a 95% on-time delivery rate.', 'a 95% on-time delivery rate']
])('keeps a value whole where %s', (_when, text, value) => {
  expect(recordsIn(text, 'Ida').map((fact) => fact.value)).toEqual([value])
})

test.each([
  ['quit', 'I quit the choir.', 'Ida | quit | the choir'],
  ['a cancellation of an unnamed plan', 'The party was cancelled yesterday.', 'The party | was cancelled | yesterday'],
  ['a postponement', 'The concert was postponed to 9 May.', 'The concert | was postponed to | 9 May'],
  ['an update', 'Update: my dentist is Dr. Novak now.', "Ida's dentist | is now | Dr. Novak"],
  ['an end', 'I no longer eat fish.', 'Ida | no longer eats | fish'],
  ['a return', "I'm back in Lisbon.", 'Ida | is back in | Lisbon'],
  ['what follows I mean', 'I mean, I moved to Porto.', 'Ida | moved to | Porto'],
  ['what follows you know', 'You know, I moved to Porto.', 'Ida | moved to | Porto'],
  ['what follows to be honest', 'To be honest, I moved to Porto.', 'Ida | moved to | Porto'],
  ['what follows given', 'Given the rain, I stayed in Porto.', 'Ida | stayed in | Porto'],
  ['a cancellation', 'Our trip to Rome was cancelled.', "Ida's trip to Rome | was | cancelled"],
  ['a possibility', 'I might try the new bakery in Bray.', 'Ida | might try | the new bakery in Bray']
])('keeps %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test.each([
  ['now', 'I live in Bray now.', ['Ida | now lives in | Bray']],
  [
    'not',
    'Correction: the gate code is 4417, not 7714.',
    ['the gate code | is | 4417', 'the gate code | is not | 7714']
  ],
  ['instead of', 'I drive a van instead of a boat.', ['Ida | drives | a van', 'Ida | does not drive | a boat']]
])('does not leave %s in a value', (_word, text, facts) => {
  expect(factsIn(text, 'Ida')).toEqual(facts)
})

test.each([
  ["The gate code isn't 7714, it's 4417.", ["The gate code | isn't | 7714", 'the gate code | is | 4417']],
  ["The tea isn't from Assam, it's good to be here.", ["The tea | isn't from | Assam"]],
  ['The fair is not in Bray but in Cork.', ['The fair | is not in | Bray', 'The fair | is in | Cork']],
  ['The gate code is not 7714 but 4417.', ['The gate code | is not | 7714', 'The gate code | is | 4417']],
  ['Nadia lives not in Bray but in Cork.', ['Nadia | lives in | Cork', 'Nadia | does not live in | Bray']],
  ["Nadia's back in Bray.", ['Nadia | is back in | Bray']]
])('states the right value of a correction: %s', (text, facts) => {
  expect(factsIn(text, 'Ida').sort()).toEqual(facts.sort())
})

test('marks what a correction denies', () => {
  expect(recordsIn('The gate code is 4417, not 7714.', 'Ida').map(({ negated }) => negated)).toEqual([undefined, true])
})

test('keeps now where a period ends or a moment is meant', () => {
  expect(factsIn('I lived in Bray until now.', 'Ida')).toEqual(['Ida | lived in | Bray until now'])
})

test.each([
  ['who a person is', 'I met people who lost their homes.', 'Ida | met | people who lost their homes'],
  ['what belongs to it', 'I follow the steps she explained.', 'Ida | follows | the steps she explained']
])('keeps the relative clause that says %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test('does not add a second statement that follows without a mark', () => {
  expect(factsIn('I chose a boat with a cabin it is cosy.', 'Ida')).toContain('Ida | chose | a boat with a cabin')
})

test('describes a thing that talk brings in by this as one', () => {
  expect(factsIn('I met this cook from Lyon.', 'Ida')).toEqual(['Ida | met | a cook from Lyon'])
  expect(factsIn('I found these old maps in the attic.', 'Ida')).toEqual(['Ida | found | old maps in the attic'])
})

test('keeps this before a thing that the text or the conversation names already', () => {
  expect(factsIn("I bought a boat. I've never sailed this boat at night.", 'Ida').join()).not.toContain(
    'a boat at night'
  )
  expect(factsIn('I love this song.', 'Ida')).toEqual([])
})

test.each([
  ['an infinitive', 'The walk helps me relax.', 'Ida | is helped by | the walk to relax'],
  ['a gift', 'The sea brings me peace.', 'Ida | gets | peace from the sea'],
  ['a state', 'The alarm keeps me awake.', 'Ida | is kept | awake by the alarm'],
  ['a feeling', 'The film made me feel old.', 'Ida | was made to | feel old by the film']
])('makes the speaker the subject of what affects them: %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test('leaves what a person gives the speaker a fact about that person', () => {
  expect(factsIn('My sister gave me a kayak.', 'Ida')).toEqual(["Ida's sister | gave | Ida a kayak"])
})

test.each([
  ['I wanted to let you know I joined a choir.', 'Ida | joined | a choir'],
  ["I'm glad I went to Bray.", 'Ida | went to | Bray'],
  ['I realized that I miss the choir.', 'Ida | misses | the choir'],
  ["I can't believe I won the race.", 'Ida | won | the race']
])('states what the speaker announces: %s', (text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test('does not state what the speaker only thinks', () => {
  expect(factsIn('I think I left the key in Bray.', 'Ida').join('\n')).not.toMatch(/^Ida \| left/m)
})

test('adds a time before the subject', () => {
  expect(factsIn('Last Friday I joined a choir.', 'Ida')).toEqual(['Ida | joined | a choir last Friday'])
  expect(factsIn('Two years ago I moved to Bray.', 'Ida')).toEqual(['Ida | moved to | Bray two years ago'])
})

test('names the place that there refers to, if the text names one', () => {
  expect(factsIn('Have you been to Italy? I spent a month there.', 'Ida')).toEqual(['Ida | spent | a month in Italy'])
  expect(factsIn('I spent a month there.', 'Ida')).toEqual([])
})

test('leaves a pronoun in a compound as it is', () => {
  expect(factsIn('I booked some me-time.', 'Ida')).toEqual(['Ida | booked | some me-time'])
})

test.each([
  ['two statements without a mark between them', 'My brother likes to ski it is great.'],
  ['lines of advice without full stops', "Drink green tea\nDon't smoke indoors"],
  ['a relative clause about all that precedes it', 'I failed the exam on trees, which hurt my average.'],
  ['a denial without an object', "I don't know."],
  ['a plural verb after one thing', 'Great chance to travel and make friends.']
])('does not read %s as one fact', (_what, text) => {
  expect(factsIn(text, 'Ida').filter((fact) => !fact.startsWith('Ida | failed'))).toEqual([])
})

test('leaves it unresolved where it may refer to a whole sentence', () => {
  expect(factsIn('I climbed the tower. It made my day.', 'Ida')).toEqual(['Ida | climbed | the tower'])
})

test('keeps the objects of a verb that joins them together', () => {
  expect(factsIn('I balance my work and my studies.', 'Ida')).toEqual(["Ida | balances | Ida's work and Ida's studies"])
})

test('ends a name at a comma', () => {
  expect(factsIn('My name is Emilia, nice to meet you.', 'Ida')).toEqual(["Ida's name | is | Emilia"])
})

test.each(['I got curious.', 'I have heard a lot about it lately.', 'I kept asking her for one.', 'I need help.'])(
  'omits what hardly anybody would ask for: %s',
  (text) => {
    expect(factsIn(text, 'Ida')).toEqual([])
  }
)

test.each([
  ['I got a bicycle.', 'Ida | got | a bicycle'],
  ['I have heard about the Norwell chess club lately.', 'Ida | has heard about | the Norwell chess club lately'],
  ['I feel more confident about my talk in Norwell.', "Ida | feels | more confident about Ida's talk in Norwell"],
  ['I play chess.', 'Ida | plays | chess']
])('keeps what names, counts or tells something: %s', (text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})
