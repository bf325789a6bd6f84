// Provider accounts under bad conditions: a built server and a built sandbox over sockets. Commands without answers,
// forged callbacks, providers that fail in every way, hostile names, and a provider that goes away. `--only` names a
// part.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { connectInSandbox, consentTo } from '../bench/load/consent.mjs'
import { newKey, startServer } from '../bench/load/server-process.mjs'
import { callService, makeCollection } from '../bench/load/service.mjs'
import { breakNames, NAMES } from './kit/hostile-names.mjs'
import { madeUpCallbacks } from './kit/made-up-callbacks.mjs'
import { ensureBuilt, makeHome, PROGRAM, run } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'
import { startSandbox } from './kit/sandbox-process.mjs'
import { commandsOf, SURROUNDINGS } from './kit/unanswered-commands.mjs'
import { unclear } from './kit/witness.mjs'

const WHOLE = 2000
const { count, seed, only, random } = options(WHOLE, ['commands', 'callbacks', 'faults', 'names', 'channels', 'away'])
/** Otherwise each command runs in one environment, and each fault at one provider. */
const isWhole = count >= WHOLE
/** Time limit of every command, in milliseconds. */
const WITHIN_MS = 30_000 * PATIENCE
const CHANNELS = 5000
const ACCOUNT = { cloud_drive: 'mara.lindqvist@example.com', team_chat: 'ada.moreau@harbourlight.example' }

