import { expect, test } from 'vitest'
import type { CheckFinding } from '../../../server/storage/port/check-storage.ts'
import { manualClock } from '../http/manual-clock.ts'
import { passOver } from '../storage/check-kit.ts'
import type { Damageable, StartDamageable } from './damage-kit.ts'
import { at, change, type SyncServer, synced, syncedDrive } from './sync-kit.ts'

const ROUNDS = process.env.SLOW ? 100 : 2

/** Tests that a check of an undamaged database in use finds nothing. */
export function undamagedSuite(start: StartDamageable): void {
  test('finds nothing in a check during syncs, disconnects and deletions', async ({ skip }) => {
    const damageable = await start({ syncs: true, clock: manualClock() })
    if ('reason' in damageable) return skip(damageable.reason)
    const server = damageable.server as SyncServer
    const work = { isDone: false }
    const findings = checkUntil(damageable, work)
    for (let round = 0; round < ROUNDS; round++) await useAll(server, round)
    work.isDone = true
    expect(await findings).toEqual([])
    expect((await passOver(damageable.server)).findings).toEqual([])
  })
}

async function checkUntil({ server }: Damageable, work: { isDone: boolean }): Promise<CheckFinding[]> {
  const findings: CheckFinding[] = []
  while (!work.isDone) {
    findings.push(...(await passOver(server, 'note', { withFile: false })).findings)
    // The SQLite storage never waits, so other calls need a turn of the event loop.
    await new Promise(setImmediate)
  }
  return findings
}

/** Uses a collection from its first memory to its deletion, with a drive whose files are added, changed and removed. */
async function useAll(server: SyncServer, round: number): Promise<void> {
  const made = await server.call('POST', '/v1/collections', { body: { name: `round ${round}` } })
  const collectionId: string = made.json.id
  const texts = { 'a.txt': `The ferry ${round} leaves at nine.`, 'b.txt': 'Ada moved to Lisbon.' }
  const { id, folder, files } = await syncedDrive(server, texts, collectionId)
  const body = { collection_id: collectionId, raw_text: `A note ${round}.` }
  expect((await server.call('POST', '/v1/memories', { body })).status).toBe(201)
  await change(server, 'cloud_drive.add_file', { parent: folder, name: 'c.txt', text: 'A third one.' })
  await change(server, 'cloud_drive.trash', { id: files['a.txt'] })
  await synced(server, id)
  await server.call('DELETE', `${at(id)}${round % 2 === 0 ? '?delete_memories=true' : ''}`)
  await server.call('DELETE', `/v1/collections/${collectionId}`)
}
