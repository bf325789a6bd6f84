import { spawnSync } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { startServer } from '../../bench/load/server-process.mjs'
import { makeCollection } from '../../bench/load/service.mjs'
import { ended, makeHome, PROGRAM, run, start } from './program.mjs'
import { asked, change, connectFolder, newFolder, syncOnce } from './syncing.mjs'
import { unclear } from './witness.mjs'

const LONG = 'x'.repeat(5000)
const NOBODY = '00000000-0000-4000-8000-000000000000'

/** Sends invalid values to the sync endpoints. Each is refused with a problem, and never with a 500. */
export async function asking({ server, sandbox, report }) {
  const collectionId = await makeCollection(server, 'asked')
  const folder = await newFolder(sandbox, 'asked')
  const id = await connectFolder(server, { collectionId, folder })
  const at = `/v1/connectors/${id}`
  const refused = [400, 404, 409, 413, 414, 422, 431]
  const item = (text) => ['POST', `${at}/items/${text}/retry`]
  const calls = [
    ...['-1', '0', '1e9', '1001', '', 'NaN', '1.5', '%00', '1&limit=2', LONG].map((n) => [
      'GET',
      `${at}/runs?limit=${n}`
    ]),
    ...['-1', '1e9', '%F0%9F%98%80'].map((n) => ['GET', `${at}/items?limit=${n}`]),
    ...['gone', '', 'SYNCED', '%00', 'failed&status=synced'].map((n) => ['GET', `${at}/items?status=${n}`]),
    ...['', LONG].map((n) => ['GET', `${at}/items?after=${n}`]),
    ...['%00', '%2F', '..%2F..', '%', '%FF', '%ED%A0%80', LONG, 'x', '%20', '__proto__'].map(item),
    ...['x', '%00', NOBODY, LONG, '..'].map((n) => ['GET', `${at}/runs/${n}`]),
    ...['sync', 'pause', 'resume', 'runs', 'items', 'schedule'].flatMap((what) =>
      ['x', NOBODY, '%00', LONG].map((n) => [
        /^[spr]/.test(what) && what !== 'runs' && what !== 'schedule' ? 'POST' : 'GET',
        `/v1/connectors/${n}/${what}`
      ])
    )
  ]
  for (const [method, path] of calls) {
    const { status, said } = await asked(server, `${method} ${path}`)
    const isProblem = refused.includes(status) && said.includes('"code"')
    report.case(
      'wrong values',
      isProblem ? undefined : `${method} ${path.slice(0, 120)}: ${status} ${said.slice(0, 200)}`
    )
  }
  for (const after of ['%00', '%FF', '%', '%E2%80%AE', '%F4%8F%BF%BF', "'%20or%201=1--"]) {
    const { status, said } = await asked(server, `GET ${at}/items?after=${after}`)
    report.case('wrong values', status === 200 ? undefined : `after=${after}: ${status} ${said.slice(0, 200)}`)
  }
  for (const what of ['pause', 'resume', 'sync', 'items/x/retry'])
    for (const body of [[], 'x', 1, null, { __proto__x: 1 }, { trigger: LONG }]) {
      const { status, said } = await asked(server, `POST ${at}/${what}`, body)
      report.case('wrong values', status < 500 ? undefined : `POST ${what} ${JSON.stringify(body)}: ${status} ${said}`)
    }
}

/** Runs sync commands while the server goes away, without a reader, and with interruptions. */
export async function commands({ sandbox, report, settings, isWhole }) {
  const home = makeHome()
  const server = await startServer({ env: home.env, settings })
  const env = { MEMCTL_SERVER: server.origin, MEMCTL_API_KEY: server.key }
  const collectionId = await makeCollection(server, 'commands')
  const folder = await newFolder(sandbox, 'commands')
  const text = 'It steers \u001b[31m.'
  await change(sandbox, 'cloud_drive add_file', { parent: folder, name: 'steers \u001b]0;x\u0007.txt', text })
  const id = await connectFolder(server, { collectionId, folder })
  const slow = () => sandbox.control('faults', { provider: 'cloud_drive', kind: 'slow', ms: 3000, times: 1 })
  const check = (name, { code, stderr }, wanted) =>
    report.case(
      'commands',
      wanted.includes(code) && !/\n\s+at |a bug in/.test(stderr)
        ? undefined
        : `${name}: exit ${code}: ${stderr.slice(0, 300)}`
    )

  for (const words of [`items ${id} --json`, `items ${id}`, `runs ${id} --jsonl`, `sync ${id} --wait --jsonl`].slice(
    isWhole ? 0 : -1
  )) {
    const line = `exec 3>&1; code=$( { { "$1" "$2" connections ${words} 3>&-; echo $? >&4; } | true; } 4>&1 ); exit $code`
    const { status, stderr } = spawnSync('sh', ['-c', line, 'sh', process.execPath, PROGRAM], {
      env: { ...home.env, ...env },
      encoding: 'utf8'
    })
    check(`${words} | true`, { code: status, stderr }, [0])
  }
  await syncOnce(server, id)
  await slow()
  const stopped = start(home, ['connections', 'sync', id, '--wait'], { env })
  const stoppedEnd = ended(stopped)
  await delay(1000)
  stopped.kill('SIGINT')
  check('Ctrl-C', await stoppedEnd, [130])
  await sandbox.control('faults', undefined, 'DELETE')
  await syncOnce(server, id)
  await slow()
  const waits = start(home, ['connections', 'sync', id, '--wait'], { env })
  const waitsEnd = ended(waits)
  await delay(1000)
  await server.kill('SIGKILL')
  const gone = await waitsEnd
  check('the server is killed', gone, [7])
  report.case('commands', unclear(gone.stderr.replace(/^(?!error: |hint: ).*\n/gm, '')))
  const away = run(home, ['connections', 'sync', id, '--wait'], { env })
  check('the server is away', away, [7])
  await sandbox.control('faults', undefined, 'DELETE')
}
