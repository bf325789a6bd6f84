import { expect, test } from 'vitest'
import { factsIn } from './facts-in.ts'

test.each([
  ['before a question', 'I figured out why the boat sank.', 'Ida | figured out | why the boat sank'],
  ['before an adjective', 'I woke up sick yesterday.', 'Ida | woke up | sick yesterday'],
  ['but not before a noun', 'I walked up the hill.', 'Ida | walked up | the hill']
])('takes a particle into the predicate %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test.each([
  ['pronouns of a title', 'I have read Me Before You twice.', 'Ida | has read | Me Before You twice'],
  ['quoted titles', 'I saw the film "My Left Foot" in Leeds.', 'Ida | saw | the film "My Left Foot" in Leeds'],
  ['a name after its role', 'My friend Ted once was a poor man.', "Ida's friend Ted | once was | a poor man"],
  ['a verb after a short form of is', "My sister's moving to Leeds.", "Ida's sister | is moving to | Leeds"],
  ['wishes in slang', 'I wanna chill and play chess.', 'Ida | wants to play | chess'],
  [
    'a country with the letters of a pronoun',
    'I flew home from the US yesterday.',
    'Ida | flew | home from the US yesterday'
  ],
  [
    'a mixture as one thing',
    'I ordered a mix of tea, honey and a slice of lemon.',
    'Ida | ordered | a mix of tea, honey and a slice of lemon'
  ],
  ['a statement before a dash', 'I built another oak table - want to see it?', 'Ida | built | another oak table'],
  ['a thing brought in by `this`', 'I bought this cheap garden chair.', 'Ida | bought | a cheap garden chair'],
  [
    'whom those help who are helped',
    'I cook for a club that brings soup to those who are less mobile.',
    'Ida | cooks for | a club that brings soup to those who are less mobile'
  ],
  [
    'a pronoun for a thing in the value',
    'I released a new demo last week so others can try it out.',
    'Ida | released | a new demo last week so others can try it out'
  ],
  ['a list as a whole', 'I measured the old kitchen and the hall.', 'Ida | measured | the old kitchen and the hall'],
  ['a thing that is liked one by one', 'I like rowing and old maps.', 'Ida | likes | old maps'],
  [
    'a denial of all that is listed',
    'I never went to any meetings or talks related to tax.',
    'Ida | never went to | any meetings or talks related to tax'
  ],
  ['a past tense at the start', 'Explored the old harbour and met a cook.', 'Ida | explored | the old harbour'],
  [
    'a past tense in a series',
    'We rowed home, roasted chestnuts near the pier and even went on a walk.',
    'Ida | roasted | chestnuts near the pier'
  ],
  [
    'a statement before an aside',
    'Joined a rowing club and, like I said, working on maps.',
    'Ida | joined | a rowing club'
  ],
  [
    'a judgement of an activity with few words',
    'Being out on the lake is so peaceful.',
    'Ida | finds | being out on the lake so peaceful'
  ],
  [
    'acts as a noun',
    'Little acts of patience can have a big effect.',
    'Ida | believes | little acts of patience can have a big effect'
  ],
  [
    'an activity with its purpose',
    'Having a map like this to remind me of the help and care from my crew is really comforting.',
    "Ida | finds | having a map like this to remind Ida of the help and care from Ida's crew really comforting"
  ],
  [
    'a relative clause without a pronoun before the verb of its noun',
    'This lamp I keep on my desk is a constant reminder to rest.',
    "Ida | keeps | a lamp on Ida's desk"
  ],
  [
    'what a subject with a relative clause is',
    'One idea I had was to join a choir.',
    'One idea Ida had | was | to join a choir'
  ],
  [
    'others to whom a pronoun refers',
    'I love teaching kids and helping them grow.',
    'Ida | loves | teaching kids and helping them grow'
  ],
  [
    'a superlative with its relative clause',
    'The only thing I looked at is tents.',
    'The only thing Ida looked at | is | tents'
  ],
  ['a list before a clause', 'I waited for two hours and nobody came by.', 'Ida | waited for | two hours']
])('reads %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test('gives no verb the object of the verb that follows it', () => {
  expect(factsIn('I was learning and taking part in several projects.', 'Ida').join()).not.toContain('was learning |')
})

test('finds no statement in what the friends of the speaker love to do before another one', () => {
  expect(factsIn('My friends love to sing and it is always nice.', 'Ida').join()).not.toContain('friends love |')
})

test.each([
  ['a plural with a singular verb', 'Exploring its islands and natural wonders is something I hope to do.'],
  ['a noun without its infinitive', 'The chance to see the gorillas is what I like most.'],
  ['no particular person', "I don't have anyone I can trust."]
])('finds no statement about %s', (_what, text) => {
  expect(factsIn(text, 'Ida').join()).not.toMatch(/wonders \||The chance \||the chance \||can trust \|/)
})

