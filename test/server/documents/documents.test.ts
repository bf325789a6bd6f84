import { expect, test } from 'vitest'
import { documentsMain } from '../../../bin/documents-main.ts'
import { localThread } from '../../../bin/node/local-thread.ts'
import { createDocuments } from '../../../server/documents/documents.ts'
import { Fault } from '../../../src/contract/faults.ts'
import type { Thread } from '../../../src/ports.ts'
import { manualClock } from '../http/manual-clock.ts'

const SIGNAL = new AbortController().signal
const bytes = (text: string) => new TextEncoder().encode(text)

/** Threads by turns: what each does with a call. */
function threads(...calls: Thread['call'][]) {
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

test('files become text in a thread', async () => {
  const documents = createDocuments({ startThread: () => localThread(documentsMain, undefined), clock: manualClock() })
  expect(await documents.textOf(bytes('# Hello'), 'markdown', SIGNAL)).toEqual({ text: '# Hello', cut: false })
  const mail = await documents.mailOf(bytes('From: a@example.com\nSubject: Hi\n\nText'), SIGNAL)
  expect(mail).toMatchObject({ subject: 'Hi', text: 'Text' })
  await expect(documents.textOf(bytes('no'), 'pdf', SIGNAL)).rejects.toMatchObject({ kind: 'item_permanent' })
  expect(await documents.textOf(bytes('a'), 'text', SIGNAL)).toEqual({ text: 'a', cut: false })
})

test('plain text that is small needs no thread, and is read as in one', async () => {
  const { startThread, started } = threads()
  const documents = createDocuments({ startThread, clock: manualClock() })
  const local = createDocuments({ startThread: () => localThread(documentsMain, undefined), clock: manualClock() })
  for (const text of ['a\r\nb\u0000  ', '', '\ufeffmarked', 'x'.repeat(16 * 1024)]) {
    const inThread = await local.textOf(bytes(`${text}${'\n'.repeat(16 * 1024)}`), 'text', SIGNAL)
    expect(await documents.textOf(bytes(text), 'text', SIGNAL)).toEqual(inThread)
  }
  await expect(documents.textOf(new Uint8Array(100), 'text', SIGNAL)).rejects.toMatchObject({ kind: 'item_permanent' })
  expect(started).toEqual([])
  await documents.textOf(bytes('x'.repeat(16 * 1024 + 1)), 'text', SIGNAL)
  expect(started).toEqual(['documents'])
})

test('a file that takes too long ends the thread, and the next gets a new one', async () => {
  const clock = manualClock()
  const { startThread, ended } = threads(never)
  const documents = createDocuments({ startThread, clock })
  const first = documents.textOf(bytes('a'), 'pdf', SIGNAL)
  const second = documents.textOf(bytes('b'), 'markdown', SIGNAL)
  first.catch(() => undefined)
  await clock.pass(0)
  await clock.pass(60_000)
  await expect(first).rejects.toMatchObject({
    kind: 'item_permanent',
    message: 'reading it takes longer than 60 seconds'
  })
  expect(await second).toEqual({ text: 'ok', cut: false })
  expect(ended).toEqual([0])
  expect(clock.waiting()).toBe(0)
})

test('a thread that breaks down was broken by its file', async () => {
  const broken = async () => {
    throw new Fault('unavailable', 'the thread broke down')
  }
  const { startThread, ended } = threads(broken)
  const documents = createDocuments({ startThread, clock: manualClock() })
  await expect(documents.textOf(bytes('a'), 'pdf', SIGNAL)).rejects.toMatchObject({ kind: 'item_permanent' })
  expect(await documents.textOf(bytes('a'), 'pdf', SIGNAL)).toEqual({ text: 'ok', cut: false })
  expect(ended).toEqual([0])
})

test('who calls off is obeyed while the file waits and while it is read', async () => {
  const { startThread, started, ended } = threads(never)
  const documents = createDocuments({ startThread, clock: manualClock() })
  const [reading, waiting] = [new AbortController(), new AbortController()]
  const first = documents.textOf(bytes('a'), 'markdown', reading.signal)
  const second = documents.textOf(bytes('b'), 'markdown', waiting.signal)
  const reason = new Error('off')
  waiting.abort(reason)
  await Promise.resolve().then(() => reading.abort(reason))
  await expect(first).rejects.toBe(reason)
  await expect(second).rejects.toBe(reason)
  expect([started.length, ended]).toEqual([1, [0]])
})

test('a file of more than 50 MiB is not even handed over', async () => {
  const { startThread, started } = threads()
  const documents = createDocuments({ startThread, clock: manualClock() })
  const large = documents.textOf(new Uint8Array(50 * 1024 * 1024 + 1), 'text', SIGNAL)
  await expect(large).rejects.toMatchObject({ kind: 'item_permanent', message: 'it is larger than 50 MiB' })
  expect(started).toEqual([])
})

test('bytes that are a part of other memory stay there', async () => {
  const documents = createDocuments({ startThread: () => localThread(documentsMain, undefined), clock: manualClock() })
  const whole = bytes('abcdef')
  expect((await documents.textOf(whole.subarray(2, 4), 'text', SIGNAL)).text).toBe('cd')
  expect(whole.length).toBe(6)
})
