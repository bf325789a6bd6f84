import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Zones that skip hours, half hours and, in Apia, the whole of 30 December 2011. */
const ZONES = ['America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'] as const

/** Times in hours and on days that one of these zones skips, at the ends of a year, and now. */
const SAID_AT = [
  ...['2011-12-30T12:00:00.000Z', '2023-03-12T02:30:00.000Z', '2023-10-01T02:15:00.000Z'],
  ...['2023-12-31T23:59:59.999Z', '2024-01-01T00:00:00.000Z', '2024-02-29T06:00:00.000Z']
]

const TEXT = `We met yesterday at 5pm. Last Friday it rained. Two weeks ago, on May 5, in June, at Christmas, 3 hours ago.
In 20 minutes we will go. She was born on 2001-03-11 02:30. The call is on 12 March 2023 at 2:30 am, or tomorrow at noon.
Since 2016 I have run every Tuesday. On the 5th, last weekend, last summer, the day before yesterday, at 10:15 EST.`

let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'memctl-zones-'))
  await build({
    stdin: {
      contents: `import { readTimes } from './src/memory/time/read-times.ts'
        const [text, ...ats] = JSON.parse(process.argv[2])
        const times = [undefined, ...ats].map((at) => readTimes(text, { at }))
        console.log(JSON.stringify({ zone: new Date(Date.parse('2023-07-01T00:00:00Z')).getTimezoneOffset(), times }))`,
      resolveDir: process.cwd(),
      loader: 'ts'
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: join(folder, 'times.mjs')
  })
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

function timesIn(zone: string): { zone: number; times: unknown[][] } {
  const args = [join(folder, 'times.mjs'), JSON.stringify([TEXT, ...SAID_AT])]
  const { stdout, stderr } = spawnSync(process.execPath, args, { env: { TZ: zone }, encoding: 'utf8' })
  if (stdout === '') throw new Error(`the child said: ${stderr}`)
  return JSON.parse(stdout)
}

test.each(ZONES)('reads the same times on a machine in %s as on one in UTC', (zone) => {
  const [here, there] = [timesIn('UTC'), timesIn(zone)]
  expect(there.zone).not.toBe(0)
  expect(there.times).toEqual(here.times)
  expect(here.times.map((times) => times.length > 1)).not.toContain(false)
})
