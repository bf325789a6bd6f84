import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import type { Thread } from '../../src/ports.ts'
import { manualClock } from '../server/http/manual-clock.ts'
import { localReaders, readers } from './documents-kit.ts'

const SIGNAL = new AbortController().signal
const bytes = (text: string) => new TextEncoder().encode(text)
const local = () => localReaders(manualClock()).of('one')

/** Creates readers that answer the given calls, in the order of their start. */
function scripted(...calls: Thread['call'][]) {
  const started: string[] = []
  const ended: number[] = []
  const startThread = (program: string): Thread => {
    const place = started.push(program) - 1
    return {
      call: calls[place] ?? (async () => ({ done: { text: 'ok', cut: false } })),
      end: async () => void ended.push(place)
    }
  }
  return { startThread, started, ended }
}

const never = () => new Promise<never>(() => undefined)

/** Creates a reader whose calls the test answers, by the text of their file. */
function answering() {
  const open = new Map<string, () => void>()
  const call: Thread['call'] = (_, given) => {
    const text = new TextDecoder().decode((given as { bytes: Uint8Array }).bytes)
    return new Promise((resolve) => open.set(text, () => resolve({ done: { text, cut: false } })))
  }
  const answer = async (text: string): Promise<void> => {
    open.get(text)?.()
    open.delete(text)
    for (let turn = 0; turn < 20; turn++) await Promise.resolve()
  }
  return { call, answer, reading: () => [...open.keys()].sort() }
}

test('converts files to text in a reader', async () => {
  const documents = local()
  expect(await documents.readText(bytes('# Hello'), 'markdown', SIGNAL)).toEqual({ text: '# Hello', cut: false })
  const mail = await documents.readMail(bytes('From: a@example.com\nSubject: Hi\n\nText'), SIGNAL)
  expect(mail).toMatchObject({ subject: 'Hi', text: 'Text' })
  await expect(documents.readText(bytes('no'), 'pdf', SIGNAL)).rejects.toMatchObject({ name: 'UnreadableError' })
  expect(await documents.readText(bytes('a'), 'text', SIGNAL)).toEqual({ text: 'a', cut: false })
})

test('reads small plain text without a reader, with the same result', async () => {
  const { startThread, started } = scripted()
  const documents = readers(startThread, manualClock()).of('one')
  for (const text of ['a\r\nb\u0000  ', '', '\ufeffmarked', 'x'.repeat(16 * 1024)]) {
    const inReader = await local().readText(bytes(`${text}${'\n'.repeat(16 * 1024)}`), 'text', SIGNAL)
    expect(await documents.readText(bytes(text), 'text', SIGNAL)).toEqual(inReader)
  }
  await expect(documents.readText(new Uint8Array(100), 'text', SIGNAL)).rejects.toMatchObject({
    name: 'UnreadableError'
  })
  expect(started).toEqual([])
  await documents.readText(bytes('x'.repeat(16 * 1024 + 1)), 'text', SIGNAL)
  expect(started).toEqual(['documents'])
})

test('ends the reader of a file that takes too long, and starts another for the next', async () => {
  const clock = manualClock()
  const { startThread, ended } = scripted(never)
  const all = readers(startThread, clock)
  const first = all.of('one').readText(bytes('a'), 'pdf', SIGNAL)
  const second = all.of('one').readText(bytes('b'), 'markdown', SIGNAL)
  first.catch(() => undefined)
  await clock.pass(0)
  await clock.pass(60_000)
  await expect(first).rejects.toMatchObject({
    name: 'UnreadableError',
    message: 'reading it takes longer than 60 seconds'
  })
  expect(await second).toEqual({ text: 'ok', cut: false })
  expect(ended).toEqual([0])
  expect(all.state().ended.time).toBe(1)
})

test('blames a crash of a reader on its file', async () => {
  const broken = async () => {
    throw new Fault('unavailable', 'the process broke down')
  }
  const { startThread, ended } = scripted(broken)
  const all = readers(startThread, manualClock())
  await expect(all.of('one').readText(bytes('a'), 'pdf', SIGNAL)).rejects.toMatchObject({ name: 'UnreadableError' })
  expect(await all.of('one').readText(bytes('a'), 'pdf', SIGNAL)).toEqual({ text: 'ok', cut: false })
  expect([ended, all.state().ended.memory]).toEqual([[0], 1])
})

test('fails only the file that triggers a bug', async () => {
  const { startThread, ended } = scripted(async () => {
    throw new TypeError('a bug')
  })
  const documents = readers(startThread, manualClock()).of('one')
  await expect(documents.readText(bytes('a'), 'pdf', SIGNAL)).rejects.toMatchObject({
    name: 'UnreadableError',
    message: 'reading it failed because of an internal error: see the log'
  })
  expect(ended).toEqual([0])
})

