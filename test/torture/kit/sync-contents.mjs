import { join } from 'node:path'
import { connectInSandbox } from '../../bench/load/consent.mjs'
import { makeCollection } from '../../bench/load/service.mjs'
import { hostileFiles, hostileMails } from './hostile-contents.mjs'
import { breakNames } from './hostile-names.mjs'
import { run } from './program.mjs'
import { asked, change, connectFolder, idle, itemsOf, newFolder, runsOf, syncOnce } from './syncing.mjs'

/** Maximum memory of the server with its threads in MB. A file of 50 MB needs most of it while it is read. */
const MEMORY_MB_MAX = 640
const MANY = { part: 100, whole: 10_000 }

/**
 * Syncs hostile content: stored safely, or failed with a reason. The sync continues, and the server's memory stays
 * bounded.
 */
export async function contents(place) {
  const { server, sandbox, report, isWhole } = place
  const collectionId = await makeCollection(server, 'contents')
  const folder = await newFolder(sandbox, 'weapons')
  const files = hostileFiles({ isWhole })
  const put = new Map()
  for (const { fails, ...file } of files) {
    const { id } = await change(sandbox, 'cloud_drive add_file', { parent: folder, ...file })
    put.set(id, { fails, file })
  }
  const count = isWhole ? MANY.whole : MANY.part
  await change(sandbox, 'cloud_drive add_file', { parent: folder, name: 'one of many', text: 'One of many.', count })
  const drive = await connectFolder(server, { collectionId, folder })
  await told(place, { id: drive, put, count: count + files.length })
  for (const raw of hostileMails()) await change(sandbox, 'mailbox receive', { raw })
  const mailbox = await connectInSandbox(server, { provider: 'mailbox', collectionId })
  const { last_run } = await idle(server, mailbox)
  report.case('mails', ['succeeded', 'partial'].includes(last_run.outcome) ? undefined : JSON.stringify(last_run))
  for (const id of [drive, mailbox]) shown(place, id)
  const again = await syncOnce(server, drive)
  report.case('again', again.created + again.updated === 0 ? undefined : `not the same again: ${JSON.stringify(again)}`)
  verified(place, collectionId)
  const peak = server.peakMb()
  report.case('memory', peak > MEMORY_MB_MAX ? `${Math.round(peak)} MB at most` : undefined)
  report.note('memory', `${Math.round(peak)} MB at most`)
  await asked(server, `DELETE /v1/collections/${collectionId}`)
}

/** Checks that each file is stored, failed with a reason, or skipped with one. */
async function told({ server, report }, { id, put, count }) {
  // The oldest run, because failed items may have been retried since.
  const run = (await runsOf(server, id)).at(-1)
  report.case('files', ['succeeded', 'partial'].includes(run.outcome) ? undefined : JSON.stringify(run))
  report.case('files', run.seen === count ? undefined : `${run.seen} of ${count} were seen`)
  const items = new Map((await itemsOf(server, id, '&status=failed')).map((item) => [item.id, item]))
  for (const item of await itemsOf(server, id, '&status=skipped')) items.set(item.id, item)
  for (const [itemId, { fails, file }] of put) {
    const item = items.get(itemId)
    const name = JSON.stringify(file.name.slice(0, 40))
    const isTold = item === undefined || (item.error !== null && /^[^\p{Cc}]{5,500}$/u.test(item.error))
    report.case('reasons', isTold ? undefined : `${name}: ${JSON.stringify(item)}`)
    report.case('reasons', !fails || item?.status === 'failed' ? undefined : `${name} was taken in`)
  }
}

/** Checks that listed names are harmless on a terminal. */
function shown({ server, report, home, isWhole }, id) {
  const env = { MEMCTL_SERVER: server.origin, MEMCTL_API_KEY: server.key }
  for (const more of [['--status', 'failed'], [], ['--json']].slice(0, isWhole ? 3 : 2)) {
    const { code, stdout, stderr } = run(home, ['connections', 'items', id, '--limit', '1000', ...more], { env })
    const isFine = code === 0 && breakNames(stderr || 'nothing') === undefined
    const raw = more[0] === '--status' && stdout === '' ? undefined : breakNames(stdout, more[0])
    report.case('items for eyes', isFine ? raw : `exit ${code}: ${stderr.slice(0, 200)}`)
  }
}

/** Checks that the export is a valid snapshot. */
function verified({ server, report, home }, collectionId) {
  const env = { MEMCTL_SERVER: server.origin, MEMCTL_API_KEY: server.key }
  const file = join(home.work, `${collectionId}.mem.jsonl`)
  const exported = run(home, ['device', 'export', '-c', collectionId, '-o', file, '--verify'], { env })
  report.case('export', exported.code === 0 ? undefined : `exit ${exported.code}: ${exported.stderr.slice(0, 300)}`)
  const { code, stderr } = run(home, ['device', 'verify', '--fail-on-warning', '--snapshot', file], { env })
  report.case('export', code === 0 ? undefined : `verify: exit ${code}: ${stderr.slice(0, 300)}`)
}