const report = createReport(`accounts at providers (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const sandbox = { now: await startSandbox(home.env) }
const settings = { MEMCTL_ADMIN_KEY: newKey(), MEMCTL_LOG_LEVEL: 'debug', ...sandbox.now.environment }
const server = await startServer({ env: home.env, settings })
const env = { MEMCTL_SERVER: server.origin, MEMCTL_API_KEY: server.key }
const collectionId = await makeCollection(server, 'linked')
const drive = await connectInSandbox(server, { provider: 'cloud_drive', collectionId })
const chat = await connectInSandbox(server, { provider: 'team_chat', collectionId })
const secrets = [...Object.values(sandbox.now.environment).filter((value) => value.startsWith('sandbox-')), server.key]

for (const [name, part] of Object.entries({ commands, callbacks, faults, names, channels, away }))
  if (only === undefined || only === name) await part()
report.case('no secret in log or database', leaked())
const { code } = await server.stop()
report.case('the server stopped as it should', code === 0 ? undefined : `exit ${code}: ${server.said().slice(-300)}`)
await sandbox.now.end()
report.finish()

function memctl(args, more = {}) {
  return run(home, args, { timeout: WITHIN_MS, ...more, env: { ...env, ...more.env } })
}

/**
 * Runs every command in environments without answers: it ends by itself with the documented exit code and one clear
 * line.
 */
function commands() {
  for (const [n, [args, exit]] of commandsOf({ collectionId, drive, chat }).entries())
    for (const [k, surrounding] of SURROUNDINGS.entries())
      if (isWhole || k === n % SURROUNDINGS.length) inSurrounding(args, exit, surrounding)
}

function inSurrounding(args, exit, { name, stdio, redirect, env: extra, args: more = [] }) {
  const words = [...args, ...more]
  const { code: ended, stdout, stderr, ms } = redirect ? shell(words, redirect) : memctl(words, { stdio, env: extra })
  const shown = `${name}: memctl ${args.join(' ').slice(0, 100)}`
  const wanted = [exit].flat()
  if (!wanted.includes(ended))
    report.case('commands', `${shown}: exit ${ended} in ${Math.round(ms)} ms: ${stderr.slice(0, 300)}`)
  else if (ended === 0) report.case('commands')
  else
    report.case(
      'commands',
      name === '--json' ? unlikeJson(shown, stdout, stderr) : withPlace(shown, unclear(talkless(stderr)))
    )
}

function shell(args, redirect) {
  const words = ['-c', `exec "$@" ${redirect}`, 'sh', process.execPath, PROGRAM, ...args]
  const start = performance.now()
  const { status, stdout, stderr } = spawnSync('sh', words, {
    cwd: home.work,
    env: { ...home.env, ...env },
    encoding: 'utf8',
    timeout: WITHIN_MS
  })
  return { code: status, stdout, stderr, ms: performance.now() - start }
}

/** Removes output beside the error: the consent URL, the subject of a question, progress. */
function talkless(stderr) {
  return stderr.replace(/^(http\S*|collection: .*| {2}.*|.*; asking again in \d+ s)\n/gm, '')
}

function withPlace(place, problem) {
  return problem === undefined ? undefined : `${place}: ${problem}`
}

function unlikeJson(place, stdout, stderr) {
  if (stdout !== '') return `${place}: ${stdout.slice(0, 100)} on stdout`
  const last = stderr.trimEnd().split('\n').at(-1)
  try {
    const { error } = JSON.parse(last)
    return typeof error.message === 'string' && error.exit_code > 0 ? undefined : `${place}: an odd error ${last}`
  } catch {
    return `${place}: no JSON on stderr: ${last.slice(0, 200)}`
  }
}

/** Sends invalid callbacks: each shows a page that says what to do, and only the consented connection is made. */
async function callbacks() {
  const begin = () =>
    callService(server, { path: '/v1/connectors/notes/connect', body: { collection_id: collectionId } })
  const before = await linked()
  for (let n = 0; n < count / 100; n++) {
    const { auth_url } = await begin()
    const address = await consentTo(auth_url, { account: n % 3 })
    for (const [name, bad] of madeUpCallbacks(address, random)) await refusedPage(name, bad)
  }
  report.case('callbacks link nothing', (await linked()) === before ? undefined : 'there is a connection more')
  const { auth_url } = await begin()
  const address = await consentTo(auth_url, { account: 0 })
  const pages = await Promise.all(Array.from({ length: 20 }, () => fetch(address)))
  await Promise.all(pages.map((page) => page.text()))
  const good = pages.filter(({ status }) => status === 200).length
  report.case('20 callbacks at once', good === 1 ? undefined : `${good} of them were taken`)
  report.case('20 callbacks at once', (await linked()) === before + 1 ? undefined : 'not one connection more')
}

async function linked() {
  const path = `/v1/connectors?collection_id=${collectionId}`
  return (await callService(server, { method: 'GET', path })).length
}

async function refusedPage(name, address) {
  const reply = await fetch(address, { redirect: 'manual', headers: { accept: 'text/html' } })
  const text = await reply.text()
  const code = new URL(address).searchParams.get('code') ?? 'none'
  const bad = (reply.status < 400 || reply.status >= 500) && `${reply.status}`
  const shown = text.includes(code) || text.includes('<script>') || reply.headers.has('set-cookie')
  report.case('callbacks', bad || shown ? `${name}: ${bad || 'what came in is on the page'}` : undefined)
}

/**
 * Requests each fault for each way to access an account: it is reported in one line with an exit code, and ends with
 * the fault.
 */
async function faults() {
  const kinds = [
    'rate_limited',
    'server_error',
    'overloaded',
    'cut_body',
    'html',
    'wrong_shape',
    'expired_token',
    'big'
  ]
  const lists = [
    { provider: 'cloud_drive', operation: 'drive.files.list', args: ['connections', 'folders', drive] },
    { provider: 'team_chat', operation: 'conversations.list', args: ['connections', 'channels', chat] }
  ]
  for (const [n, kind] of [...kinds, 'repeat_cursor'].entries())
    for (const [k, list] of lists.entries()) if (isWhole || k === n % lists.length) await faultAt(list, kind)
}

async function faultAt({ provider, operation, args }, kind) {
  // Commands retry temporary faults for half a minute.
  const more = kind === 'rate_limited' && { retry_after: 1, times: isWhole ? 50 : 2 }
  await sandbox.now.control('faults', { provider, operation, kind, times: 50, ...more })
  const { code: ended, stderr, ms } = memctl(args)
  await sandbox.now.control('reset', undefined, 'POST')
  const unlike = [0, 6, 7].includes(ended) ? told(stderr) : `exit ${ended} in ${Math.round(ms)} ms: ${stderr}`
  const said = ended === 0 ? undefined : unclear(talkless(stderr))
  report.case('faults', withPlace(`${provider} ${kind}`, unlike ?? said))
  report.case('after a fault', await worksAgain(args))
}

function told(text) {
  const secret = secrets.find((one) => text.includes(one))
  return secret === undefined ? undefined : 'a secret is told'
}

/** Retries within the time that a provider may demand. */
async function worksAgain(args) {
  for (let tries = 0; ; tries++) {
    const { code: ended, stderr } = memctl(args)
    if (ended === 0) return undefined
    if (tries === 5) return `${args.join(' ')}: exit ${ended}: ${stderr.slice(0, 200)}`
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

/** Checks hostile names: exact as data, harmless on terminals and in tables. */
async function names() {
  const { team_chat, cloud_drive } = ACCOUNT
  for (const name of NAMES) {
    await sandbox.now.control(`accounts/team_chat/${team_chat}/add_channel`, { name })
    await sandbox.now.control(`accounts/cloud_drive/${cloud_drive}/add_folder`, { parent: 'root', name })
  }
  for (const args of [
    ['connections', 'channels', chat],
    ['connections', 'folders', drive]
  ]) {
    const listed = new Set(JSON.parse(memctl([...args, '--json']).stdout).map(({ name }) => name))
    const lost = NAMES.filter((name) => !listed.has(name))
    report.case(
      'names as data',
      lost.length === 0 ? undefined : `${args[1]}: ${JSON.stringify(lost.slice(0, 3))} is not there`
    )
    for (const more of [[], ['--json'], ...(args[1] === 'folders' ? [['--tree']] : [])])
      report.case(
        'names for eyes',
        withPlace([...args, ...more].join(' '), breakNames(memctl([...args, ...more]).stdout, more[0]))
      )
  }
  await sandbox.now.control('reset', undefined, 'POST')
}

/** Checks many channels: complete in a slow pipe, silent in a closed one, in bounded time. */
async function channels() {
  await sandbox.now.control(`accounts/team_chat/${ACCOUNT.team_chat}/add_channel`, { name: 'many', count: CHANNELS })
  const { stdout, ms } = memctl(['connections', 'channels', chat, '--json'])
  const listed = JSON.parse(stdout).length
  report.case('many channels', listed > CHANNELS && ms < WITHIN_MS ? undefined : `${listed} in ${Math.round(ms)} ms`)
  report.note('many channels', `${listed} in ${Math.round(ms)} ms`)
  for (const more of ['', '--json', '--jsonl', '--fields id']) {
    const text = `exec 3>&1; code=$( { { "$1" "$2" connections channels "$3" ${more} 3>&-; echo $? >&4; } | head -1 >/dev/null; } 4>&1 ); exit $code`
    const words = ['-c', text, 'sh', process.execPath, PROGRAM, chat]
    const { status, stderr } = spawnSync('sh', words, {
      env: { ...home.env, ...env },
      encoding: 'utf8',
      timeout: WITHIN_MS
    })
    report.case(
      '| head -1',
      status === 0 && stderr === '' ? undefined : `${more}: exit ${status}: ${stderr.slice(0, 200)}`
    )
  }
  await sandbox.now.control('reset', undefined, 'POST')
}

/** Checks a provider that goes away and comes back: reported in time, without linking an account again. */
async function away() {
  const { auth_url, state } = await callService(server, {
    path: '/v1/connectors/mailbox/connect',
    body: { collection_id: collectionId }
  })
  const address = await consentTo(auth_url, { account: 0 })
  const { port } = new URL(sandbox.now.origin)
  await sandbox.now.end('SIGKILL')
  const gone = memctl(['connections', 'folders', drive])
  report.case('away', gone.code === 7 ? unclear(gone.stderr) : `exit ${gone.code}: ${gone.stderr.slice(0, 200)}`)
  const page = await fetch(address)
  await page.text()
  report.case('away', page.status >= 400 ? undefined : `the callback answered ${page.status}`)
  const waited = memctl(['connect', 'mailbox', '--resume', state, '--wait-timeout', '2s'])
  report.case(
    'away',
    waited.code === 1 ? unclear(waited.stderr) : `resume: exit ${waited.code}: ${waited.stderr.slice(0, 200)}`
  )
  sandbox.now = await startSandbox(home.env, port)
  report.case('back again', await worksAgain(['connections', 'folders', drive]))
  report.case('back again', await worksAgain(['connections', 'channels', chat]))
  const made = connectInSandbox(server, { provider: 'mailbox', collectionId })
  report.case(
    'back again',
    await made.then(
      () => undefined,
      ({ message }) => message
    )
  )
}

/**
 * Returns where a secret of the client, a key or a code appears: in the log or in files of the data folder not meant
 * for it.
 */
function leaked() {
  const folder = home.env.MEMCTL_DATA_DIR
  const files = readdirSync(folder).filter((name) => name !== 'server.key')
  const texts = [['the log', server.said()], ...files.flatMap((name) => readable(join(folder, name)))]
  for (const [name, text] of texts) {
    const secret = secrets.find((one) => text.includes(one))
    if (secret !== undefined) return `${secret.slice(0, 12)}… is in ${name}`
  }
  return undefined
}

/** Reads a file, if possible: the lock is a dangling link. */
function readable(path) {
  try {
    return [[path, readFileSync(path, 'latin1')]]
  } catch {
    return []
  }
}
