import { expect, test } from 'vitest'
import { SAMPLE_QUESTIONS, SAMPLE_TURNS } from '../../src/cli/quickstart/sample.ts'
import { memory } from './fake-device.ts'
import { runCli } from './run-cli.ts'

const source = { id: 'mem_1', score: 1, source_ids: [], text: 'an answer', speaker: null, timestamp: null }
const response = {
  semantics: [],
  procedures: [],
  episodes: [],
  sources: [{ ...source, title: null, url: null, metadata: {} }]
}

function recorder() {
  const started: string[][] = []
  const runSelfOffline = async (args: string[]) => {
    started.push(args)
    return { exitCode: 0, stdout: JSON.stringify(response), stderr: '' }
  }
  return { started, runSelfOffline }
}

test('the sample is some thirty turns of several sessions and speakers, in order', () => {
  expect(SAMPLE_TURNS.length).toBeGreaterThanOrEqual(28)
  expect(new Set(SAMPLE_TURNS.map(({ conversation }) => conversation)).size).toBeGreaterThanOrEqual(4)
  expect(new Set(SAMPLE_TURNS.map(({ speaker }) => speaker)).size).toBeGreaterThanOrEqual(3)
  const times = SAMPLE_TURNS.map(({ at }) => at)
  expect(times).toEqual([...times].sort())
})

test('quickstart stores the sample and asks each question in a process without network', async () => {
  const { started, runSelfOffline } = recorder()
  const run = await runCli(['quickstart'], { runSelfOffline })
  expect(run.code).toBe(0)
  expect(started.map((args) => args[2])).toEqual([...SAMPLE_QUESTIONS])
  const batch = run.world.files.paths().find((path) => path.endsWith('/sample.jsonl'))
  expect(run.calls).toContainEqual(['storeBatch', { file: batch }])
  expect(
    run.world.files
      .text(batch ?? '')
      ?.trimEnd()
      .split('\n')
  ).toHaveLength(SAMPLE_TURNS.length)
})

test('quickstart shows the command of each step, what came back, and what to try next', async () => {
  const { stdout } = await runCli(['quickstart'], recorder())
  for (const command of ['device init', 'device store --batch sample.jsonl', "device search 'how do I"]) {
    expect(stdout).toContain(`$ memctl ${command}`)
  }
  expect(stdout).toContain('an answer')
  expect(stdout).toContain('Try next')
})

test('quickstart answers in JSON when asked', async () => {
  const { stdout } = await runCli(['quickstart', '--json'], recorder())
  expect(JSON.parse(stdout)).toMatchObject({
    stored: 2,
    searches: SAMPLE_QUESTIONS.map((query) => ({ query, response }))
  })
})

test('a search that fails without network fails the quickstart', async () => {
  const runSelfOffline = async () => ({ exitCode: 1, stdout: '', stderr: 'the network is off' })
  const run = await runCli(['quickstart'], { runSelfOffline, records: [memory(1, 'x')] })
  expect(run.code).toBe(1)
  expect(run.stderr).toContain('the network is off')
})
