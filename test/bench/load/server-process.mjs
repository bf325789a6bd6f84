import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MEMCTL = fileURLToPath(new URL('../../../dist/memctl.js', import.meta.url))

/**
 * Starts a server in a separate process on a free port, with a known admin key and no rate limit. Returns its URL, key,
 * and start time (ms).
 */
export async function startServer({ env, settings = {}, args = [] }) {
  const key = settings.MEMCTL_ADMIN_KEY ?? newKey()
  const all = { ...env, MEMCTL_ADMIN_KEY: key, MEMCTL_RATE_LIMIT: 'off', ...settings }
  return { key, ...(await startMemctl(['server', 'start', ...args], all)) }
}

/** Starts the sandbox of all providers in a separate process. `environment` points a server at it. */
export async function startSandbox({ env }) {
  return await startMemctl(['server', 'sandbox'], env)
}

async function startMemctl(words, env) {
  const start = performance.now()
  const child = spawn(process.execPath, [MEMCTL, ...words, '--port', '0', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const said = []
  child.stderr.setEncoding('utf8').on('data', (text) => {
    said.push(text)
    if (said.length > 200) said.shift()
  })
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  const facts = await Promise.race([
    new Promise((resolve) =>
      createInterface({ input: child.stdout }).once('line', (line) => resolve(JSON.parse(line)))
    ),
    ended.then(({ code }) => {
      throw new Error(`the server ended with ${code}: ${said.join('').slice(-500)}`)
    })
  ])
  const kill = (signal) => {
    child.kill(signal)
    return ended
  }
  return {
    origin: facts.origin,
    environment: facts.environment,
    readyMs: performance.now() - start,
    pid: child.pid,
    memoryMb: () => memoryMb(child.pid, 'VmRSS'),
    peakMb: () => memoryMb(child.pid, 'VmHWM'),
    said: () => said.join(''),
    kill,
    stop: () => kill('SIGTERM')
  }
}

/** Returns a key in the format of the server. */
export function newKey() {
  return `mk_${randomBytes(32).toString('base64url')}`
}

/**
 * Returns the resident memory of a process with its threads in MB: the current one (`VmRSS`) or the peak. NaN without
 * /proc.
 */
function memoryMb(pid, field) {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
