import { expect, test } from 'vitest'
import type { Storage } from '../../../server/storage/port/storage.ts'
import { file, forgetLine } from '../../snapshot/builders.ts'
import type { Damageable, StartDamageable } from './damage-kit.ts'
import { EXPORT, exported } from './exported.ts'
import { startTestServer, type TestServer } from './server-kit.ts'
import { type Start, serverTest } from './server-test.ts'

/** Tests the change feed of a collection, on any storage that `start` gives a server. */
export function changesSuite(start: Start): void {
  serverTest(start, 'sends the changes after a sequence number, and the number to continue from', async (server) => {
    const first = await store(server, 'Ada moved to Lisbon.')
    const before = await changes(server, 0)
    expect(before).toMatchObject({ status: 200, end: { type: 'end', records: 1 } })
    expect(before.lines.map(idIn)).toEqual([first])
    const second = await store(server, 'Bob moved to Porto.')
    await forget(server, first)
    const after = await changes(server, before.end.seq)
    expect(after.lines.map(({ type }) => type)).toEqual(['memory', 'forget'])
    expect(after.lines.map(idIn)).toEqual([second, first])
    expect(await changes(server, after.end.seq)).toMatchObject({ lines: [], end: { records: 0, seq: after.end.seq } })
  })

  serverTest(start, 'sends only the last line of a memory that was replaced', async (server) => {
    const id = await store(server, 'The tide comes at six.')
    await forget(server, id)
    const { lines } = await changes(server, 0)
    expect(lines).toMatchObject([{ type: 'forget', target: id }])
  })

  serverTest(start, 'waits for a change', async (server) => {
    const waiting = changes(server, 0, '&wait=30')
    const id = await store(server, 'The sea is blue.')
    expect((await waiting).lines.map(idIn)).toEqual([id])
  })

  serverTest(start, 'answers 410 to a number that a restored database has not assigned', async (server) => {
    await store(server, 'The sea is blue.')
    const path = `/v1/collections/${server.collectionId}/changes`
    const refused = await server.call('GET', `${path}?after=99&wait=30`)
    expect(refused).toMatchObject({ status: 410, json: { code: 'gone', hint: expect.stringContaining('after=0') } })
  })

  serverTest(start, 'refuses a number or a time that is not a whole number in range', async (server) => {
    const path = `/v1/collections/${server.collectionId}/changes`
    for (const query of ['after=-1', 'after=1.5', 'after=', 'after=9007199254740993', 'wait=31', 'wait=x', 'odd=1'])
      expect([query, (await server.call('GET', `${path}?${query}`)).status]).toEqual([query, 422])
  })
}

/** Tests followers of a database that is restored from a backup, on any engine whose tables the test can change. */
export function restoredSuite(start: StartDamageable): void {
  test('answers 410 to a number that a restored database has assigned again', async ({ skip }) => {
    const started = await start()
    if ('reason' in started) return skip(started.reason)
    const { server } = started
    await store(server, 'The sea is blue.')
    const kept = await changes(server, 0)
    const restore = await backUp(started)
    await store(server, 'The tide comes at six.')
    const lost = await changes(server, kept.end.seq, `&epoch=${kept.end.epoch}`)
    expect(lost).toMatchObject({ end: { seq: kept.end.seq + 1, epoch: kept.end.epoch } })

    await restore()
    await server.storage.beginEpoch('after the restore')
    const id = await store(server, 'The ferry leaves at nine.')
    const path = `/v1/collections/${server.collectionId}/changes`
    const refused = await server.call('GET', `${path}?after=${lost.end.seq}&epoch=${lost.end.epoch}`)
    expect(refused).toMatchObject({ status: 410, json: { code: 'gone', hint: expect.stringContaining('after=0') } })
    const body = { collection_id: server.collectionId, after: lost.end.seq, epoch: lost.end.epoch }
    expect(await server.call('POST', EXPORT, { body })).toMatchObject({ status: 410, json: { code: 'gone' } })
    const followed = await changes(server, kept.end.seq, `&epoch=${kept.end.epoch}`)
    expect(followed.lines.map(idIn)).toEqual([id])
    expect(followed.end).toMatchObject({ seq: lost.end.seq, epoch: 'after the restore' })
  })

  test('answers 410 to an epoch that began after the backup, and continues after a start without a restore', async ({
    skip
  }) => {
    const started = await start()
    if ('reason' in started) return skip(started.reason)
    const { server } = started
    await store(server, 'The sea is blue.')
    const restore = await backUp(started)
    const before = await changes(server, 0)
    await server.storage.beginEpoch('second')
    expect(await changes(server, 0)).toMatchObject({ end: before.end })
    const id = await store(server, 'The tide comes at six.')
    const after = await changes(server, before.end.seq, `&epoch=${before.end.epoch}`)
    expect(after).toMatchObject({ lines: [{ id }], end: { epoch: 'second' } })
    await restore()
    await store(server, 'The ferry leaves at nine.')
    const path = `/v1/collections/${server.collectionId}/changes`
    expect((await server.call('GET', `${path}?after=${after.end.seq}&epoch=second`)).status).toBe(410)
  })
}

