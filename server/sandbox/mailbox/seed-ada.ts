import { buildReports, mailingList, newsletter, receipts } from './seed-series.ts'
import type { SeedMailbox } from './seed-story.ts'

const TOMAS = 'Tomas Varga <tomas.varga@harbourlight.example>'
const PRIYA = 'Priya Nair <priya.nair@harbourlight.example>'
const ELIN = 'Elin Sjöberg <elin.sjoberg@northquay.example>'
const MUM = 'Claire Moreau <claire.moreau@example.org>'
const HALL = 'Greenwich Sailing Hall <bookings@sailinghall.example>'

/** Who leads a product: a team, a customer, a family. */
export const ADA: SeedMailbox = {
  id: 'ada',
  name: 'Ada Moreau',
  email: 'Ada.Moreau@harbourlight.example',
  threads: [
    {
      subject: 'Pilot with Northquay: dates',
      daysAgo: 112,
      labels: ['IMPORTANT'],
      mails: [
        {
          from: ELIN,
          text: 'Hello Ada,\n\nthe board approved the pilot this morning. We would start with the two harbour ferries, Skarven and Tärnan, and add the pilot boats in June.\n\nCould your team install the units in the week of 9 March? The ferries are in dock then anyway.\n\nBest regards\nElin\n\n-- \nElin Sjöberg\nHead of Operations, Northquay AB\n+46 8 555 01 20'
        },
        {
          hours: 5,
          quotes: true,
          text: 'Hi Elin,\n\nwonderful news. 9 March works: Tomas will come with the two units and stay until Thursday. He needs 24 V at the bridge and a mast clamp of 40 mm.\n\nThe contract is attached; our price for the pilot is 4,800 euros, units included.\n\nAda',
          files: [
            {
              name: 'Pilot contract Northquay.txt',
              type: 'text/plain',
              text: 'Pilot of two units, nine weeks, 4,800 euros.\n'
            }
          ]
        },
        {
          from: ELIN,
          hours: 20,
          quotes: true,
          text: 'Signed and on its way. Skarven has 24 V, Tärnan only 12 V on the bridge. Is that a problem?'
        },
        {
          hours: 2,
          quotes: true,
          cc: [TOMAS],
          text: 'No problem, Tomas brings a converter for Tärnan.\n\nSee you in March!\nAda'
        }
      ]
    },
    {
      subject: 'Battery life of the buoy unit',
      daysAgo: 74,
      mails: [
        {
          from: TOMAS,
          text: 'Ada,\n\nthe field test is in: the buoy unit lasts 61 days at one fix every ten minutes, not the 90 we promised. The radio is awake far too long after each message.\n\nI see two ways: send only every thirty minutes at night, or swap the radio for the LR1121. The second costs us about 3.20 euros per unit and six weeks.\n\nTomas'
        },
        {
          hours: 3,
          quotes: true,
          cc: [PRIYA],
          text: 'Thanks for being frank about it.\n\nLet us take the LR1121. Customers asked for night fixes more than for anything else, so thinning them out is off the table. Priya, can purchasing get 500 by mid April?\n\nAda'
        },
        {
          from: PRIYA,
          hours: 26,
          quotes: true,
          text: 'Yes: 500 pieces at 2.95 each, delivery on 14 April. I ordered them today under PO 2231.'
        },
        {
          from: TOMAS,
          hours: 900,
          quotes: true,
          text: 'First board with the new radio: 97 days extrapolated, measured over two weeks in the tank. I call that done.'
        }
      ]
    },
    {
      subject: 'Your birthday',
      daysAgo: 40,
      labels: ['CATEGORY_PERSONAL'],
      mails: [
        {
          from: MUM,
          text: 'My dear,\n\nshall we do it at our place this year? Papa wants to cook the lamb. Your brother and Inès come by train on Friday evening and leave on Sunday.\n\nAnd tell me what you wish for. Not a book voucher again!\n\nBig kiss\nMaman'
        },
        {
          hours: 9,
          quotes: true,
          text: 'Chère Maman,\n\nyes please, lamb! I am vegetarian on all other days, as you know, but not on that one.\n\nI wish for a sailing jacket, size M, anything but white.\n\nAda'
        },
        {
          from: MUM,
          hours: 14,
          quotes: true,
          text: 'It will be red then. Saturday at noon. Bring Jonas if he is back from Oslo.'
        }
      ]
    },
    {
      subject: 'Hiring: firmware engineer',
      daysAgo: 31,
      labels: ['Label_1'],
      mails: [
        {
          from: PRIYA,
          text: 'Three candidates are left: Samuel Adeyemi, Mira Kowalczyk and Jens Holt. Interviews are on Tuesday from 10:00 in the small room.\n\nMira asks whether she could work from Gdańsk three days a week.'
        },
        {
          hours: 1,
          quotes: true,
          text: 'Gdańsk is fine with me as long as she is here for the sea trials. I will do the first half hour with each, Tomas the technical part.'
        },
        {
          from: TOMAS,
          hours: 52,
          quotes: true,
          text: 'My vote after today: Mira. She found the race in our bootloader from the schematic alone. Samuel second.'
        },
        {
          hours: 16,
          quotes: true,
          cc: [PRIYA],
          text: 'Agreed. Priya, please make Mira the offer: 68,000 a year, start on 1 June.'
        },
        { from: PRIYA, hours: 49, quotes: true, text: 'She accepted!' }
      ]
    },
    {
      subject: 'Boat for the team day',
      daysAgo: 16,
      mails: [
        {
          from: HALL,
          html: '<html><body><p>Dear Ms Moreau,</p><p>we have booked for you:</p><table border="1"><tr><th>Boat</th><th>From</th><th>To</th><th>Price</th></tr><tr><td>Kestrel, 8 seats</td><td>10:00</td><td>16:00</td><td>&pound;340</td></tr></table><p>Life jackets are <b>included</b>. Please be at the <a href="https://sailinghall.example/pier4">pier 4</a> at 9:40.</p><p>Kind regards<br>Greenwich Sailing Hall</p></body></html>'
        },
        {
          hours: 4,
          quotes: true,
          text: 'Thank you. We will be seven, and one of us cannot swim: do you have a vest for 110 kg?'
        },
        { from: HALL, hours: 3, quotes: true, text: 'We do. It will be on board.' }
      ]
    },
    {
      subject: 'Sea trial notes',
      daysAgo: 4,
      labels: ['STARRED'],
      mails: [
        {
          from: TOMAS,
          text: 'Notes from Wednesday:\n\n* compass drifts by 2 degrees after a fast turn\n* the display is unreadable with polarised glasses\n* the alarm for shallow water came 4 seconds late\n\nThe first is a filter constant and is fixed already. For the display we need another film. I will look into the alarm with Mira on Monday.',
          files: [
            { name: 'trial-0412.csv', type: 'text/csv', text: 'time,heading,depth\n10:00,182,4.1\n10:01,184,3.8\n' }
          ]
        },
        {
          hours: 6,
          quotes: true,
          text: '> the display is unreadable with polarised glasses\n\nElin said the same of the ferries. Order the film, whatever it costs.'
        }
      ]
    }
  ],
  series: [
    newsletter('The Tidewater Letter <letter@tidewater.example>'),
    buildReports('harbourlight'),
    receipts(0),
    mailingList()
  ]
}
