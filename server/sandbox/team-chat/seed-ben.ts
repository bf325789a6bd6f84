import type { SeedWorkspace } from './seed-story.ts'

/** A choir, with who sings, drives and bakes. */
export const BEN: SeedWorkspace = {
  name: 'Ben Okafor',
  email: 'ben.okafor@example.com',
  number: 2,
  team: 'Eastbrook Choir',
  domain: 'eastbrook-choir-sandbox',
  people: [
    ['ben', 'Ben Okafor', 'Ben', 'Bass'],
    ['yara', 'Yara Haddad', 'Yara', 'Conductor'],
    ['leo', 'Leo Tan', 'Leo', 'Tenor'],
    ['greta', 'Greta Lund', 'greta', 'Soprano, treasurer']
  ],
  channels: [
    {
      name: 'general',
      talk: [
        [
          90,
          1100,
          'yara',
          'Rehearsals move to Wednesdays, 19:30, hall B. The heating in hall A will not be repaired before summer.'
        ],
        [
          64,
          1120,
          'greta',
          'The fee is 15 a month from April. Students pay 5.',
          [
            [18, 'leo', 'Does it include the scores?'],
            [22, 'greta', 'Yes, all but the big Brahms.']
          ]
        ],
        [9, 1090, 'yara', 'We sing at the town hall on 14 May at 18:00. Black, no ties.']
      ]
    },
    {
      name: 'utrecht-trip',
      topic: '22 to 24 May',
      talk: [
        [
          58,
          1080,
          'leo',
          'Train or bus? Bus is 1,140 for all, train about 62 each.',
          [
            [5, 'ben', 'How many are we?'],
            [8, 'leo', '31, so the bus is cheaper.'],
            [30, 'yara', '!Bus it is. Leo books it.']
          ]
        ],
        [41, 1100, 'leo', 'Bus is booked: leaves Friday 22 May at 7:15 from the fire station.'],
        [13, 1095, 'ben', 'I share a room with <@{leo}>, he promised not to snore.']
      ]
    },
    {
      name: 'scores',
      talk: [
        [70, 1000, 'yara', 'Bar 42 of the motet: basses sing G, the print is wrong.'],
        [28, 1010, 'ben', 'I scanned the Rheinberger: <https://scores.example.org/rheinberger>']
      ]
    },
    {
      name: 'cake-rota',
      talk: [
        [
          35,
          1000,
          'greta',
          'May: Ben 6th, Leo 13th, nobody 20th, me 27th.',
          [[9, 'yara', 'I take the 20th, plum cake.']]
        ]
      ]
    },
    {
      name: 'board',
      private: true,
      talk: [
        [
          26,
          1200,
          'greta',
          'We have 3,480 in the account, and the hall costs 210 a month.',
          [[14, 'ben', 'Then we can afford the second accompanist until December.']]
        ]
      ]
    },
    { name: 'lost-and-found', talk: [[17, 1130, 'leo', 'A grey scarf and a tuning fork (A=442) are in the cupboard.']] }
  ]
}
