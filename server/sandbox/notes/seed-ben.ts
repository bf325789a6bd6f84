import type { SeedWorkspace } from './seed-story.ts'

/** Somebody's own notes: translating, singing, cooking. */
export const BEN: SeedWorkspace = {
  id: '5eed0002-0000-4000-8000-000000000be2',
  name: 'Ben Okafor',
  email: 'ben.okafor@example.com',
  workspace: "Ben's notes",
  people: ['Yara Haddad'],
  pages: [
    {
      title: 'Quiet Shore',
      daysAgo: 5,
      text: `The translation, due on 30 September. Editor: Nora Lindqvist.
# Decisions
- **skärgård** stays as archipelago, never islands.
- Elin says du to her grandmother: informal throughout.
# Open
[ ] Chapter 9: the pun on tide and time
[x] Ask Nora about the map`,
      pages: [
        {
          title: 'Glossary',
          daysAgo: 15,
          text: '| Word | In English |\n| brygga | jetty |\n| sjöbod | boathouse |\n| fyr | lighthouse |'
        },
        {
          title: 'Style',
          daysAgo: 50,
          hidden: true,
          text: 'Short sentences stay short. British spelling. Dialogue in single quotes.'
        }
      ]
    },
    {
      title: 'Choir',
      daysAgo: 9,
      text: 'Rehearsals on Wednesdays, 19:30, hall B. Yara conducts, I am a second bass.\nConcert on 12 December in the harbour church.',
      tables: [
        {
          title: 'Repertoire',
          columns: { Piece: 'title', Composer: 'rich_text', Ready: 'checkbox', Minutes: 'number', Score: 'url' },
          rows: [
            ['Locus iste', 9, { Composer: 'Anton Bruckner', Ready: true, Minutes: 3 }],
            ['Sicut cervus', 30, { Composer: 'Giovanni Pierluigi da Palestrina', Ready: true, Minutes: 4 }],
            [
              'The Blue Bird',
              44,
              {
                Composer: 'Charles Villiers Stanford',
                Ready: false,
                Minutes: 4,
                Score: 'https://scores.example/blue-bird'
              }
            ],
            [
              'Uti vår hage',
              44,
              { Composer: 'Hugo Alfvén', Ready: false, Minutes: 2 },
              'Second verse by heart, please.'
            ]
          ]
        }
      ]
    },
    {
      title: 'Kitchen',
      daysAgo: 26,
      text: 'Everything for two, unless it says otherwise.',
      pages: [
        {
          title: 'Jollof',
          daysAgo: 80,
          text: '1. Blend four tomatoes, two peppers and an onion.\n2. Fry the paste until the oil comes up, ten minutes.\n3. Rice in, stock over it, lid on, 25 minutes.\n> Grandma: if it does not catch at the bottom, it is not jollof.'
        },
        {
          title: 'Bread',
          daysAgo: 26,
          text: '500 g of flour, 350 g of water, 10 g of salt, 2 g of yeast. 18 hours. 250 °C in the pot.'
        }
      ]
    },
    { title: 'Gifts', daysAgo: 100, text: '[x] Yara: the score of the Fauré\n[ ] Mum: a train ride' }
  ]
}
