import { connectInSandbox } from '../../bench/load/consent.mjs'
import { makeCollection } from '../../bench/load/service.mjs'
import { asked, change, connectionOf, idle, itemsOf, memoriesOf, newFolder, syncOnce } from './syncing.mjs'

/** The allowed error of a run for each fault. */
const FAULTS = {
  wrong_shape: /^contract broken: /,
  html: /./,
  cut_body: /./,
  big: /./,
  server_error: /./,
  rate_limited: undefined,
  // Renewing the token does not help as long as the fault applies.
  expired_token: /memctl connect /,
  dead_grant: /memctl connect /,
  repeat_cursor: /./,
  // Takes a minute until the timeout.
  timeout: /./
}

/** Changes of the accounts, so that the next sync has something to read. */
const NEWS = {
  cloud_drive: (n, parent) => [
    'cloud_drive add_file',
    { parent, name: `news ${n}.txt`, text: `News ${n} of the drive.` }
  ],
  team_chat: (n) => ['team_chat post', { channel: 'general', text: `News ${n} of the channel.` }],
  mailbox: (n) => ['mailbox receive', { subject: `news ${n}`, text: `News ${n} of the mailbox.` }],
  notes: (n) => ['notes add_page', { title: `News ${n}`, text: `News ${n} of the notes.` }]
}

/** The share of faults that is tried, except in a full run. */
const PART = 17

/** Returns malformed replies at every kind of call of a sync: reported as such, without losing anything. */
export async function replies(place) {
  await place.sandbox.control('reset', undefined, 'POST')
  let turn = 0
  for (const [provider, news] of Object.entries(NEWS)) {
    const linked = { provider, news, ...(await linkedTo(place, provider)) }
    const operations = await operationsOf(place, linked)
    place.report.note(`replies of ${provider}`, operations.map(({ operation }) => operation).join(', '))
    for (const [n, call] of operations.entries())
      for (const kind of Object.keys(FAULTS)) {
        if (kind === 'timeout' && !(place.isWhole && n === 0)) continue
        turn += 1
        if (place.isWhole || turn % PART === 0) await attacked(place, { ...linked, ...call, kind, turn })
      }
    await asked(place.server, `DELETE /v1/collections/${linked.collectionId}`)
  }
}

async function linkedTo({ server, sandbox }, provider) {
  const collectionId = await makeCollection(server, provider)
  const id = await connectInSandbox(server, { provider, collectionId })
  const folder = provider === 'cloud_drive' ? await newFolder(sandbox, 'news') : undefined
  const config = folder === undefined ? undefined : { folder_ids: [folder] }
  const linked = { collectionId, id, folder, config }
  if (provider === 'team_chat') {
    const channels = (await asked(server, `GET /v1/connectors/${id}/channels`)).json()
    const { id: general } = channels.find(({ name }) => name === 'general')
    linked.config = { channel_ids: [general] }
  }
  await beginAnew(server, linked)
  await idle(server, id)
  return linked
}

/** Selects the same folders again, which are then listed from the beginning. */
async function beginAnew(server, { id, config }) {
  if (config !== undefined) await asked(server, `PATCH /v1/connectors/${id}/config`, config)
}

/** Returns the kinds of calls of a sync with changes, then those that only a full sync makes. */
async function operationsOf({ server, sandbox }, linked) {
  const called = async () => {
    await syncOnce(server, linked.id)
    const { requests } = await sandbox.control('requests', undefined, 'GET')
    await sandbox.control('requests', undefined, 'DELETE')
    return new Set(requests.map(({ operation }) => operation))
  }
  await sandbox.control('requests', undefined, 'DELETE')
  await change(sandbox, ...linked.news(0, linked.folder))
  const usual = await called()
  await beginAnew(server, linked)
  const anew = [...(await called())].filter((operation) => !usual.has(operation))
  return [
    ...[...usual].map((operation) => ({ operation, anew: false })),
    ...anew.map((operation) => ({ operation, anew: true }))
  ]
}

async function attacked(place, attack) {
  const { server, sandbox, report } = place
  const { provider, operation, kind, id, collectionId, folder, news, turn } = attack
  const row = `replies of ${provider}`
  const before = new Set((await memoriesOf(server, collectionId)).map((memory) => memory.id))
  await change(sandbox, ...news(turn, folder))
  const more = kind === 'rate_limited' && { retry_after: 1 }
  await sandbox.control('faults', { provider, operation, kind, times: 50, ...more })
  if (attack.anew) await beginAnew(server, attack)
  const run = await syncOnce(server, id)
  await sandbox.control('faults', undefined, 'DELETE')
  const after = new Set((await memoriesOf(server, collectionId)).map((memory) => memory.id))
  const lost = [...before].filter((memory) => !after.has(memory)).length
  const shown = `${operation} ${kind}`
  report.case(row, lost === 0 ? undefined : `${shown}: ${lost} memories are gone`)
  const odd = unlike(run, kind, await connectionOf(server, id))
  report.case(row, odd && `${shown}: ${odd}`)
  report.case(row, await mended(place, { ...attack, run }))
}

/** Returns an unexpected result of a run. */
function unlike({ outcome, error, reasons, ended_at }, kind, { next_sync_at, health }) {
  const said = JSON.stringify({ outcome, error, reasons, health })
  if (outcome === null || outcome === 'interrupted' || outcome === 'stopped') return said
  if (Date.parse(next_sync_at) < Date.parse(ended_at)) return `the next sync was due ${next_sync_at}, before its end`
  if (/unrelated to the account/.test(said)) return `something of ours failed: ${said}`
  if (outcome === 'failed' && !FAULTS[kind]?.test(error)) return said
  if (kind === 'rate_limited' && outcome !== 'parked' && reasons.length > 0) return `a try was burnt: ${said}`
  return undefined
}

/** Checks that one more sync without the fault repairs everything. */
async function mended({ server }, { provider, operation, kind, id, collectionId, run, turn }) {
  const shown = `${operation} ${kind}`
  if (kind === 'dead_grant' && run.outcome === 'failed') {
    await connectInSandbox(server, { provider, collectionId })
    await idle(server, id)
  }
  for (let tries = 0; ; tries++) {
    const failed = await itemsOf(server, id, '&status=failed')
    for (const item of failed)
      await asked(server, `POST /v1/connectors/${id}/items/${encodeURIComponent(item.id)}/retry`)
    const again = await syncOnce(server, id)
    const left = (await itemsOf(server, id, '&status=failed')).length
    if (again.outcome === 'succeeded' && left === 0) break
    if (tries === 5) return `${shown}: then ${JSON.stringify(again)}, ${left} failed`
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
  const texts = (await memoriesOf(server, collectionId)).map(({ text }) => text)
  return texts.some((text) => text.includes(`News ${turn} of`)) ? undefined : `${shown}: what is new never came`
}
