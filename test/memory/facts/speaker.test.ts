import { expect, test } from 'vitest'
import { factsIn } from './facts-in.ts'

test.each([
  [
    'a general statement',
    'Sharing a meal with the neighbours brings people together.',
    'Ida | believes | sharing a meal with the neighbours brings people together'
  ],
  [
    'an activity in a general condition',
    "Staying calm and keeping the dough warm is key when you're baking.",
    'Ida | finds | staying calm and keeping the dough warm key'
  ],
  [
    'an effect until now',
    'Eating more beans has made a difference for my skin.',
    "Ida | found that | eating more beans has made a difference for Ida's skin"
  ],
  [
    'what it is like to do something',
    "It's been great having my neighbours around while painting the shed.",
    "Ida | finds | it great having Ida's neighbours around while painting the shed"
  ],
  [
    'how something works',
    'It is amazing how a short nap can bring such calm and focus.',
    'Ida | finds | it amazing how a short nap can bring such calm and focus'
  ],
  [
    'what a decision feels like',
    "It's empowering to repair a broken boiler alone.",
    'Ida | finds | it empowering to repair a broken boiler alone'
  ],
  ['what matters', 'Tea time matters to me.', 'Ida | values | Tea time'],
  [
    'a part of a life',
    'Rowing is a huge part of my life, not just a hobby.',
    "a huge part of Ida's life | is | Rowing"
  ],
  [
    'a plan',
    "My strategy involved analyzing my rival's moves.",
    "Ida's strategy | involved | analyzing Ida's rival's moves"
  ],
  ['`is` after a name', "Soup's mostly my thing.", "Soup | is | mostly Ida's thing"],
  [
    'how an occasion was',
    'It was a lovely day at the harbour with my aunt.',
    "Ida | found | it a lovely day at the harbour with Ida's aunt"
  ],
  ['what comes before a remark', 'We went to Norwell, check it out.', 'Ida | went to | Norwell'],
  ['an effect', 'Small gifts can have a big impact.', 'Ida | believes | small gifts can have a big impact'],
  [
    'a judgement of what to do',
    "It's important to rest before a long race.",
    'Ida | finds | it important to rest before a long race'
  ],
  [
    'an experience of an activity',
    'Learning the steps of the tango was a challenge.',
    'Ida | found | learning the steps of the tango a challenge'
  ],
  [
    'an opinion after I think',
    'I think that early trains are better than night buses.',
    'Ida | believes | early trains are better than night buses'
  ]
])('attributes to the speaker %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test.each([
  ['a time', 'I called my aunt when the train stopped.', "Ida | called | Ida's aunt when the train stopped"],
  ['a reason', 'I sold the boat because the harbour closed.', 'Ida | sold | the boat because the harbour closed'],
  ['a participle', 'I spent May in Porto, painting old trams.', 'Ida | spent | May in Porto, painting old trams']
])('completes a value with %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test.each([
  ['that is still going on', 'Still mending my boat, although it rains.', "Ida | is still mending | Ida's boat"],
  ['after an opening', 'As for me, just working on the boat.', 'Ida | is just working on | the boat'],
  ['before another statement', 'Just got back from Porto, it was late.', 'Ida | just got back from | Porto'],
  ['of what they had', 'Had a long talk with Karl.', 'Ida | had | a long talk with Karl'],
  ['of what they love', 'Love sailing in the rain.', 'Ida | loves | sailing in the rain']
])('adds the implied speaker to a statement %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test('takes an activity on which the sentence comments for no statement of the speaker', () => {
  expect(factsIn('Mending the old boat would be a joy.', 'Ida').join()).not.toContain('is mending')
})

test.each([
  ['a pet', 'Rex is my dog.', "Ida's dog | is | Rex"],
  ['a goal', 'Crossing the lake is my main goal.', "Ida's main goal | is | crossing the lake"],
  ['a favourite', 'My favourite is the red boat.', "Ida's favourite | is | the red boat"],
  ['what matters to them', 'Honest work means a lot to me.', 'Ida | values | honest work']
])('makes what belongs to the speaker the subject: %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida').join().toLowerCase()).toBe(fact.toLowerCase())
})

