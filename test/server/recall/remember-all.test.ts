import { expect, test } from 'vitest'
import { createTextsRememberer } from '../../../server/recall/memories/create-texts-rememberer.ts'
import type { EnginePool } from '../../../server/recall/pool/engine-pool.ts'
import { parseLine } from '../../../src/snapshot/record/parse-line.ts'
import { recallBench } from './recall-kit.ts'

const NOW = Date.parse('2026-03-04T05:06:07.089Z')
const input = (text: string, note = '') => ({ text, metadata: { note }, nowMs: NOW, copy: 1 })
const going = () => new AbortController().signal

test('remembers many texts in order, each as it would alone', async () => {
  const { engine } = await recallBench()
  const inputs = Array.from({ length: 150 }, (_, i) => input(`Ada has ${i} ferns. ${'word '.repeat(i)}`))
  const together = await engine.rememberAll(inputs, going())
  const alone = await Promise.all(inputs.map((one) => engine.remember(one)))
  expect(together).toEqual(alone)
  for (const one of together) {
    if ('tooLarge' in one) throw new Error(one.tooLarge)
    const { lines } = one.batch
    expect(parseLine(Buffer.from(lines), 0, lines.length)).toMatchObject({ kind: 'memory', id: one.memoryId })
  }
})

test('reports the size of a text that is too large for a line, and remembers the others', async () => {
  const { engine } = await recallBench()
  const remembered = await engine.rememberAll([input('a'), input('b', 'c'.repeat(17_000_000)), input('d')], going())
  expect(remembered).toEqual([
    expect.objectContaining({ memoryId: expect.stringMatching(/^mem_/) }),
    { tooLarge: expect.stringMatching(/^the memory is too large: its line would take 17\d+ bytes/) },
    expect.objectContaining({ memoryId: expect.stringMatching(/^mem_/) })
  ])
})

test('sends nothing for an empty list', async () => {
  const { engine } = await recallBench()
  expect(await engine.rememberAll([], going())).toEqual([])
  expect(engine.state().threads).toBe(0)
})

test('sends parts of bounded size one after another', async () => {
  const parts: string[][] = []
  let under = 0
  const run = async ({ send }: { send: () => { argument: { text: string }[] } }) => {
    expect(++under).toBe(1)
    await Promise.resolve()
    under--
    const { argument } = send()
    parts.push(argument.map(({ text }) => text))
    return argument.map(() => ({ memoryId: 'mem_1', batch: {} }))
  }
  const rememberAll = createTextsRememberer({ run } as unknown as EnginePool)
  const texts = [...Array.from({ length: 70 }, () => 'a'), 'b'.repeat(8000), 'c'.repeat(9000), 'd'.repeat(300), 'e']
  expect(
    await rememberAll(
      texts.map((text) => input(text)),
      going()
    )
  ).toHaveLength(texts.length)
  expect(parts.map((part) => part.map((text) => text.length))).toEqual([
    Array(64).fill(1),
    [1, 1, 1, 1, 1, 1, 8000],
    [9000],
    [300, 1]
  ])
})

test('rejects immediately when aborted, and sends no further part', async () => {
  const caller = new AbortController()
  let asked = 0
  const run = () => {
    asked++
    return new Promise(() => undefined)
  }
  const rememberAll = createTextsRememberer({ run } as unknown as EnginePool)
  const waiting = rememberAll(
    Array.from({ length: 200 }, () => input('a')),
    caller.signal
  )
  caller.abort()
  await expect(waiting).rejects.toMatchObject({ code: 'cancelled' })
  expect(asked).toBe(1)
})
