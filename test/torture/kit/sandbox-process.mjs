import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { PROGRAM } from './program.mjs'

/** Starts a sandbox in a separate process. `control` changes its content and requests faults. */
export async function startSandbox(env, port = 0) {
  const child = spawn(process.execPath, [PROGRAM, 'server', 'sandbox', '--port', String(port), '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const ended = new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal })))
  const line = await Promise.race([
    new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    ended.then(({ code }) => {
      throw new Error(`the sandbox ended with ${code}`)
    })
  ])
  const { origin, environment } = JSON.parse(line)
  return {
    origin,
    environment,
    async control(path, body, method = 'POST') {
      const reply = await fetch(`${origin}/sandbox/control/${path}`, {
        method,
        ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } })
      })
      const text = await reply.text()
      if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${text.slice(0, 300)}`)
      return JSON.parse(text)
    },
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    }
  }
}
