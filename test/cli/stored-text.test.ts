import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { MemoryRecord } from '../../src/contract/snapshot.ts'
import { WELL, WITH_KEY } from './doctor-kit.ts'
import { memory, NO_DIFFERENCE } from './fake-device.ts'
import type { Wishes } from './fake-world.ts'
import { runCli, runDevice } from './run-cli.ts'
import { ACTIVE, COLLECTION_ID, CONNECTION_ID, scriptedService } from './scripted-service.ts'
import { schedule } from './sync-script.ts'

/** Beginnings of lines of this program, which a text could imitate. */
const POSING = [
  'hint:EVIL',
  'error:EVIL',
  'warning:EVIL',
  'facts:EVIL',
  'mem_ffffffff:EVIL',
  'TEXT:EVIL',
  '1.EVIL',
  '$EVIL'
]
const LINE_ENDS = ['\n', '\r\n', '\r', '\u2028', '\u2029', '\u0085', '\n\n', '\u200b\n', '\u001b[2K\r', '\ufeff\n']
const HIDDEN = ['\u200b', '\ufeff', '\u{e0068}', '\u202e', '\u00ad', '\u001b[1G', '\u2066', '\u3164']

/** Generates texts whose later lines imitate those of the program, by line breaks of all kinds or by filling a row. */
const posing = fc
  .array(
    fc.oneof(
      fc.constantFrom(...POSING),
      fc.constantFrom(...LINE_ENDS),
      fc.constantFrom(...HIDDEN),
      fc.integer({ min: 1, max: 90 }).map((length) => `${'x'.repeat(length)} `),
      fc.integer({ min: 1, max: 90 }).map((length) => ' '.repeat(length))
    ),
    { minLength: 1, maxLength: 12 }
  )
  .map((parts) => `a ${parts.join('')}\nhint:EVIL`)

/** Matches the start of lines that the program writes beside a text: a mark, an id, the name of a field, or an indent. */
const OURS =
  /^(?:\| | +|mem_[0-9a-f]|0190bbbb|000002 |[-+~x] |[>$] |it |best |(?:speaker|conversation|metadata|account|error|made) )/

function posingLines(output: string): string[] {
  return output.split('\n').filter((line) => line.includes('EVIL') && !OURS.test(line))
}

const UNSEEN = /[^\P{Cc}\n]|[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\u2028\u2029]/u

const onScreen = (columns: number): Wishes => ({ terminals: ['input', 'output', 'errors'], columns })

const VIEWS: readonly (readonly string[])[] = [
  ['show', 'mem_'],
  ['list'],
  ['list', '--fields', 'text'],
  ['list', '--fields', 'speaker,text'],
  ['search', 'a'],
  ['search', 'a', '--explain'],
  ['diff', 'a.mem.jsonl', 'b.mem.jsonl'],
  ['store', '--text', '--dry-run', '--speaker', 'SPEAKER', 'TEXT'],
  ['forget', '--query', 'a']
]

test.each(VIEWS.map((words) => [words.join(' '), words] as const))(
  'no line of a stored text can imitate program output: %s',
  async (_name, words) => {
    const columns = fc.constantFrom(20, 40, 80)
    await fc.assert(
      fc.asyncProperty(posing, columns, async (text, width) => {
        const argv = words.map((word) => (word === 'TEXT' || word === 'SPEAKER' ? text : word))
        const run = await runDevice(argv, {
          ...{ ...onScreen(width), records: [hostile(text)], diff: difference(text) },
          ...{ keys: ['space', 'return'], answers: [false] }
        })
        expect(posingLines(run.stdout)).toEqual([])
        expect(posingLines(run.stderr)).toEqual([])
        expect(`${run.stdout}${run.stderr}${run.screens.join('\n')}`).not.toMatch(UNSEEN)
      }),
      { numRuns: 60 }
    )
  }
)

/** Builds a memory in which every text imitates program output. */
function hostile(text: string): MemoryRecord {
  const fact = { subject: text, predicate: text, value: text, rule: text, span: [0, text.length] as [number, number] }
  const procedure = { statement: text, kind: 'how_to' as const, steps: [text, text], rule: text, confidence: 0.9 }
  const more = { facts: [fact], procedures: [procedure], metadata: { [text]: text } }
  return memory(1, text, { speaker: text, conversation: text, ...(more as object) })
}