test('retries a file if no reader can be started', async () => {
  const { startThread } = scripted(async () => {
    throw new Fault('system_refused', 'a child process could not be started')
  })
  const documents = readers(startThread, manualClock()).of('one')
  await expect(documents.readText(bytes('a'), 'pdf', SIGNAL)).rejects.toMatchObject({ code: 'system_refused' })
})

test('aborts a file while it waits and while it is read', async () => {
  const { startThread, started, ended } = scripted(never)
  const documents = readers(startThread, manualClock()).of('one')
  const [reading, waiting] = [new AbortController(), new AbortController()]
  const first = documents.readText(bytes('a'), 'markdown', reading.signal)
  const second = documents.readText(bytes('b'), 'markdown', waiting.signal)
  const reason = new Error('off')
  waiting.abort(reason)
  await Promise.resolve().then(() => reading.abort(reason))
  await expect(first).rejects.toBe(reason)
  await expect(second).rejects.toBe(reason)
  expect([started.length, ended]).toEqual([1, [0]])
})

test('serves connections in turn: a file waits for at most one file of each other connection', async () => {
  const { call, answer, reading } = answering()
  const all = readers(() => ({ call, end: async () => undefined }), manualClock())
  const files = ['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((name) => {
    return all.of(name.slice(0, 1)).readText(bytes(name), 'pdf', SIGNAL)
  })
  expect(reading()).toEqual(['a1', 'b1'])
  expect(all.state()).toMatchObject({ started: 2, reading: 2, waiting: 4 })
  await answer('b1')
  expect(reading()).toEqual(['a1', 'c1'])
  await answer('c1')
  expect(reading()).toEqual(['a1', 'b2'])
  await answer('a1')
  expect(reading()).toEqual(['a2', 'b2'])
  for (const name of ['a2', 'b2', 'a3']) await answer(name)
  expect((await Promise.all(files)).map(({ text }) => text)).toEqual(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'])
})

test('keeps a reader free for others when one connection has many files', async () => {
  const { call, answer, reading } = answering()
  const all = readers(() => ({ call, end: async () => undefined }), manualClock())
  const files = ['a1', 'a2'].map((name) => all.of('a').readText(bytes(name), 'pdf', SIGNAL))
  expect(reading()).toEqual(['a1'])
  const other = all.of('b').readText(bytes('b1'), 'pdf', SIGNAL)
  expect(reading()).toEqual(['a1', 'b1'])
  for (const name of ['a1', 'b1', 'a2']) await answer(name)
  await Promise.all([...files, other])
})

test('ends a reader after an idle minute, and starts another for the next file', async () => {
  const clock = manualClock()
  const { startThread, started, ended } = scripted()
  const all = readers(startThread, clock)
  await all.of('one').readText(bytes('a'), 'pdf', SIGNAL)
  await clock.pass(59_999)
  await all.of('one').readText(bytes('b'), 'pdf', SIGNAL)
  await clock.pass(59_999)
  expect([started.length, ended]).toEqual([1, []])
  await clock.pass(1)
  expect([ended, all.state().started]).toEqual([[0], 0])
  await all.of('one').readText(bytes('c'), 'pdf', SIGNAL)
  expect(started).toHaveLength(2)
})

test('ends every reader when closed, and refuses waiting and later files', async () => {
  const clock = manualClock()
  const { startThread, ended } = scripted(never, never)
  const all = readers(startThread, clock)
  for (const name of ['a', 'b'])
    all
      .of(name)
      .readText(bytes(name), 'pdf', SIGNAL)
      .catch(() => undefined)
  const waiting = all.of('c').readText(bytes('c'), 'pdf', SIGNAL)
  await Promise.all([expect(waiting).rejects.toThrow('has been shut down'), all.end()])
  await expect(all.of('d').readText(bytes('d'), 'pdf', SIGNAL)).rejects.toThrow('has been shut down')
  expect(ended.sort()).toEqual([0, 1])
})

test('does not transfer a file of more than 50 MiB', async () => {
  const { startThread, started } = scripted()
  const documents = readers(startThread, manualClock()).of('one')
  const large = documents.readText(new Uint8Array(50 * 1024 * 1024 + 1), 'text', SIGNAL)
  await expect(large).rejects.toMatchObject({ name: 'UnreadableError', message: 'it is larger than 50 MiB' })
  expect(started).toEqual([])
})

test('does not transfer bytes within a shared buffer', async () => {
  const whole = bytes('abcdef')
  expect((await local().readText(whole.subarray(2, 4), 'text', SIGNAL)).text).toBe('cd')
  expect(whole.length).toBe(6)
})