test.each([
  [
    'of a relative clause',
    'Living beside people who love the same boats creates a bond.',
    'Ida | believes | living beside people who love the same boats creates a bond'
  ],
  [
    'of the past',
    'Taking lessons really changed my sailing.',
    "Ida | found that | taking lessons really changed Ida's sailing"
  ],
  [
    'behind another statement',
    "It rains a lot, but I feel it's important to train the young rowers every day.",
    'Ida | finds | it important to train the young rowers every day'
  ],
  [
    'that is judged',
    'Being out on the lake with friends is so peaceful.',
    'Ida | finds | being out on the lake with friends so peaceful'
  ]
])('attributes to the speaker a statement %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test('names the object that it refers to within a sentence', () => {
  expect(factsIn('I baked my first cake and sold it at the fair.', 'Ida')).toContain(
    "Ida | sold | Ida's first cake at the fair"
  )
})

test.each([
  [
    'a statement with worth it',
    'Our crew makes the early hours worth it.',
    "Ida's crew | makes | the early hours worth it"
  ],
  [
    'a relative clause that ends in its preposition',
    "I'm in the course I applied for.",
    'Ida | is in | the course Ida applied for'
  ],
  [
    'a plan that excites',
    "I'm so excited to explore the harbour of Porto!",
    'Ida | is | so excited to explore the harbour of Porto'
  ],
  ['a compound with a hyphen', 'I plan some me-time each day.', 'Ida | plans | some me-time each day'],
  ['a new thing', "I'm playing this new RPG with dragons.", 'Ida | is playing | a new RPG with dragons'],
  [
    'a statement before a question',
    'I want to eat fish, so what kind of soup do you like?',
    'Ida | wants to eat | fish'
  ]
])('keeps whole %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test.each([
  ['a place', 'I baked a cake there.', 'Ida | baked | a cake'],
  ['a comparison', 'I am testing some old boats like this.', 'Ida | is testing | some old boats'],
  ['persons', 'I sailed to Porto with them.', 'Ida | sailed to | Porto']
])('leaves out a last phrase that only points at %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toEqual([fact])
})

test('keeps a last phrase that a denial depends on', () => {
  expect(factsIn("I've never sold boats in this town.", 'Ida').join()).not.toMatch(/sold \| boats$/)
})

test('keeps a statement about an unnamed object that tells enough without it', () => {
  expect(factsIn('I made it in my pottery class in Bray yesterday.', 'Ida')).toEqual([
    "Ida | made | it in Ida's pottery class in Bray yesterday"
  ])
})

test.each([
  [
    'a purpose',
    "Hey Ben, I'll invite you to help with my boat in May.",
    "Ida | will invite | Ben to help with Ida's boat in May"
  ],
  [
    'what a person does',
    'I love seeing your dedication to old maps, Ben!',
    "Ida | loves | seeing Ben's dedication to old maps"
  ]
])('names the person addressed in %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test.each([
  ['hopes', 'I hope you are well, Ben!'],
  ['thanks', 'Thanks, Ben! I am here for you.'],
  ['requests', 'Let me know how it goes, Ben.'],
  ['a person who is not named', 'I love seeing your dedication to old maps!'],
  ['one of several persons', 'Hey Ben! Thanks, Karl. I love seeing your dedication to old maps.'],
  ['a place at the end', 'I love your dedication to maps in Oslo, Norway.']
])('finds no fact about the person addressed in %s', (_what, text) => {
  expect(factsIn(text, 'Ida')).toEqual([])
})

