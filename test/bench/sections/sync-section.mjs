import { startDatabase } from '../load/start-database.mjs'
import { table } from '../results-file.mjs'
import { sized } from '../sized.mjs'
import { dueRow } from '../sync/due-nodes.mjs'
import { firstSyncRows } from '../sync/first-sync.mjs'
import { heavyRows } from '../sync/heavy.mjs'
import { takeOverRow } from '../sync/take-over.mjs'

const PROVIDERS = sized(['cloud_drive', 'mailbox', 'team_chat'], ['mailbox'])
const LEASES_SECONDS = sized([5, 60], [5])

/**
 * Measures the built server syncing accounts of the sandbox: speed and memory, nodes that share the work or take it
 * over, and heavy content.
 */
export const syncSection = {
  title: 'Syncing the sandbox',
  async run() {
    const rows = [['what', 'result', 'required']]
    for (const provider of PROVIDERS) rows.push(...(await firstSyncRows(provider)))
    const database = await startDatabase()
    try {
      rows.push(await dueRow(database))
      for (const seconds of LEASES_SECONDS) rows.push(await takeOverRow(database, seconds))
    } finally {
      await database.stop()
    }
    rows.push(...(await heavyRows()))
    return table(rows)
  }
}
