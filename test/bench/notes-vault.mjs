// A vault of 200 Markdown notes of our own: people, projects, meetings, places, recipes, books and daily notes, with front
// matter, wikilinks, tasks, tables and tags. The same notes in every run.
// `node test/bench/notes-vault.mjs FOLDER` writes them.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { randomNumbers } from '../setup/random-numbers.mjs'

const PEOPLE = [
  ['Mira Voss', 'Mira', 'Hamburg', 'architect', 'Nordlicht Studio', '14 June', 'climbing', 'peanuts'],
  ['Tom Alder', 'Tom', 'Leeds', 'carpenter', 'Alder & Sons', '3 February', 'old radios', 'cats'],
  ['Ines Carvalho', 'Ines', 'Porto', 'nurse', 'Hospital de São João', '21 September', 'fado', 'shellfish'],
  ['Jun Takeda', 'Jun', 'Osaka', 'translator', 'Kawa Press', '9 December', 'go', 'pollen'],
  ['Leila Haddad', 'Leila', 'Lyon', 'pastry chef', 'Maison Coline', '30 April', 'cycling', 'penicillin'],
  ['Oskar Lindqvist', 'Oskar', 'Umeå', 'ranger', 'the county board', '17 January', 'ice fishing', 'bees'],
  ['Priya Raman', 'Priya', 'Chennai', 'data engineer', 'Brightgrid', '5 August', 'Carnatic music', 'latex'],
  ['Samuel Okoro', 'Sam', 'Lagos', 'lawyer', 'Okoro Partners', '12 May', 'chess', 'dust'],
  ['Nadia Petrova', 'Nadia', 'Sofia', 'cellist', 'the radio orchestra', '26 October', 'mushrooms', 'nickel'],
  ['Hugo Brandt', 'Hugo', 'Graz', 'physics teacher', 'BG Oeversee', '8 March', 'sailing', 'walnuts'],
  ['Ellen Marsh', 'Ellen', 'Bristol', 'vet', 'Clifton Vets', '19 July', 'bell ringing', 'strawberries'],
  ['Diego Fuentes', 'Diego', 'Valparaíso', 'photographer', 'himself', '2 November', 'surfing', 'aspirin']
]

function personNote([name, short, city, job, employer, birthday, likes, allergy], n) {
  const [friend] = PEOPLE[(n + 5) % PEOPLE.length]
  return `---
aliases: [${short}]
tags: [person]
created: 2025-${two((n % 12) + 1)}-11
---
# ${name}

- Lives in: ${city}
- Job: ${job}
- Employer: ${employer}
- Birthday: ${birthday}
- Allergic to ${allergy}

## Notes
${short} is into ${likes}. We met at ${friend}'s housewarming in 2019. ${short} speaks ${['German', 'English', 'Portuguese', 'Japanese', 'French', 'Swedish'][n % 6]} at home.

## Gift ideas
- ${['a head torch', 'a soldering iron', 'tea from the Azores', 'a fountain pen', 'a cast-iron pan', 'wool socks'][n % 6]}
- ${['tickets for the puppet theatre', 'a book about lighthouses', 'a jar of heather honey', 'a map of the canals'][n % 4]}

## Tasks
- [ ] Return ${short}'s ${['ladder', 'camping stove', 'umbrella', 'blue suitcase'][n % 4]}
- [x] Send ${short} the photos from the lake
`
}

const PROJECTS = [
  ['Kitchen renovation', 'Tom Alder', '14,000 EUR', '2026-06-30', ['Casa Azul', 'Brennholt']],
  ['Allotment', 'Ellen Marsh', '600 EUR', '2026-09-15', ['Green Fork', 'Seedhouse']],
  ['Choir tour', 'Nadia Petrova', '8,200 EUR', '2026-10-04', ['Hostel Brda', 'Pension Alma']],
  ['Website relaunch', 'Priya Raman', '3,500 EUR', '2026-05-12', ['Hetvik Hosting', 'Port 80']],
  ['Boat repair', 'Hugo Brandt', '2,750 EUR', '2026-04-20', ['Werft Lorenz', 'Segelmacher Pichler']],
  ['Photo book', 'Diego Fuentes', '420 EUR', '2026-12-01', ['Printhaus', 'Laguna Press']]
]
const DECISIONS = [
  [
    'Worktop: oak, oiled',
    'The fridge stays on the left wall',
    '~~Paint: white~~ Paint: sage green',
    'We keep the old floor'
  ],
  [
    'Beds: four, each 1.2 m wide',
    'Tomatoes go under the glass',
    'No plastic sheets',
    'The water barrel moves behind the shed'
  ],
  [
    'Route: Graz, Maribor, Zagreb',
    'Everyone pays half in advance',
    'Concert dress: dark blue',
    'The bus leaves at 7:30'
  ],
  [
    'Generator: static pages',
    'The shop is switched off until autumn',
    'Font: Atkinson Hyperlegible',
    'Priya writes the redirects'
  ],
  [
    'Varnish: two coats',
    'The mast stays at the yard',
    'Engine: overhaul instead of a new one',
    'Hugo orders the ropes'
  ],
  [
    'Format: 24 x 30 cm',
    'The cover shows the harbour at night',
    'Paper: matt, 170 g',
    'No captions under the portraits'
  ]
]

