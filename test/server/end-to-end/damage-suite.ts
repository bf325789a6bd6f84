import { expect, test } from 'vitest'
import { verifySnapshot } from '../../../src/snapshot/verify-snapshot.ts'
import { file, forgetLine, memoryLine, sourceOf } from '../../snapshot/builders.ts'
import { type Damageable, flipped, lineAt, putLine, type StartDamageable, sampled } from './damage-kit.ts'
import { EXPORT, restored, understood } from './exported.ts'

const FLIPS = process.env.SLOW ? 2000 : 16

const TEXTS = ['The sea is blue “today”.', 'Ada moved to Lisbon.', 'The harbour closes at nine.']
const LINES = [...TEXTS.map((text) => memoryLine({ text })), forgetLine({ text: 'an old secret' })]

/** Tests damaged lines, on any storage that `start` gives a server. */
export function damageSuite(start: StartDamageable): void {
  const damageTest = (sentence: string, body: (damageable: Damageable) => Promise<void>): void => {
    test(sentence, async ({ skip }) => {
      const damageable = await start()
      if ('reason' in damageable) return skip(damageable.reason)
      await body(damageable)
    })
  }
  damageTest('refuses an export with any bit of any line changed, and names the line', isRefused)
  damageTest('exports the other lines if damaged ones are skipped, and lists those', isSkipped)
  damageTest('omits a damaged line from searches, which report it', isNotFound)
  damageTest('refuses an export with a column that contradicts its line', hasWrongColumn)
  damageTest('refuses an export with a missing line', lacksLine)
  damageTest('replaces a damaged line by an intact one, and keeps the damaged bytes', isReplaced)
  damageTest('forgets a memory whose line is damaged, with the usual counts', isForgotten)
}

async function filled({ server }: Damageable): Promise<string> {
  return await restored(server, file(...LINES).toString())
}

async function isRefused(damageable: Damageable): Promise<void> {
  const collectionId = await filled(damageable)
  for (const [at, accept] of ['application/jsonl', 'application/json'].entries()) {
    for (const seq of [1, 2, 3, 4]) {
      const line = await lineAt(damageable, collectionId, seq)
      for (const bit of sampled(FLIPS / 4, line.length * 8, seq + at * 10)) {
        await putLine(damageable, { collectionId, seq }, flipped(line, bit))
        const problem = await exportOf(damageable, { collection_id: collectionId }, accept)
        expect([problem.status, JSON.parse(problem.text).code, `bit ${bit}`]).toEqual([
          500,
          'damaged_storage',
          `bit ${bit}`
        ])
        expect(problem.text).toContain(`sequence number ${seq}`)
        expect(problem.text).toContain('--skip-damaged')
      }
      await putLine(damageable, { collectionId, seq }, line)
    }
    expect((await exportOf(damageable, { collection_id: collectionId }, accept)).status).toBe(200)
  }
}

async function isSkipped(damageable: Damageable): Promise<void> {
  const collectionId = await filled(damageable)
  const body = { collection_id: collectionId, skip_damaged: true }
  const whole = understood((await exportOf(damageable, body, 'application/jsonl')).text)
  expect(whole.end).toMatchObject({ records: 4, left_out: { count: 0, missing: 0, lines: [] } })
  for (const seq of [1, 2, 3, 4]) {
    const line = await lineAt(damageable, collectionId, seq)
    for (const bit of sampled(FLIPS / 8, line.length * 8, seq)) {
      await putLine(damageable, { collectionId, seq }, flipped(line, bit))
      const lines = understood((await exportOf(damageable, body, 'application/jsonl')).text)
      expect(lines.verdict).toMatchObject({ sound: true, notes: [] })
      const target = JSON.parse(line.toString())
      const left_out = { count: 1, missing: 0, lines: [{ seq, id: target.target ?? target.id }] }
      expect(lines.end).toMatchObject({ records: 3, root_hash: lines.verdict.rootHash, left_out })
      const { snapshot, ...more } = JSON.parse((await exportOf(damageable, body, 'application/json')).text)
      expect(verifySnapshot(sourceOf(JSON.stringify(snapshot)))).toMatchObject({ sound: true })
      expect(more).toMatchObject({ root_hash: lines.verdict.rootHash, left_out })
    }
    await putLine(damageable, { collectionId, seq }, line)
  }
}

async function isNotFound(damageable: Damageable): Promise<void> {
  for (const bit of sampled(FLIPS / 8, 800)) {
    const collectionId = await filled(damageable)
    const seqs = await memoriesOf(damageable, collectionId)
    const seq = seqs[bit % seqs.length] ?? 0
    const line = await lineAt(damageable, collectionId, seq)
    await putLine(damageable, { collectionId, seq }, flipped(line, bit))
    const found = await searchOf(damageable, collectionId)
    expect(found.damaged).toBe('1')
    const { id } = JSON.parse(line.toString())
    expect(found.sources.map((source) => source.id)).not.toContain(id)
    expect(found.sources.every(({ text }) => TEXTS.includes(text))).toBe(true)
    expect(found.sources).toHaveLength(2)
  }
  const sound = await searchOf(damageable, await filled(damageable))
  expect([sound.damaged, sound.sources.length]).toEqual([null, 3])
}

