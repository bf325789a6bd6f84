import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const MEMCTL = fileURLToPath(new URL('../../../dist/memctl.js', import.meta.url))

/**
 * A server in a process of its own on a free port, with an admin key that is known here and no rate limit. Gives its address,
 * key, and how long it took to be ready (ms).
 */
export async function startServer({ env, settings = {}, args = [] }) {
  const key = settings.MEMCTL_ADMIN_KEY ?? newKey()
  const all = { ...env, MEMCTL_ADMIN_KEY: key, MEMCTL_RATE_LIMIT: 'off', ...settings }
  return { key, ...(await startMemctl(['server', 'start', ...args], all)) }
}

/** The sandbox providers of all providers in a process of their own. `environment` points a server at them. */
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

/** A key such as the server makes. */
export function newKey() {
  return `mk_${randomBytes(32).toString('base64url')}`
}

/** Resident memory of a process in MB, its threads with it: now (`VmRSS`), or the most it ever was. Where there is no /proc: NaN. */
function memoryMb(pid, field) {
  try {
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
  } catch {
    return Number.NaN
  }
}