test('ends a relative clause at a comma', () => {
  const facts = factsIn("I met my mentor Robert, who's a retired chemist, at the library.", 'Ida')
  expect(facts.join()).not.toContain('chemist, at')
})

test.each([
  ['what else does the same', 'Chess gives me peace, but so does having friends around.', 'so does'],
  ['a day after the speaker', 'I swam for two hours, was a tiring day today.', 'tiring day'],
  ['advice', "You shouldn't quit though so I would look for other jobs.", 'would look'],
  ['a time without an event', 'I do that on the days I did not swim.', 'did not swim'],
  [
    'a thing that cannot do it',
    'I love Norlex. My stylist had to fix my hair. She convinced me to try it.',
    'Norlex | convinced'
  ]
])('finds no statement about %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join()).not.toContain(words)
})

test.each([
  [
    'the objects of an activity',
    "I'm worried about balancing work and family duties in May.",
    'about | balancing work and family duties'
  ],
  ['what a worry is about', "I'm worried that I met Tom too late.", 'is worried | that Ida met Tom too late'],
  ['a value before its source', 'I lowered my rent, and according to the bank, it helps.', "lowered | Ida's rent"]
])('keeps %s together', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toContain(words)
})

test.each([
  ['to which someone went', 'This is the fair I went to after work with my sister.', 'went to | the fair after work'],
  ['with a time after it', 'Here is a road trip we took last year.', 'took | a road trip last year'],
  ['of two persons', "I'm proud of the songs Carla and I wrote for the show.", 'Carla and Ida | wrote | the songs for'],
  ['before a second verb', "I noticed the number of cooks I've worked with has grown to 7.", 'has worked with | cooks']
])('finds a thing %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toContain(words)
})

test.each([
  ['what the speaker tries to ensure', "I'm trying to ensure my boat is safe and passes the tests.", 'passes'],
  ['an open choice', "I'm not sure, should I rest or try to find a doctor", 'tries to find'],
  ['what only might be', 'I like to think about the lives I could be living now.', '| could be living'],
  ['a clause without its verb', "I'm worried that moving the show to the Writers’ Hall might upset Tom", 'is worried'],
  ['a description as a thing', 'Choosing tea was the right call, since it saves me time.', 'the right call | saves'],
  ['a contrast of descriptions', "It's not just a sport; it's a fine way to relax.", 'a sport a fine way']
])('finds no statement about %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join()).not.toContain(words)
})

test.each([
  ['a choice', 'I had to choose between the concert and the dinner.', 'choose between | the concert and the dinner'],
  ['a shared noun', 'I use a lemon and garlic sauce.', 'uses | a lemon and garlic sauce'],
  ['two subjects', 'I check that my tent and cooking gear are dry.', "Ida's tent and cooking gear are dry"],
  [
    'a wish for two things',
    "I'd like to make it faster and handle more formats.",
    'would like to handle | more formats'
  ],
  ['a second plan', "I'll follow this plan and use old tools for the edits.", 'will use | old tools for the edits'],
  ['a numeral', "I'm studying Elements Book I with my tutor.", 'is studying | Elements Book I with'],
  ['a rank', 'The ball drop was my favorite moment.', "Ida's favorite moment | was | the ball drop"]
])('reads %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toContain(words)
})

test.each([
  ['a list of things', "I've signed up for a course on tax law and resume writing.", 'resumes'],
  ['a noun that looks like a verb', 'We agreed on weekly calls and visits every spring.', 'Ida | visits'],
  ['a name', 'I chose between using plain Ruby or React 18 for my site.', 'React | 18'],
  ['a participle before its noun', 'I want to show the savings and improved team scores.', 'Ida | improved'],
  ['a comparison', "I'm sewing my own coat, kinda like what my aunt did.", 'kinda like |'],
  ['a proposal', 'We should plan a trip to Bray next year.', 'should plan'],
  ['an activity in general', 'Exploring both towns, if possible, is a good start.', 'is exploring'],
  ['instructions', 'Bake the cakes for ten minutes until the centers are firm.', 'the centers'],
  ['a reduced clause', 'Chess is a fine game, especially when played with friends.', 'played with'],
  ['a request', "I've set up the tent, so please bring a map, and make sure it is new.", 'makes'],
  ['one of several', 'One thing for me is the sea.', 'One thing']
])('finds no statement in %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join()).not.toContain(words)
})

test.each([
  ['a plan that continues', "I'll set a new goal and keep counting my steps.", 'will keep counting'],
  ['a later plan', "I'll use a saw for the first cuts, then do careful repairs at the club.", 'will then do'],
  ['a hope', "I'm hoping to swim a lot and maybe do a few dives.", 'is hoping to maybe do'],
  ['a passive', 'My boat can be folded and carried by two men.', 'can be carried'],
  ['a denied wish', "I've always wanted to sail but haven't had a chance.", "hasn't had"]
])('keeps the mood of %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toContain(words)
})

