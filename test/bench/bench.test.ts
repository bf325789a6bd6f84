import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt } from '../cli/built-program.ts'
import { postgresEnvironment } from '../setup/postgres-schema.ts'

type Section = { title: string; run(): Promise<string[]> }

const place = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The bench scripts are plain JavaScript. */
const { SECTIONS }: { SECTIONS: Record<string, Section> } = await import(
  new URL('./sections.mjs', import.meta.url).href
)

beforeAll(ensureBuilt)

/** The usual sections use most of the scripts, without starting many servers. `SLOW=1` runs all sections. */
const NAMES = process.env.SLOW ? Object.keys(SECTIONS) : ['start', 'store', 'search', 'index', 'server', 'ingest']

/** Far above what all sections take on a busy machine, in milliseconds. */
const BENCH_MS_MAX = 1_800_000

test('runs one tiny round of sections without storing figures', { timeout: BENCH_MS_MAX }, async () => {
  const results = readFileSync(place('RESULTS.md'))
  // One process for all sections, because each one would load the libraries for comparison again.
  const env = { ...process.env, ...(await postgresEnvironment()), BENCH_TINY: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, [place('bench.mjs'), ...NAMES], { env })
  // A report has its title above a table. A section may add further tables and notes.
  const reports = stdout
    .trim()
    .split('\n\n')
    .map((part) => part.split('\n'))
    .filter(([first = '', second = '']) => !first.startsWith('|') && second.startsWith('|'))
  expect(reports).toHaveLength(NAMES.length)
  for (const [title, head, rule, ...rows] of reports) {
    expect(head, title).toMatch(/^\| .* \|$/)
    expect(rule, title).toMatch(/^\| --- \|/)
    expect(rows.filter((row) => row.startsWith('| ')).length, title).toBeGreaterThan(0)
  }
  expect(stdout).not.toMatch(/failed \(|not within|NaN|undefined/)
  expect(readFileSync(place('RESULTS.md'))).toEqual(results)
})

test('refuses an unknown section, and lists the existing ones', async () => {
  const run = promisify(execFile)(process.execPath, [place('bench.mjs'), 'speed'])
  await expect(run).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining(Object.keys(SECTIONS).join(', '))
  })
})
