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

test.each(Object.keys(SECTIONS))('runs one tiny round of the section %s without storing figures', async (name) => {
  const results = readFileSync(place('RESULTS.md'))
  const env = { ...process.env, ...(name === 'sync' ? await postgresEnvironment() : {}), BENCH_TINY: '1' }
  const { stdout } = await promisify(execFile)(process.execPath, [place('bench.mjs'), name], { env })
  const [, title, head, rule, ...rows] = stdout.split('\n')
  expect(title).not.toBe('')
  expect(head).toMatch(/^\| .* \|$/)
  expect(rule).toMatch(/^\| --- \|/)
  expect(rows.filter((row) => row.startsWith('| ')).length).toBeGreaterThan(0)
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