test.each([
  ['a phrase', "I'm getting ready for a talk with a Leeds-based small film company.", 'Leeds-based\n'],
  ['a comparison', 'I love rainy days as long as it is warm.', 'as long'],
  ['a reason without its verb', 'I was thinking, since my partner of six years, Tom, who is 40, cooks.', 'thinking |'],
  ['a shared object', 'The cream has softened and repaired my skin.', '| softened'],
  ['a description before a contrast', 'Chess is not only a fine sport, but it also helps me relax.', 'a fine sport |']
])('finds no statement that ends in the middle of %s', (_what, text, words) => {
  expect(`${factsIn(text, 'Ida').join('\n')}\n`).not.toContain(words)
})

test.each([
  [
    'a later condition',
    "I've had a busy week at sea, but now that I'm home, I rest.",
    'has had | a busy week at sea\n'
  ],
  ['the next speaker', "I've drawn my garden plan, Ann and I made it in May.", "has drawn | Ida's garden plan\n"],
  ['a title', 'And I can\'t forget "Salt and Sand" for its jokes.', '| "Salt and Sand"'],
  [
    'an adverb after a short form',
    "My aunt wants a cat but she's only ever taken care of dogs.",
    'has only ever taken'
  ],
  ['a later agreement', "I've been sailing for several years, and yes, I do race.", 'sailing for | several years\n'],
  ['a time at the end', 'We went camping with my kids a few weeks ago.', 'camping with']
])('ends a statement before %s', (_what, text, words) => {
  expect(`${factsIn(text, 'Ida').join('\n')}\n`).toContain(words)
})

test.each([
  ['a plan to go', "I'm going to go out for a walk and get some dinner.", 'is going to get | some dinner'],
  ['a name with No', 'My friends love Fit, the No Limits club is my favorite place.', "Ida's favorite place | is | "]
])('reads %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toContain(words)
})

test.each([
  [
    'the next noun',
    'I talked about the risks we faced, the steps we took, and the prizes we won.',
    'took | the steps the'
  ],
  ['the verb of another one', 'I have been taking care of my garden has been a joy.', 'care of']
])('gives no statement %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join()).not.toContain(words)
})

test('finds no opinion about a part of a subject', () => {
  expect(factsIn('Matching the cups with your plates and spoons is crucial.', 'Ida').join()).not.toContain('| spoons')
})

test('finds no statement in half a question', () => {
  expect(factsIn("I'm trying to figure out what day it will be in a week.", 'Ida').join()).not.toMatch(/what day$/)
})

test.each([
  ['a verb that was cut off', "One highlight I can't forget is when she sailed.", 'forget'],
  ['a habit that is only named', 'I used to when I was in Porto.', 'used'],
  ['what is shown', 'Looking better than ever!', 'looking'],
  ['what even would not matter', "It's fun even if the ferry isn't in the cards this year.", 'ferry'],
  ['what belongs to everyone', "Everyone's healing process is unique.", 'healing'],
  ['much of an unnamed thing', "We don't have a lot because it is windy here.", 'a lot'],
  ['a clause that opens with by the time', 'But by the time I get to the place my friends get all the cakes.', 'gets'],
  ['a proposal to oneself', 'Maybe I should start reading more.', 'reading']
])('finds no statement in %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join()).not.toContain(words)
})

test.each([
  ['a compound with an adjective', "Fast food doesn't interest Karl.", "Fast food | doesn't interest | Karl"],
  ['a possibility after a doubt', 'Maybe not but I might go to a bar in Bray.', 'Ida | might go to | a bar in Bray']
])('reads %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test.each([
  [
    'the rest of its list',
    "I'm building a shed with shelves for paint, ropes, and two lamps.",
    'for paint, ropes, and two lamps'
  ],
  [
    'nothing of the next statement',
    'I bake rye bread at home, and the oat cakes are from Lund.',
    'bakes | rye bread at home'
  ]
])('gives a value %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toMatch(new RegExp(`${words}$`, 'm'))
})

test.each([
  ['a comparison', 'My exam was very easy compared to the driving test.', 'compared'],
  ['a pronoun without its thing', 'So far I have never tried.', 'tried'],
  ['two statements behind a pronoun', 'When I saw her I just waved at the crew.', 'saw'],
  ['a subject without its noun', "My aunt's, which happen to ring, are loud.", "aunt's | happen"]
])('omits %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').filter((fact) => fact.includes(`| ${words}`) || fact.includes(words))).toEqual([])
})

test.each([
  ['a garden that is only aimed at', 'I want to plan a garden where the paths are wide.', 'paths'],
  ['a part of a calculation', 'There are many ways, and 6C2 is 15 of them.', '6C2 |'],
  ['a loose end', 'I added a lamp for the shed, but currently, all shelves are dark.', 'but'],
  ['a second reason', "I'm deciding how to build the shed with Bo, and since Ann left, I'm alone.", 'since']
])('keeps no words of %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').filter((fact) => fact.includes(words))).toEqual([])
})
