import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OTHER_NODES } from '../setup/other-nodes.ts'
import { ensureBuilt, PROGRAM } from './built-program.ts'

const QUERIES = [
  'Where does Ada live?',
  'boat harbour 3',
  'the long report of turn 7',
  'When did Bruno repair the boat?'
]
const SUBJECTS = ['boat', 'harbour', 'report', 'garden', 'piano', 'letter', 'bridge']

let home = ''
beforeAll(() => {
  if (OTHER_NODES.length === 0) return
  ensureBuilt()
  home = mkdtempSync(join(tmpdir(), 'memctl-nodes-'))
  writeFileSync(join(home, 'batch.jsonl'), Array.from({ length: 300 }, (_, at) => batchLine(at)).join(''))
  run(process.execPath, ['device', 'init', 'nodes.mem.jsonl'])
  run(process.execPath, ['device', 'store', '--snapshot', 'nodes.mem.jsonl', '--batch', 'batch.jsonl'])
})
afterAll(() => {
  if (home !== '') rmSync(home, { recursive: true, force: true })
})

test.for(QUERIES)('gives the same bytes of an answer on every Node: %s', (query, { skip }) => {
  skip(OTHER_NODES.length === 0, 'MEMCTL_TEST_NODES names no other Node binaries')
  const search = ['device', 'search', query, '--snapshot', 'nodes.mem.jsonl', '--explain', '--json']
  const expected = run(process.execPath, search)
  for (const node of OTHER_NODES) expect(run(node, search), node).toBe(expected)
})

/** Runs the program with a home folder of each Node's own, so that each builds its own index. */
function run(node: string, args: readonly string[]): string {
  const { PATH } = process.env
  return execFileSync(node, [PROGRAM, ...args], {
    cwd: home,
    env: { PATH, HOME: join(home, node.replaceAll('/', '_')) },
    encoding: 'utf8'
  })
}

function batchLine(at: number): string {
  const subject = SUBJECTS[at % SUBJECTS.length]
  const more = at % 11 === 0 ? ` ${`${subject} of the year ${2000 + (at % 20)} and its parts. `.repeat(20)}` : ''
  const text = `${at % 5 === 0 ? 'Ada lives in Porto now.' : ''} Turn ${at} tells of the ${subject} ${at % 13}.${more}`
  const turn = { speaker: at % 2 === 0 ? 'Ada' : 'Bruno', conversation: `c${at % 4}`, position: at }
  return `${JSON.stringify({ raw_text: text, ...turn, at: new Date(Date.UTC(2024, 0, 1 + at)).toISOString() })}\n`
}