test.each([
  [
    'activities joined by and',
    "I'm gonna keep rowing and staying awake.",
    'Ida | is gonna keep | rowing and staying awake'
  ],
  [
    'what several do together',
    "We've all been helping and supporting each other during the long regatta.",
    'Ida | has been | helping and supporting each other during the long regatta'
  ],
  ['a thing that was named before', "I haven't bought a boat yet, but I still want one.", 'Ida | still wants | a boat'],
  [
    'what has a way of doing something',
    'Music has a way of calming and reviving a tired soul.',
    'Ida | believes | Music has a way of calming and reviving a tired soul'
  ],
  [
    'a judgement of the activity before',
    "I love kayaking. It's so calming and peaceful.",
    'Ida | finds | kayaking so calming and peaceful'
  ],
  [
    'a judgement of an activity that is seen',
    "It's awesome seeing the children learn about owls.",
    'Ida | finds | it awesome seeing the children learn about owls'
  ],
  ['a thing of the speaker in an apposition', 'And yes, there is Rex, my guinea pig.', "Ida's guinea pig | is | Rex"],
  ['a relative clause that asks what', 'Old maps are what I enjoy collecting.', 'Ida | enjoys collecting | Old maps'],
  [
    'a day that was a moment',
    'My best day was when we moved to Porto.',
    "Ida's best day | was | when Ida moved to Porto"
  ],
  [
    'a plan for several activities',
    "We're planning to ski, try the local soup, and row home.",
    'Ida | is planning | to ski, try the local soup, and row home'
  ],
  ['an activity without an object', "I wish I could row, but I'm learning to dive.", 'Ida | is learning | to dive'],
  [
    'several reasons',
    'Rowing is important for me because it builds muscle and prevents injuries.',
    'Ida | finds | Rowing important for Ida because it builds muscle and prevents injuries'
  ],
  ['a participle after an aside', 'Joined a choir and, like I said, working on maps.', 'Ida | is working on | maps'],
  [
    'resting as an activity',
    'Resting at home is better than running around the park.',
    'Ida | finds | resting at home better than running around the park'
  ],
  ['what the person addressed gives', 'Thanks, Ben! I value your support.', "Ida | values | Ben's support"],
  ['what a named animal brings', 'Rex brings me so much joy in winter.', 'Ida | gets | so much joy in winter from Rex'],
  [
    'an adjective that looks like a verb',
    "It's really cool how bees find their way home.",
    'Ida | finds | it really cool how bees find their way home'
  ],
  ['what something is for the speaker', 'Rowing is therapy for me.', 'Ida | finds | Rowing therapy'],
  ['a role', "As a Leeds fan, I can't agree with you.", 'Ida | is | a Leeds fan'],
  [
    'a participle with its degree',
    'The course was a bit challenging for me.',
    'Ida | found | the course a bit challenging for Ida'
  ]
])('reads %s', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test.each([
  [
    'a realisation',
    'It made me realize how short the summer is here.',
    'Ida | realized | how short the summer is here'
  ],
  [
    'two effects',
    'It made me feel calm in the storm and trust the boat.',
    'Ida | was made to feel | calm in the storm and trust the boat'
  ],
  ['a lesson', 'This taught me patience and a steady hand.', 'Ida | learned | patience and a steady hand'],
  ['an inspiration', 'Last year it inspired me to build a kiln.', 'Ida | was inspired | to build a kiln last year'],
  [
    'a reminder',
    'It reminds me why I left the bank for the bakery.',
    'Ida | is reminded | why Ida left the bank for the bakery'
  ],
  ['a reason', "Yes, that's why I collect old maps!", 'Ida | collects | old maps'],
  ['a time', 'That was when my aunt opened her shop.', "Ida's aunt | opened | her shop"],
  ['friendship', 'Thanks, Ben! Your friendship means a lot.', "Ida | values | Ben's friendship"]
])('reads %s that follows from something said before', (_what, text, fact) => {
  expect(factsIn(text, 'Ida')).toContain(fact)
})

test.each([
  ['what is no role', "As a reminder, I'll call you."],
  ['a feeling without its cause', 'It made me feel better.'],
  ['a supposed reason', "Maybe that's why I sleep with the lamp on."],
  ['a denied reason', "That's not why I left the bank."]
])('reads nothing from %s', (_what, text) => {
  expect(factsIn(text, 'Ida')).toEqual([])
})

test.each([
  ['a thing that might be', 'Could be very useful.'],
  ['a taste', 'Just tasted like sand.'],
  ['a noun with a participle', 'Smashed potatoes'],
  ['what keeps anybody awake', 'In Lund, warm rooms keep us awake.'],
  ['a condition', 'It does not matter where I go as long as I got the van in tow.'],
  ['a talk under way', "Since we're talking about boats, is there one you like?"]
])('tells nothing of the speaker from %s', (_what, text) => {
  expect(factsIn(text, 'Ida').filter((fact) => fact.startsWith('Ida |'))).toEqual([])
})

test.each([
  ['without thanks', 'I was cold in the evening thanks for the coat', 'was | cold in the evening'],
  [
    'with its whole subject',
    'My morning iced tea really helps me get through the winter.',
    "by | Ida's morning iced tea to get"
  ]
])('reads an experience %s', (_what, text, words) => {
  expect(factsIn(text, 'Ida').join('\n')).toContain(words)
})