/** Copies what a backup would contain of the collection and the epoch. Returns a function that restores it. */
async function backUp({ server, run }: Damageable): Promise<() => Promise<void>> {
  const id = server.collectionId
  const [head] = await run('select seq, memories, epochs from collections where id = ?', id)
  const [database] = await run('select epoch from epoch')
  return async () => {
    await run('delete from records where collection_id = ? and seq > ?', id, head?.seq)
    const { seq, memories, epochs } = head ?? {}
    await run('update collections set seq = ?, memories = ?, epochs = ? where id = ?', seq, memories, epochs, id)
    await run('update epoch set epoch = ?', database?.epoch)
  }
}

const WRITERS = 8
const TEXTS_PER_WRITER = 10

type OpenPair = () => Promise<readonly [Storage, Storage] | { reason: string }>

/** Tests followers of a collection that two nodes write to, on any two storages over one database. */
export function nodesSuite(openPair: OpenPair): void {
  test('misses no change of 8 writers on two nodes, on whichever node it follows', async ({ skip }) => {
    const pair = await openPair()
    if ('reason' in pair) return skip(pair.reason)
    const one = await startTestServer({ storage: pair[0] })
    const nodes = [one, withKey(await startTestServer({ storage: pair[1] }), one.adminKey)] as const
    const until = { done: false }
    const followers = [0, 1].map((first) => follow(nodes, { first, until }))
    const writers = Array.from({ length: WRITERS }, (_, n) => write(nodes[n % 2] as TestServer, n))
    const stored = (await Promise.all(writers)).flat()
    until.done = true
    const lines = exportedLines((await exported(one, one.collectionId)).file)
    expect(lines).toHaveLength(stored.length)
    for (const { held, seen } of await Promise.all(followers)) {
      expect([...held.values()].sort()).toEqual(lines)
      expect(stored.filter((id) => !seen.has(id))).toEqual([])
    }
  })
}

/** Sends the requests of a node with the key of the first one. */
function withKey(server: TestServer, key: string): TestServer {
  return {
    ...server,
    send: (method, path, sent) => server.send(method, path, { key, ...sent }),
    call: (method, path, sent) => server.call(method, path, { key, ...sent })
  }
}

/** Stores texts and forgets every third one. Returns the ids of all. */
async function write(server: TestServer, writer: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < TEXTS_PER_WRITER; n++) {
    const id = await store(server, `Writer ${writer} likes number ${n}.`)
    ids.push(id)
    if (n % 3 === 0) await forget(server, id)
  }
  return ids
}

type Follower = { held: Map<string, string>; seen: Set<string> }

/** Follows the feed on each node in turn until the writers are done and there are no more changes. */
async function follow(
  nodes: readonly [TestServer, TestServer],
  { first, until }: { first: number; until: { done: boolean } }
): Promise<Follower> {
  const held = new Map<string, string>()
  const seen = new Set<string>()
  let after = 0
  for (let turn = first; ; turn++) {
    const { done } = until
    const { lines, texts, end } = await changes(nodes[turn % 2] as TestServer, after, done ? '' : '&wait=1')
    expect(end.seq).toBeGreaterThanOrEqual(after)
    for (const [at, line] of lines.entries()) {
      seen.add(idIn(line))
      held.set(idIn(line), texts[at] ?? '')
    }
    if (done && end.seq === after) return { held, seen }
    after = end.seq
  }
}

function exportedLines(text: string): string[] {
  return text.trimEnd().split('\n').slice(1).sort()
}

type Line = { type: string; id: string; target?: string }

/** Returns the id of the memory that a line stores or forgets. */
function idIn({ id, target }: Line): string {
  return target ?? id
}

async function changes(server: TestServer, after: number, more = '') {
  const response = await server.send('GET', `/v1/collections/${server.collectionId}/changes?after=${after}${more}`)
  expect(response.headers.get('content-type')).toBe('application/jsonl')
  const texts = (await response.text()).trimEnd().split('\n')
  const end = JSON.parse(texts.pop() ?? '') as { type: string; records: number; seq: number; epoch?: string }
  expect(end.records).toBe(texts.length)
  return { status: response.status, texts, lines: texts.map((text): Line => JSON.parse(text)), end }
}

async function store(server: TestServer, raw_text: string): Promise<string> {
  const body = { collection_id: server.collectionId, raw_text }
  const { status, json } = await server.call('POST', '/v1/memories', { body })
  expect(status).toBe(201)
  return json.memory_id
}

async function forget(server: TestServer, id: string): Promise<void> {
  const lines = file(forgetLine(id)).toString()
  const { status } = await server.send('POST', `/v1/collections/${server.collectionId}/records`, { lines })
  expect(status).toBe(200)
}
