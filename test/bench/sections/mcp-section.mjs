import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeSnapshot } from '../make-snapshot.mjs'
import { table } from '../results-file.mjs'
import { benchFolder, runMemctl } from '../run-process.mjs'
import { sized } from '../sized.mjs'
import { syntheticMemories, syntheticQueries } from '../synthetic-memories.mjs'

const MEMCTL = fileURLToPath(new URL('../../../dist/memctl.js', import.meta.url))
const DEVICE = new URL('../../../dist/device.js', import.meta.url)
const OFFICIAL = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'))

const ROUNDS = sized(9, 1)
const CALLS = sized(100, 2)
const PROCESSES = sized(4, 2)
const STORES = sized(25, 2)
const MEMORIES = sized(100_000, 200)
const QUERIES = sized(200, 2)
/** Searches before the measured ones, until the hot code of both processes is compiled. */
const WARM_UP = sized(1000, 5)

/** Measures `memctl mcp` beside the official server for memories, both over stdin and stdout. */
export const mcpSection = {
  title: `Memories for assistants (MCP), and a search among ${MEMORIES.toLocaleString('en')}`,
  async run() {
    const bench = benchFolder()
    try {
      const both = { ours: makeOurs(bench), official: makeOfficial(bench) }
      const small = await compare(both)
      const large = await searchLarge(bench)
      return [...rows(small), '', ...large]
    } finally {
      bench.remove()
    }
  }
}

function rows({ ours, official }) {
  const row = (what, of, digits = 1) => {
    const [mine, theirs] = [of(ours), of(official)]
    return [what, mine.toFixed(digits), theirs.toFixed(digits), theirs === 0 ? '' : `${(mine / theirs).toFixed(2)}x`]
  }
  return table([
    ['what', 'memctl mcp', 'official server', 'ratio'],
    row('start and handshake, ms', (one) => one.handshakeMs, 0),
    row('memory after the handshake, MB', (one) => one.idleMb, 0),
    row('tool list, bytes', (one) => one.listBytes, 0),
    row('store, ms', (one) => one.storeMs),
    row('search, ms', (one) => one.searchMs),
    row(`of ${PROCESSES * STORES} stores by ${PROCESSES} processes at once, kept`, (one) => one.kept, 0)
  ])
}

/** Takes the rounds of both servers in turn, so that drift of the machine affects both alike. */
async function compare(servers) {
  const handshakes = { ours: [], official: [] }
  const idle = { ours: [], official: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, server] of Object.entries(servers)) {
      const file = server.file(`round-${round}`)
      const start = performance.now()
      const client = await connect(server.command(file))
      handshakes[name].push(performance.now() - start)
      idle[name].push(readMb(client.pid))
      await client.end()
    }
  }
  const results = {}
  for (const [name, server] of Object.entries(servers))
    results[name] = {
      handshakeMs: median(handshakes[name]),
      idleMb: median(idle[name]),
      ...(await measureCalls(server)),
      kept: await countKept(server)
    }
  return results
}

async function measureCalls(server) {
  const client = await connect(server.command(server.file('calls')))
  const { tools } = await client.request('tools/list', {})
  const stores = []
  for (let n = 0; n < CALLS; n++) stores.push(await client.timed(server.store(`Report ${n} on the harbour of Lisbon.`)))
  const searches = []
  for (let n = 0; n < CALLS; n++) searches.push(await client.timed(server.search(`Report ${n}`)))
  await client.end()
  return { listBytes: JSON.stringify({ tools }).length, storeMs: median(stores), searchMs: median(searches) }
}

async function countKept(server) {
  const file = server.file('parallel')
  const clients = await Promise.all(Array.from({ length: PROCESSES }, () => connect(server.command(file))))
  await Promise.all(
    clients.map(async (client, process) => {
      for (let n = 0; n < STORES; n++)
        await client.request('tools/call', server.store(`Process ${process} stored ${n}.`))
    })
  )
  await Promise.all(clients.map((client) => client.end()))
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return new Set(text.match(/Process \d+ stored \d+\./g)).size
}

