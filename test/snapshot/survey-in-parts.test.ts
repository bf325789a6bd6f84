import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { SurveyTask, Threads } from '../../src/ports.ts'
import { openSource } from '../../src/snapshot/file/source.ts'
import { serializeRecord } from '../../src/snapshot/record/compute-check.ts'
import { listTransferables, type Survey, surveyInParts, surveyPart, surveySnapshot } from '../../src/snapshot/survey.ts'
import { header, memoryLine } from './builders.ts'
import { temporaryFolder } from './temporary-folder.ts'

const PART_BYTES = 500_000
const PADDING = 'x'.repeat(6_000)

/** Creates about 2 MB in which ids, unknown lines, headers and forget lines recur far apart. */
function largeFile(...ends: string[]): string {
  const lines = Array.from({ length: 340 }, (_, n) => {
    if (n % 50 === 7) return serializeRecord({ type: 'note', id: `note ${n % 100}` })
    if (n % 97 === 3) return header({ id: `snp_${'1'.repeat(32)}` })
    if (n % 61 === 9) return `{"damaged":${n}}`
    return memoryLine({ text: `${n % 200} ${PADDING}`, position: n, extractor: n % 3 })
  })
  const path = join(temporaryFolder(), 'large.mem.jsonl')
  writeFileSync(path, [header(), ...lines, ...ends].map((line, n) => (n % 40 === 5 ? `${line}\r` : line)).join('\n'))
  return path
}

/** Runs each part in this thread, and transfers the result as between threads. */
function threadsOf(survey: (task: SurveyTask) => unknown = surveyed): Threads & { tasks: SurveyTask[] } {
  const tasks: SurveyTask[] = []
  return {
    spare: 3,
    tasks,
    survey: async (task) => {
      tasks.push(task)
      return survey(task)
    }
  }
}

function surveyed(task: SurveyTask): unknown {
  const part = surveyPart(nodeFiles, task)
  return structuredClone(part, { transfer: listTransferables(part) })
}

test.each([
  ['ends with an LF', ['']],
  ['has an unfinished tail', ['', '{"unfinished"']],
  ['has a valid tail', [memoryLine({ text: 'last' })]]
])('reads a large file that %s with the same result in parts as at once', async (_, ends) => {
  const source = openSource(nodeFiles, largeFile(...ends))
  const threads = threadsOf()
  const inParts = await surveyInParts(source, { threads, partBytes: PART_BYTES })
  expect(threads.tasks.length).toBeGreaterThan(1)
  expect(found(inParts)).toEqual(found(surveySnapshot(source)))
  source.close()
})

test('reads everything in this thread if another fails or finds another file', async () => {
  const source = openSource(nodeFiles, largeFile(''))
  const whole = found(surveySnapshot(source))
  const failing = threadsOf(() => {
    throw new Error('no thread')
  })
  const other = threadsOf((task) => ({ ...(surveyed(task) as object), mtimeNs: 1n }))
  for (const threads of [failing, other])
    expect(found(await surveyInParts(source, { threads, partBytes: PART_BYTES }))).toEqual(whole)
  source.close()
})

test('reads a small file in one thread', async () => {
  const path = join(temporaryFolder(), 'small.mem.jsonl')
  writeFileSync(path, `${header()}\n`)
  const source = openSource(nodeFiles, path)
  const threads = threadsOf()
  expect(found(await surveyInParts(source, { threads, partBytes: PART_BYTES }))).toEqual(found(surveySnapshot(source)))
  expect(threads.tasks).toEqual([])
  source.close()
})

function found({ reading, table, losses }: Survey): object {
  return {
    reading,
    losses,
    rows: table.rows,
    counts: table.counts(),
    rootHash: table.rootHash(),
    idsHash: table.idsHash(),
    kept: Array.from(table.listKept(), (row) => ({ ...table.row(row), check: table.check(row) }))
  }
}