async function hasWrongColumn(damageable: Damageable): Promise<void> {
  const { run } = damageable
  const key = Buffer.alloc(32, 7)
  const changes: [string, unknown][] = [
    ['kind', 1],
    ['kind', 2],
    ['kind', 9],
    ['key', key],
    ['time', 5],
    ['extractor', 77],
    ['check_hash', key],
    ['line_bytes', 3],
    ['taken_back', 1]
  ]
  for (const [column, value] of changes) {
    const collectionId = await filled(damageable)
    const [seq = 0] = await memoriesOf(damageable, collectionId)
    await run(`update records set ${column} = ? where collection_id = ? and seq = ?`, value, collectionId, seq)
    const problem = await exportOf(damageable, { collection_id: collectionId }, 'application/jsonl')
    expect([problem.status, column]).toEqual([500, column])
    expect(problem.text).toContain(`sequence number ${seq}`)
    const rest = await exportOf(damageable, { collection_id: collectionId, skip_damaged: true }, 'application/jsonl')
    expect(understood(rest.text)).toMatchObject({ verdict: { sound: true, notes: [] }, end: { records: 3 } })
  }
}

async function lacksLine(damageable: Damageable): Promise<void> {
  const collectionId = await filled(damageable)
  const [seq = 0] = await memoriesOf(damageable, collectionId)
  await damageable.run('delete from records where collection_id = ? and seq = ?', collectionId, seq)
  const problem = await exportOf(damageable, { collection_id: collectionId }, 'application/json')
  expect(JSON.parse(problem.text)).toMatchObject({
    code: 'damaged_storage',
    detail: `collection ${collectionId} has 1 memories without a line`
  })
}

async function isReplaced(damageable: Damageable): Promise<void> {
  const { server, run } = damageable
  const collectionId = await filled(damageable)
  const line = await lineAt(damageable, collectionId, 1)
  const damaged = flipped(line, 100)
  await putLine(damageable, { collectionId, seq: 1 }, damaged)
  expect((await searchOf(damageable, collectionId)).damaged).toBe('1')
  const path = `/v1/collections/${collectionId}/records`
  await server.call('POST', path, { lines: file(...LINES).toString() })
  expect((await server.call('GET', `/v1/collections/${collectionId}`)).json.memories).toBe(3)
  const rest = understood((await exportOf(damageable, { collection_id: collectionId }, 'application/jsonl')).text)
  expect(rest).toMatchObject({ verdict: { sound: true, notes: [] }, end: { records: 4 } })
  expect((await searchOf(damageable, collectionId)).damaged).toBeNull()
  const aside = await run('select seq, line from aside_lines where collection_id = ?', collectionId)
  expect(aside.map((row) => [Number(row.seq), Buffer.from(row.line as Uint8Array).equals(damaged)])).toEqual([
    [1, true]
  ])
}

async function isForgotten(damageable: Damageable): Promise<void> {
  const { server, run } = damageable
  const collectionId = await filled(damageable)
  const [seq = 0] = await memoriesOf(damageable, collectionId)
  const line = await lineAt(damageable, collectionId, seq)
  await putLine(damageable, { collectionId, seq }, flipped(line, 300))
  const lines = file(forgetLine(JSON.parse(line.toString()).id)).toString()
  await server.call('POST', `/v1/collections/${collectionId}/records`, { lines })
  expect((await server.call('GET', `/v1/collections/${collectionId}`)).json.memories).toBe(2)
  const rest = understood((await exportOf(damageable, { collection_id: collectionId }, 'application/jsonl')).text)
  expect(rest).toMatchObject({ verdict: { sound: true, notes: [] }, end: { records: 4 } })
  // A forgotten memory is not kept anywhere.
  expect(await run('select seq from aside_lines where collection_id = ?', collectionId)).toEqual([])
}

/** Returns the sequence numbers of a collection's memories. */
async function memoriesOf({ run }: Damageable, collectionId: string): Promise<number[]> {
  const rows = await run('select seq from records where collection_id = ? and kind = 0 order by seq', collectionId)
  return rows.map(({ seq }) => Number(seq))
}

async function exportOf(
  { server }: Damageable,
  body: Record<string, unknown>,
  accept: string
): Promise<{ status: number; text: string }> {
  const response = await server.send('POST', EXPORT, { body, headers: { accept } })
  return { status: response.status, text: await response.text() }
}

type Found = { damaged: string | null; sources: { id: string; text: string }[] }

async function searchOf({ server }: Damageable, collectionId: string): Promise<Found> {
  const body = { collection_ids: [collectionId], query: 'sea Ada Lisbon harbour' }
  const response = await server.send('POST', '/v1/memories/search', { body })
  const { sources } = (await response.json()) as Pick<Found, 'sources'>
  return { damaged: response.headers.get('memctl-damaged-lines'), sources }
}