function projectNote([title, owner, budget, deadline, firms], n) {
  return `---
title: ${title}
tags: [project${n % 2 ? '/active' : ''}]
date: 2026-03-0${n + 1}
---
# ${title}

Owner: [[${owner}]]
Budget: ${budget}
Deadline: ${deadline}

## Decisions
${DECISIONS[n].map((line) => `- ${line}`).join('\n')}

## Tasks
- [ ] Compare the offers of [[${firms[0]}]] and [[${firms[1]}]] 📅 2026-03-2${n}
- [ ] Call [[${owner}]] about the deposit by Friday
- [x] Open a folder for the invoices ✅ 2026-03-0${n + 2}

## Offers
| Company | Price | Delivery |
|---|---|---|
| ${firms[0]} | ${(1200 + 310 * n).toLocaleString('en')} EUR | ${n + 2} weeks |
| ${firms[1]} | ${(1480 + 270 * n).toLocaleString('en')} EUR | ${n + 3} weeks |

> [!note] Reminder
> The invoices go to the shared account.

\`\`\`
total = ${n + 3} * rate
\`\`\`
`
}

const RECIPES = [
  ['Rye bread', '75 minutes', ['500 g rye flour', '10 g salt', '350 ml water', '100 g sourdough'], 'Leila Haddad'],
  ['Caldo verde', '40 minutes', ['4 potatoes', '200 g kale', '1 chouriço', '2 cloves of garlic'], 'Ines Carvalho'],
  ['Okonomiyaki', '30 minutes', ['300 g cabbage', '2 eggs', '120 g flour', 'dashi'], 'Jun Takeda'],
  ['Lemon rice', '25 minutes', ['2 cups of rice', '2 lemons', 'curry leaves', 'mustard seeds'], 'Priya Raman']
]

function recipeNote([title, time, ingredients, from]) {
  return `---
tags: [recipe]
source: "[[${from}]]"
---
# ${title}

Time: ${time}
Serves: 4

## Ingredients
${ingredients.map((line) => `- ${line}`).join('\n')}

## Steps
1. Mix everything in a large bowl
2. Let it rest for ten minutes
3. Cook it on medium heat and serve at once
`
}

const BOOKS = [
  ['The Salt Road', 'Ana Viel', 'essays', 4, 'The chapter on toll houses is the best one.'],
  ['Nine Winters', 'Per Holm', 'novel', 5, 'Slow, but the ending stays with you.'],
  ['Knots for Cooks', 'M. Draper', 'manual', 3, 'Useful drawings and a poor index.'],
  ['A City Under Glass', 'Lina Sorrel', 'history', 4, 'It explains why the arcades were built.'],
  ['The Quiet Engine', 'R. Tan', 'science', 2, 'Too many formulas without examples.'],
  ['Letters from Sines', 'Ilda Nunes', 'letters', 5, 'Read it again in summer.']
]

const bookNote = ([title, author, genre, rating, remark], n) => `---
author: ${author}
genre: ${genre}
rating: ${rating}
finished: 2026-0${n + 1}-2${n}
---
# ${title}

${remark} Recommended by [[${PEOPLE[n * 2][0]}|${PEOPLE[n * 2][1]}]].

## Quotes
> A road is only a promise.
`

const PLACES = [
  ['Café Linde', 'Lindenweg 4, Hamburg', '8:00 to 18:00', 'The plum cake sells out before noon.'],
  ['Hostel Brda', 'Trg 7, Maribor', 'all day', 'The rooms to the yard are quiet.'],
  ['Werft Lorenz', 'Seestraße 12, Attersee', '9:00 to 16:00', 'The crane is free on Tuesdays.'],
  ['Clifton Vets', 'Portland Street 30, Bristol', '8:30 to 17:30', 'Ellen works there on Mondays and Thursdays.'],
  ['Mercado do Bolhão', 'Rua Formosa, Porto', '8:00 to 20:00', 'The fish stalls close at noon.'],
  ['Bouldergarten', 'Kanalstraße 70, Berlin', '10:00 to 23:00', 'Shoes cost 4 EUR a day.']
]

const placeNote = ([title, address, hours, remark]) => `# ${title}

**Address:** ${address}
**Opening hours:** ${hours}

${remark}
`

const MEETINGS = [
  [
    'Allotment committee',
    ['Ellen Marsh', 'Sam', 'Tom Alder'],
    'The rent rises to 95 EUR a year from July.',
    'Sam writes to the council'
  ],
  [
    'Choir board',
    ['Nadia Petrova', 'Hugo Brandt'],
    'The spring concert was moved from 9 May to 16 May.',
    'Nadia books the hall'
  ],
  [
    'Website call',
    ['Priya Raman', 'Jun Takeda'],
    'Jun translates the pages into Japanese until the end of April.',
    'Priya sends the texts'
  ],
  [
    'House meeting',
    ['Mira Voss', 'Leila Haddad', 'Oskar Lindqvist'],
    'The lift will be repaired on 18 March.',
    'Mira puts up a notice'
  ],
  [
    'Boat owners',
    ['Hugo Brandt', 'Diego Fuentes'],
    'Berth 12 is free since January, and Hugo takes it.',
    'Diego asks for the key'
  ],
  [
    'Reading circle',
    ['Ines Carvalho', 'Ellen Marsh', 'Jun Takeda'],
    'The next book is Nine Winters.',
    'Ines brings cake'
  ]
]