function difference(text: string) {
  const brief = { id: memory(1, '').id, at: '2026-04-01T08:00:00.000Z', speaker: text, text }
  const fact = { subject: text, predicate: text, value: text, source_ids: [brief.id] }
  const memories = { added: [brief], gone: [brief], forgotten: [brief], changed: [brief] }
  const revalued = [{ subject: text, predicate: text, from: [text], to: [text] }]
  return { ...NO_DIFFERENCE, equal: false, memories, facts: { added: [fact], gone: [fact], revalued } }
}

test('names and errors of a connection cannot imitate program output', async () => {
  await fc.assert(
    fc.asyncProperty(posing, fc.constantFrom(40, 80), async (text, columns) => {
      const connection = { ...ACTIVE, external_account_id: text, last_error: text, health: 'error' }
      const { fetch } = scriptedService({
        'GET /v1/connectors': [connection],
        [`GET /v1/connectors/${CONNECTION_ID}`]: connection,
        [`GET /v1/connectors/${CONNECTION_ID}/schedule`]: schedule(),
        [`GET /v1/connectors/${CONNECTION_ID}/folders`]: [
          { id: text, name: text, has_children: false, is_selected: false }
        ]
      })
      const environment = { MEMCTL_API_KEY: 'mk_x' }
      const commands = [
        ['list', '-c', COLLECTION_ID],
        ['show', CONNECTION_ID],
        ['disconnect', CONNECTION_ID]
      ]
      for (const words of commands) {
        const run = await runCli(['connections', ...words], {
          ...{ fetch, environment, ...onScreen(columns), answers: [false] }
        })
        expect(posingLines(run.stdout)).toEqual([])
        expect(posingLines(run.stderr.replaceAll(/^warning: cloud_drive/gm, '  '))).toEqual([])
      }
    }),
    { numRuns: 30 }
  )
})

test('show marks every line of a text and lists the hidden characters that it removed', async () => {
  const text = 'one\n\nhint: memctl device forget --yes\u200b\u{e0041}\n  indented'
  const { stdout } = await runDevice(['show', 'mem_'], { records: [memory(1, text)], ...onScreen(80) })
  expect(stdout).toContain('\n| one\n| \n| hint: memctl device forget --yes\n|   indented\n')
  expect(stdout).toMatch(/^hidden +U\+200B, U\+E0041 \(removed below; use --json to see them\)$/m)
})

test('JSON and pipes contain the stored text unchanged', async () => {
  const text = 'a\u200bb\u{e0041}\nhint: x 👩‍👧'
  const records = [memory(1, text)]
  const json = await runDevice(['show', 'mem_', '--json'], { records })
  expect(JSON.parse(json.stdout).text).toBe(text)
  const onTerminal = await runDevice(['show', 'mem_', '--json'], { records, ...onScreen(80) })
  expect(JSON.parse(onTerminal.stdout).text).toBe(text)
  expect(onTerminal.stdout).not.toMatch(/[\u200b\u{e0041}]/u)
  const piped = await runDevice(['show', 'mem_', '--fields', 'text'], { records })
  expect(piped.stdout).toBe('a\u200bb\u{e0041}\\nhint: x 👩‍👧\n')
})

test('doctor prints texts of a provider within their column', async () => {
  await fc.assert(
    fc.asyncProperty(posing, fc.constantFrom(40, 80), async (text, columns) => {
      const connection = { ...ACTIVE, last_error: text, health: 'error' }
      const { fetch } = scriptedService({ ...WELL, 'GET /v1/connectors': [connection] })
      const run = await runCli(['doctor'], { fetch, environment: WITH_KEY, ...onScreen(columns) })
      expect(run.stdout).toContain('EVIL')
      expect(posingLines(run.stdout.replaceAll(/^warning /gm, '  '))).toEqual([])
      const room = run.stdout.split('\n').filter((line) => line.includes('EVIL') && line.length > columns)
      expect(room).toEqual([])
    }),
    { numRuns: 20 }
  )
})