/** Compares a search over the protocol with the same search in the library, in turn. */
async function searchLarge(bench) {
  const path = makeSnapshot(bench, 'many', syntheticMemories(MEMORIES))
  const ours = makeOurs(bench)
  const client = await connect(ours.command(path))
  const [warmUp, queries] = [syntheticQueries(WARM_UP + QUERIES).slice(QUERIES), syntheticQueries(QUERIES)]
  for (const query of warmUp) await client.request('tools/call', ours.search(query))
  const { openDevice } = await import(DEVICE.href)
  const device = openDevice(path, { cacheFolder: bench.env.MEMCTL_CACHE_DIR })
  const search = (query) => device.search(query, { limit: 9 })
  for (const query of warmUp) await search(query)
  const [calls, library] = [[], []]
  let libraryCpuMs = 0
  const cpuBefore = readCpuMs(client.pid)
  for (const query of queries) {
    calls.push(await client.timed(ours.search(query)))
    const [start, cpu] = [performance.now(), process.cpuUsage()]
    await search(query)
    library.push(performance.now() - start)
    const { user, system } = process.cpuUsage(cpu)
    libraryCpuMs += (user + system) / 1000
  }
  const callsCpuMs = readCpuMs(client.pid) - cpuBefore
  const mb = readMb(client.pid)
  device.close()
  await client.end()
  const row = (what, mine, base) => [
    what,
    mine.toFixed(1),
    base.toFixed(1),
    base === 0 ? '' : `${(mine / base).toFixed(2)}x`
  ]
  return [
    ...table([
      [`search among ${MEMORIES.toLocaleString('en')} memories`, 'over the protocol', 'in the library', 'ratio'],
      row('processor time, mean, ms', callsCpuMs / QUERIES, libraryCpuMs / QUERIES),
      row('p50, ms', median(calls), median(library))
    ]),
    '',
    `The server then has ${mb.toFixed(0)} MB with the index. On a busy machine, the time of a call over the protocol`,
    'includes the wait for a processor in two processes.'
  ]
}

function makeOurs({ folder, env }) {
  return {
    file(name) {
      const path = join(folder, `ours-${name}.mem.jsonl`)
      runMemctl(['device', 'init', path], env)
      return path
    },
    command: (file) => ({ args: [MEMCTL, 'mcp', '--snapshot', file, '--allow-write', '--allow-forget'], env }),
    store: (text) => ({ name: 'memory_store', arguments: { text } }),
    search: (query) => ({ name: 'memory_search', arguments: { query } })
  }
}

function makeOfficial({ folder, env }) {
  return {
    file: (name) => join(folder, `official-${name}.jsonl`),
    command: (file) => ({ args: [OFFICIAL], env: { ...env, MEMORY_FILE_PATH: file } }),
    store: (text) => ({
      name: 'create_entities',
      arguments: { entities: [{ name: text, entityType: 'note', observations: [text] }] }
    }),
    search: (query) => ({ name: 'search_nodes', arguments: { query } })
  }
}

/** Starts a server and opens the connection, as most clients do. */
async function connect({ args, env }) {
  const child = spawn(process.execPath, args, { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map()
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id, result, error } = JSON.parse(line)
    const { resolve, reject } = waiting.get(id) ?? {}
    if (error !== undefined) reject?.(new Error(error.message))
    else resolve?.(result)
  })
  child.once('exit', () => {
    for (const { reject } of waiting.values()) reject(new Error(`${args.join(' ')} has ended`))
  })
  let count = 0
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const request = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++count
      waiting.set(id, { resolve, reject })
      send({ id, method, params })
    })
  const clientInfo = { name: 'bench', version: '1' }
  await request('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo })
  send({ method: 'notifications/initialized' })
  return {
    pid: child.pid,
    request,
    async timed(call) {
      const start = performance.now()
      const { isError } = await request('tools/call', call)
      if (isError) throw new Error(`${call.name} failed`)
      return performance.now() - start
    },
    async end() {
      waiting.clear()
      const exit = once(child, 'exit')
      child.kill()
      await exit
    }
  }
}

/** Returns the processor time of a process in ms, in steps of 10; 0 where the system does not show it. */
function readCpuMs(pid) {
  const path = `/proc/${pid}/stat`
  if (!existsSync(path)) return 0
  const fields = readFileSync(path, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * 10
}

/** Returns the resident memory of a process in MB; 0 where the system does not show it. */
function readMb(pid) {
  const path = `/proc/${pid}/status`
  if (!existsSync(path)) return 0
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(path, 'utf8'))?.[1] ?? 0) / 1024
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}