function meetingNote([title, attendees, outcome, task], n, month) {
  return `---
type: meeting
date: 2026-${two(month)}-${two(5 + n)}
---
# ${title} ${month === 3 ? 'March' : 'April'}

## Attendees
${attendees.map((name) => `- [[${name}]]`).join('\n')}

## Outcome
- ${outcome}
- Next meeting: ${two(5 + n)} ${month === 3 ? 'April' : 'May'} 2026

## Action items
- [ ] ${task} by ${['Monday', 'Friday', 'Sunday'][n % 3]}
- [ ] @${attendees[0].split(' ')[0].toLowerCase()} sends the minutes
`
}

const DAILY = [
  'Met [[Mira Voss|Mira]] at [[Café Linde]]; she starts at Nordlicht in May',
  'Dentist moved to 12 May, 9:30',
  'Idea: a podcast about old maps',
  'Slept badly',
  'Tom lent me his circular saw until Sunday',
  'Ran 8 km along the canal in 47 minutes',
  'The boiler was serviced today; the next service is due in March 2027',
  'Paid the allotment rent (95 EUR)',
  'Leila quit her job at Maison Coline and opens her own shop in June',
  'Weight: 71.4 kg',
  'Bought a second-hand cello bow for 240 EUR from Nadia',
  'Correction: the gate code is 4417, not 7714',
  'Ines is back in Porto',
  'Oskar and I repaired the fence behind the cabin',
  'Passport expires on 3 November 2027',
  'Watched the frost fair documentary, very good',
  'Sam no longer works for the ministry',
  'The cat has lost 300 g since February',
  'Wifi at the cabin: heron / fjord-88',
  'Called the insurance; claim number 55-1093',
  'Hugo sold his old boat last week',
  'Jun recommends the bakery next to the station',
  'The car passed its inspection yesterday',
  'Started physiotherapy for my left knee',
  "Priya's sister is getting married in Madurai in December",
  'Diego flies to Lisbon on 4 June and stays for two weeks',
  'Grandmother turned 90',
  'Gave the blue suitcase back to Diego',
  'The spare key is with Ellen now',
  'Stopped eating sugar on weekdays'
]
const DAY_TASKS = [
  'call the bank',
  'water the seedlings',
  'renew the library card',
  'send Hugo the invoice',
  'book the ferry to Kiel',
  'buy a birthday present for Ines',
  'cancel the gym',
  'fix the bike light',
  'answer Nadia about the rehearsal',
  'descale the kettle'
]

function dailyNote(day, random) {
  const pick = (list) => list[Math.floor(random() * list.length)]
  const lines = new Set([pick(DAILY), pick(DAILY), pick(DAILY)])
  const tasks = new Set([pick(DAY_TASKS), pick(DAY_TASKS)])
  const body = [...lines].map((line) => `- ${line}`).join('\n')
  const todo = [...tasks].map((task, n) => `- [${n === 0 && random() < 0.5 ? 'x' : ' '}] ${task}`).join('\n')
  return `# ${day}\n\n${body}\n\n## Tasks\n${todo}\n${random() < 0.3 ? '\n#journal ^day\n' : ''}`
}

/** Returns the notes by their path. */
export function makeVault() {
  const notes = new Map()
  for (const [n, person] of PEOPLE.entries()) notes.set(`People/${person[0]}.md`, personNote(person, n))
  for (const [n, project] of PROJECTS.entries()) notes.set(`Projects/${project[0]}.md`, projectNote(project, n))
  for (const recipe of RECIPES) notes.set(`Recipes/${recipe[0]}.md`, recipeNote(recipe))
  for (const [n, book] of BOOKS.entries()) notes.set(`Books/${book[0]}.md`, bookNote(book, n))
  for (const place of PLACES) notes.set(`Places/${place[0]}.md`, placeNote(place))
  for (const month of [3, 4])
    for (const [n, meeting] of MEETINGS.entries())
      notes.set(`Meetings/2026-${two(month)}-${two(5 + n)} ${meeting[0]}.md`, meetingNote(meeting, n, month))
  const random = randomNumbers(7)
  for (let day = 0; notes.size < 200; day++) {
    const date = new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10)
    notes.set(`Daily/${date}.md`, dailyNote(date, random))
  }
  return notes
}

function two(value) {
  return String(value).padStart(2, '0')
}

/** Writes the notes into a folder. */
export function writeVault(folder) {
  for (const [path, text] of makeVault()) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeVault(process.argv[2] ?? 'vault')
