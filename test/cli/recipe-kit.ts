import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import packageJson from '../../package.json' with { type: 'json' }
import { markdownBlocks } from '../client/markdown-blocks.ts'
import { type Ended, ended, PROGRAM, runProgram } from './built-program.ts'

/** A server in the background, with the home of its admin and a key for requests. */
export type RecipeServer = { origin: string; home: string; pid: number; key: string }

/** A folder in which a job runs, with the variables that CI would set. */
export type Job = {
  folder: string
  server: RecipeServer
  /** Ids of the exported collection, and of the one into which it is restored. */
  collection: string
  copy: string
  /** A key created for this job; not an admin key. */
  key: string
}

/** Returns the first code block of a language in a Markdown file of the project. */
export function markdownBlock(path: string, language: string): string {
  const [block] = markdownBlocks(path, language)
  if (block === undefined) throw new Error(`${path} has no block of ${language}`)
  return block
}

/** Starts a server on a free port, with all its files in `home`. The caller stops it. */
export async function startRecipeServer(home: string): Promise<RecipeServer> {
  mkdirSync(home)
  const { stdout, stderr } = await runProgram(['server', 'start', '--detach', '--port', '0', '--json'], home)
  if (stdout === '') throw new Error(stderr)
  const { origin, pid } = JSON.parse(stdout)
  const made = await runProgram(['keys', 'create', 'test', '--admin', '--server', origin, '--json'], home)
  return { origin, home, pid, key: JSON.parse(made.stdout).key }
}

/** Runs a command as admin, and returns its JSON output. */
export async function asAdmin({ origin, home }: RecipeServer, ...args: readonly string[]) {
  const { stdout, stderr } = await runProgram([...args, '--server', origin, '--json'], home)
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Sends a request as admin, which takes less time than a command, and returns the reply. */
async function post({ origin, key }: RecipeServer, path: string, body: unknown) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const response = await fetch(`${origin}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!response.ok) throw new Error(await response.text())
  return JSON.parse(await response.text())
}

/** Creates a job on a collection with two memories, and its accepted snapshot. */
export async function makeJob(server: RecipeServer, folder: string): Promise<Job> {
  mkdirSync(folder)
  const { id: collection } = await post(server, '/v1/collections', { name: 'live' })
  const { id: copy } = await post(server, '/v1/collections', { name: 'copy' })
  for (const raw_text of ['Anna moved to Lisbon in May', 'I prefer tea'])
    await post(server, '/v1/memories', { collection_id: collection, raw_text, metadata: { speaker: 'Ben' } })
  const grants = [
    { collection_id: collection, permission: 'read' },
    { collection_id: copy, permission: 'edit' }
  ]
  const { key } = await post(server, '/v1/keys', { name: 'ci', grants })
  await asAdmin(server, 'device', 'export', '-c', collection, '-o', join(folder, KEPT))
  return { folder, server, collection, copy, key }
}

/** The name of the accepted snapshot. */
export const KEPT = 'kept.mem.jsonl'

/** Returns the current root hash of a collection. */
export async function rootHash(server: RecipeServer, collection: string): Promise<string> {
  const { root_hash } = await asAdmin(server, 'device', 'export', '-c', collection, '-o', 'now.mem.jsonl', '--force')
  return root_hash
}

/** Returns the variables of a runner: nothing from this machine except PATH, and `memctl` where a job installs it. */
export function runnerEnvironment({ folder }: Job): Record<string, string> {
  return { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, HOME: join(folder, 'home'), CI: 'true' }
}

/** Creates a program `memctl` where `runnerEnvironment` finds it. */
export function installMemctl(job: Job): void {
  writeProgram(job, 'memctl', wrapper())
}

/** Creates a program `npm` there that can only install this package as `npm pack` creates it. */
export function offerNpm(job: Job): void {
  const wanted = `install --global ./memctl-${packageJson.version}.tgz`
  const memctl = join(job.folder, 'bin', 'memctl')
  const install = `cat > '${memctl}' <<'END'\n${wrapper()}END\nchmod 755 '${memctl}'`
  writeProgram(
    job,
    'npm',
    `#!/bin/sh\n[ "$*" = '${wanted}' ] || { echo "not known: npm $*" >&2; exit 1; }\n${install}\n`
  )
}

function wrapper(): string {
  return `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`
}

function writeProgram({ folder }: Job, name: string, text: string): void {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  writeFileSync(join(bin, name), text)
  chmodSync(join(bin, name), 0o755)
}

/** Runs a script with bash, as CI calls it, in the folder of a job. */
export async function runScript(
  { folder }: Job,
  script: string,
  how: { flags: readonly string[]; environment: Record<string, string> }
): Promise<Ended> {
  const path = join(folder, 'script.sh')
  writeFileSync(path, script)
  const child: ChildProcess = spawn('bash', [...how.flags, path], { cwd: folder, env: how.environment, stdio: 'pipe' })
  child.stdin?.end()
  return await ended(child)
}
