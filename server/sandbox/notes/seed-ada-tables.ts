import type { SeedRow, SeedTable } from './seed-story.ts'

/** Which unit is where. */
export const UNITS: SeedTable = {
  title: 'Units',
  columns: { Unit: 'title', Ship: 'select', State: 'status', Firmware: 'rich_text', Owner: 'people', Serial: 'number' },
  rows: [
    ['Unit 1', 4, { Ship: 'Skarven', State: 'In service', Firmware: '2.4.1', Owner: ['Tomas Varga'], Serial: 1001 }],
    ['Unit 2', 4, { Ship: 'Skarven', State: 'In service', Firmware: '2.4.1', Owner: ['Tomas Varga'], Serial: 1002 }],
    ['Unit 3', 6, { Ship: 'Tärnan', State: 'In service', Firmware: '2.4.0', Owner: ['Tomas Varga'], Serial: 1003 }],
    ['Unit 4', 40, { State: 'Spare', Firmware: '2.3.9', Owner: ['Jonas Weber'], Serial: 1004 }],
    ['Unit 5', 33, { State: 'Lab', Firmware: '2.5.0-rc1', Owner: ['Priya Nair'], Serial: 1005 }],
    ['Unit 6', 33, { State: 'Lab', Firmware: '2.5.0-rc1', Owner: ['Priya Nair', 'Mei Tanaka'], Serial: 1006 }],
    [
      'Unit 7',
      29,
      { Ship: 'Tärnan', State: 'Repaired', Firmware: '2.4.0', Owner: ['Tomas Varga'], Serial: 1007 },
      'Came loose on 14 March. New bracket, lock washers doubled.'
    ]
  ]
}

const LINES = ['Northquay to Vik', 'Vik to Northquay', 'Harbour round', 'Lab bench', 'Skarven night line'] as const
const WEATHER = ['calm', 'fog', 'wind 5', 'wind 7, rain', 'clear, cold'] as const
const FINDINGS = [
  'Nothing to note.',
  'Heading off by 4 degrees for a minute after the turn at the lighthouse.',
  'Display too bright on the bridge at night, the mate put tape over it.',
  'Lost the link twice near the fish market, back within ten seconds.',
  'Depth steady to 0.1 m. Priya keeps the recording.',
  'Restarted once by itself. Watchdog, see the log.'
] as const
const PEOPLE = ['Tomas Varga', 'Priya Nair', 'Ada Moreau'] as const

/** The day before which the content of the sandbox ends, whatever the machine's clock. */
const STORY_END = Date.UTC(2026, 4, 1)
const DAY_MS = 24 * 3_600_000

/** A trial is on the day before somebody writes about it. */
function dayBefore(days: number): string {
  return new Date(STORY_END - days * DAY_MS).toISOString().slice(0, 10)
}

/** What was tried, every third day. */
export const TRIALS: SeedTable = {
  title: 'Trials',
  columns: { Trial: 'title', Line: 'select', Date: 'date', Weather: 'multi_select', Passed: 'checkbox', By: 'people' },
  rows: Array.from({ length: 48 }, (_, at): SeedRow => {
    const daysAgo = 150 - at * 3
    const values = {
      Line: LINES[at % LINES.length],
      Date: dayBefore(daysAgo + 1),
      Weather: [WEATHER[(at * 3) % WEATHER.length]],
      Passed: at % 7 !== 3,
      By: [PEOPLE[at % PEOPLE.length]]
    }
    return [`Trial ${at + 1}`, daysAgo, values, FINDINGS[(at * 5) % FINDINGS.length] ?? '']
  })
}
