import { mailingList, newsletter, receipts } from './seed-series.ts'
import type { SeedMailbox } from './seed-story.ts'

const ROSA = 'Rosa Delgado <rosa@delgado-verlag.example>'
const LEO = 'Leo Tan <leo.tan@example.net>'
const YARA = 'Yara Haddad <yara.haddad@example.org>'
const COUNCIL = 'Allotment Office <allotments@eastbrook.example>'

/** Who works alone: translations, a garden, a choir. */
export const BEN: SeedMailbox = {
  id: 'ben',
  name: 'Ben Okafor',
  email: 'Ben.Okafor@example.com',
  threads: [
    {
      subject: 'Translation of "Das stille Ufer"',
      daysAgo: 130,
      labels: ['IMPORTANT'],
      mails: [
        {
          from: ROSA,
          text: 'Dear Ben,\n\nwe have the English rights for "Das stille Ufer" and would love you to translate it. 312 pages, we need the manuscript by 30 September. Our fee is 24 euros per page plus a share of 1.5 % from copy 5,000 on.\n\nThe author, Hanne Wolf, answers questions by mail, but slowly.\n\nRosa Delgado'
        },
        {
          hours: 30,
          quotes: true,
          text: 'Dear Rosa,\n\nI have read it twice since yesterday. Yes! 26 per page, as for the last one, and the date is fine.\n\nBen'
        },
        { from: ROSA, hours: 22, quotes: true, text: 'Twenty-six it is. The contract comes by post.' },
        {
          hours: 2100,
          quotes: true,
          text: 'Dear Rosa,\n\nhere are the first three chapters. A question for Hanne: the "Schleuse" in chapter two, is that a lock or a sluice gate? The plot turns on it.\n\nBen',
          files: [
            {
              name: 'Quiet Shore, ch. 1-3.txt',
              type: 'text/plain',
              text: 'The river had no name on any map they owned.\n'
            }
          ]
        },
        {
          from: ROSA,
          hours: 60,
          quotes: true,
          text: 'Hanne says: a lock, for boats. And she loves your first sentence.'
        }
      ]
    },
    {
      subject: 'Plot 14',
      daysAgo: 95,
      mails: [
        {
          from: COUNCIL,
          text: 'Dear Mr Okafor,\n\nyour name has reached the top of the waiting list. Plot 14 (125 square metres, shed, water tap shared with plot 15) is free from 1 April. The rent is 54 pounds a year.\n\nPlease let us know within two weeks.\n\nEastbrook Allotment Office'
        },
        {
          hours: 1,
          quotes: true,
          text: 'I take it. After six years I had almost forgotten that I asked!\n\nBen Okafor'
        },
        {
          from: COUNCIL,
          hours: 70,
          quotes: true,
          text: 'The key is at the office, Monday to Thursday from 9 to 12. The code of the gate is changed each month and hangs in the shed.'
        }
      ]
    },
    {
      subject: 'Choir trip to Utrecht',
      daysAgo: 50,
      mails: [
        {
          from: YARA,
          text: 'Hi all,\n\nthe concert in Utrecht is fixed: Saturday 14 June, 20:00 at the Jacobikerk. We sing the Duruflé and the three Arvo Pärt pieces.\n\nThe train leaves London St Pancras on Friday at 11:04. Who needs a room? I have eleven names so far.\n\nYara'
        },
        {
          hours: 12,
          quotes: true,
          text: 'Count me in, and Leo too. We share a room. I am allergic to feathers, so synthetic pillows please.'
        },
        { from: LEO, hours: 3, quotes: true, text: 'And I need to be back by Sunday evening, I have a night shift.' },
        { from: YARA, hours: 40, quotes: true, text: 'Noted. Sunday train is at 14:56, arrives 18:05.' }
      ]
    },
    {
      subject: 'Seed potatoes?',
      daysAgo: 28,
      mails: [
        {
          from: LEO,
          text: 'I ordered far too many Charlotte seed potatoes, about 4 kg. Do you want half? They should go in before the weekend.\n\nLeo'
        },
        {
          hours: 2,
          quotes: true,
          text: 'Gladly! In exchange you get tomato plants in May: Moneymaker and the black ones from Odessa.'
        },
        { from: LEO, hours: 1, quotes: true, text: 'Deal. I come by on Thursday at six.' }
      ]
    },
    {
      subject: 'Invoice 2207',
      daysAgo: 12,
      labels: ['Label_1'],
      mails: [
        {
          text: 'Dear Rosa,\n\nplease find attached invoice 2207 for chapters 1 to 8, 2,496 euros, due within 30 days.\n\nBen',
          files: [
            { name: 'invoice-2207.txt', type: 'text/plain', text: 'Invoice 2207\n96 pages at 26 euros\n2,496 euros\n' }
          ]
        },
        {
          from: ROSA,
          hours: 18,
          quotes: true,
          text: 'Paid today. The cover designer has a first draft, shall I send it?'
        },
        { hours: 1, quotes: true, text: 'Please do.' }
      ]
    },
    {
      subject: 'Bike stolen',
      daysAgo: 3,
      mails: [
        {
          from: YARA,
          text: 'My bike was stolen in front of the rehearsal hall last night, the green Gazelle with the basket. If you see it anywhere, call me: 020 7946 0112.\n\nYara'
        },
        {
          hours: 2,
          quotes: true,
          text: 'Oh no. There is a camera at the bakery opposite. I know the owner and will ask her tomorrow morning.'
        }
      ]
    }
  ],
  series: [
    mailingList(),
    newsletter('Words Without Walls <hello@wordswithoutwalls.example>'),
    receipts(7),
    newsletter('The Tidewater Letter <letter@tidewater.example>')
  ]
}
