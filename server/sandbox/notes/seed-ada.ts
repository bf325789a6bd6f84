import { TRIALS, UNITS } from './seed-ada-tables.ts'
import type { SeedWorkspace } from './seed-story.ts'

/** A small company that makes units for ships and buoys, and writes down how. */
export const ADA: SeedWorkspace = {
  id: '5eed0001-0000-4000-8000-000000000ada',
  name: 'Ada Moreau',
  email: 'ada.moreau@harbourlight.example',
  workspace: 'Harbourlight',
  people: ['Tomas Varga', 'Priya Nair', 'Jonas Weber', 'Mei Tanaka'],
  pages: [
    {
      title: 'Handbook',
      daysAgo: 21,
      text: `Everything that is worth reading twice.
! If something here is wrong, mend it. Nobody has to be asked.
# Working hours
We are in the office from **10:00 to 15:00**. Outside of that, nobody has to answer.
# Money
- Expenses up to 200 euros need no approval.
- Train before plane, always second class.
  - Night trains: a compartment of your own is fine.
- Invoices go to invoices@harbourlight.example.`,
      pages: [
        {
          title: 'First week',
          daysAgo: 60,
          text: `[x] Get a key from Jonas
[x] Read the safety page
[ ] Flash one unit with Priya
[ ] Spend a morning on the ferry
+ What to bring on board
  Shoes with a firm sole, and something warm. The engine room is loud: ear protection hangs at the door.`
        },
        {
          title: 'Safety on board',
          daysAgo: 34,
          text: `# Before boarding
1. Sign in at the gate of pier 4.
2. Wear the vest. The master decides who stays.
# In the engine room
> No work on a running shaft, whatever the schedule says.
Emergency number of the harbour: 112, channel 16 on board.`,
          pages: [
            {
              title: 'Incident of 14 March',
              daysAgo: 30,
              hidden: true,
              text: `The bracket of unit 7 came loose in heavy weather. Nobody was hurt.
**Cause:** the lock washers were left out. **Since then:** Tomas checks the torque of every bracket, 24 newton metres.`
            }
          ]
        },
        {
          title: 'Holidays',
          daysAgo: 90,
          text: 'Thirty days. Put them into the calendar two weeks before, a month if it is more than ten.'
        }
      ]
    },
    {
      title: 'Pilot with Northquay',
      daysAgo: 3,
      text: `Two ferries, Skarven and Tärnan, from 9 March. Contact there: Ingrid Solberg, fleet manager.
# What was agreed
| Milestone | Due | Owner |
| Units on board | 9 March | Tomas Varga |
| First report | 30 April | Ada Moreau |
| Decision on the fleet | 15 June | Northquay |
columns
  column
    # What went well
    The link held over the whole crossing, also in fog.
  column
    # What did not
    The display is too bright at night. Mei makes a red mode.
bookmark https://www.northquay.example/fleet`,
      pages: [
        {
          title: 'Notes of 12 March',
          daysAgo: 19,
          text: `Ingrid wants the fuel figures by trip, not by day.
[ ] Ask Priya whether the clock of the unit is good enough
[x] Send the draft of the report
Next call on 26 March at 9:30.`
        },
        {
          title: 'Notes of 26 March',
          daysAgo: 12,
          text: 'Fuel by trip works. Northquay saves about 6 percent on the night line, less by day.\nIngrid asked for a price for eleven ships.'
        },
        {
          title: 'Price for eleven ships',
          daysAgo: 3,
          hidden: true,
          text: 'We offer 1,150 euros a unit and 49 euros a month. Lower limit: 990. Ada decides on anything below.'
        }
      ]
    },
    {
      title: 'Engineering',
      daysAgo: 8,
      text: `Where the numbers come from, and what may not be changed without a test.
synced
  Firmware on the ships: 2.4.1. Units in the lab may be ahead.`,
      tables: [UNITS, TRIALS],
      pages: [
        {
          title: 'How heading is filtered',
          daysAgo: 45,
          text: `The gyro drifts, the compass jumps; we mix them.
$$ \\theta_k = \\alpha(\\theta_{k-1} + \\omega\\Delta t) + (1-\\alpha)\\theta_m
With $\\alpha = 0.98$ it settles in about five seconds.
\`\`\`c
float mix(float last, float rate, float compass) {
  return 0.98f * (last + rate * DT) + 0.02f * compass; // [deg]
}
\`\`\`
Steel decks turn the compass by up to 20 degrees: calibrate at the berth.`
        },
        {
          title: 'Release checklist',
          daysAgo: 8,
          text: '[ ] Tag the build\n[ ] Flash three units\n[ ] Let them run over night\n[ ] Write to Northquay before, not after'
        },
        {
          title: 'Ideas',
          daysAgo: 70,
          text: 'embed https://boards.example/harbourlight\nimage https://images.example/mast.png\nunsupported\n---\nA mast unit without a cable: solar, 40 grams, Bluetooth to the bridge.'
        },
        { title: 'Scratch', daysAgo: 110 }
      ]
    },
    { title: 'Old website texts', daysAgo: 200, text: 'Light for harbours since 2019.', trashed: true }
  ]
}
