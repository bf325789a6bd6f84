import { appendFileSync, copyFileSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt, runProgram } from './built-program.ts'
import {
  asAdmin,
  installMemctl,
  type Job,
  KEPT,
  makeJob,
  markdownBlock,
  type RecipeServer,
  rootHash,
  runnerEnvironment,
  runScript,
  startRecipeServer
} from './recipe-kit.ts'
import { runCli } from './run-cli.ts'
import { parseWorkflow, runWorkflow } from './workflow-runner.ts'

const MANUAL = 'src/cli/README.md'
const JOB = markdownBlock(MANUAL, 'bash')
const WORKFLOW = markdownBlock(MANUAL, 'yaml')

const scratch = mkdtempSync(join(tmpdir(), 'memctl-recipes-'))
let server: RecipeServer
let count = 0

beforeAll(async () => {
  ensureBuilt()
  server = await startRecipeServer(join(scratch, 'home'))
})

afterAll(async () => {
  await runProgram(['server', 'stop'], server.home)
  rmSync(scratch, { recursive: true, force: true })
})

const newJob = () => makeJob(server, join(scratch, `job-${++count}`))

/** The shell job in the manual, and the steps of the workflow. */
const RECIPES = {
  'the shell job': async (job: Job) => {
    installMemctl(job)
    const { origin: MEMCTL_SERVER } = server
    const { collection: COLLECTION, copy: COPY, key: MEMCTL_API_KEY } = job
    const environment = { ...runnerEnvironment(job), MEMCTL_SERVER, MEMCTL_API_KEY, COLLECTION, COPY }
    const { code, stdout, stderr } = await runScript(job, JOB, { flags: [], environment })
    return { code, log: stdout + stderr }
  },
  'the workflow': async (job: Job) => await runWorkflow(job, parseWorkflow(WORKFLOW))
}
const NAMES = ['the shell job', 'the workflow'] as const

const add = (job: Job, text: string) => asAdmin(server, 'memories', 'add', text, '-c', job.collection)
const kept = (job: Job) => asAdmin(server, 'device', 'verify', '--snapshot', join(job.folder, KEPT))

test.each(NAMES)('if nothing changed, %s exits 0, and the copy has the root hash of the snapshot', async (name) => {
  const job = await newJob()
  const { code, log } = await RECIPES[name](job)
  expect({ code, log }).toMatchObject({ code: 0 })
  const { root_hash, memories } = await kept(job)
  expect(memories).toBe(2)
  expect(await rootHash(server, job.copy)).toBe(root_hash)
  expect(log).not.toContain(job.key)
  expect(log).not.toContain('Lisbon')
})

test.each(NAMES)('if something changed, %s exits 11 and restores nothing', async (name) => {
  const job = await newJob()
  await add(job, 'Anna moved to Porto')
  const { code, log } = await RECIPES[name](job)
  expect({ code, log }).toMatchObject({ code: 11, log: expect.stringContaining('differ') })
  expect(readFileSync(join(job.folder, 'difference.tsv'), 'utf8')).toContain('Anna moved to Porto')
  expect(log).not.toContain('Porto')
  expect(await asAdmin(server, 'collections', 'show', job.copy)).toMatchObject({ memories: 0 })
})

test.each(NAMES)('for a damaged snapshot, %s exits 10 before it sends a request', async (name) => {
  const job = await newJob()
  const path = join(job.folder, KEPT)
  writeFileSync(path, readFileSync(path, 'utf8').replace('Lisbon', 'Lesbon'))
  const { code, log } = await RECIPES[name](job)
  expect({ code, log }).toMatchObject({ code: 10, log: expect.stringContaining('1 damaged line') })
  expect(log).not.toContain('now.mem.jsonl')
})

test('accepts a change, including a forgotten memory, and updates the copy', async () => {
  const job = await newJob()
  const run = RECIPES['the shell job']
  expect(await run(job)).toMatchObject({ code: 0 })
  const edited = join(job.folder, 'edited.mem.jsonl')
  copyFileSync(join(job.folder, KEPT), edited)
  const [found] = await asAdmin(server, 'device', 'forget', '--query', 'tea', '--dry-run', '--snapshot', edited)
  await asAdmin(server, 'device', 'forget', found.id, '--snapshot', edited)
  await asAdmin(server, 'collections', 'restore', edited, '-c', job.collection)
  await add(job, 'Anna moved to Porto')
  expect(await run(job)).toMatchObject({ code: 11 })
  renameSync(join(job.folder, 'now.mem.jsonl'), join(job.folder, KEPT))
  expect(await run(job)).toMatchObject({ code: 0 })
  const { root_hash, forgotten } = await kept(job)
  expect(forgotten).toBe(1)
  expect(await rootHash(server, job.copy)).toBe(root_hash)
})

test('the failures in the table exit with the codes that it lists', async () => {
  const job = await newJob()
  const run = RECIPES['the shell job']
  expect(await run({ ...job, key: `${job.key.slice(0, -1)}_` })).toMatchObject({ code: 4 })
  expect(await run({ ...job, copy: job.collection })).toMatchObject({ code: 5 })
  appendFileSync(join(job.folder, KEPT), '{"half')
  expect(await run(job)).toMatchObject({ code: 9 })
  rmSync(join(job.folder, KEPT))
  expect(await run(job)).toMatchObject({ code: 3 })
  expect(await run({ ...job, copy: '' })).toMatchObject({ code: 1, log: expect.stringContaining('COPY') })
})

test('the workflow pins known actions, has few permissions, and passes the key only to steps that need it', () => {
  const { permissions, jobs } = parseWorkflow(WORKFLOW)
  expect(permissions).toEqual({ contents: 'read' })
  const { env, steps } = jobs.snapshot
  expect(JSON.stringify(env)).not.toContain('secrets.')
  for (const step of steps) {
    if ('uses' in step) expect(step.uses).toMatch(/^actions\/(checkout|setup-node|upload-artifact)@v\d+$/)
    else expect(step.run).not.toContain('${{')
  }
  const withKey = steps.flatMap((step) => ('run' in step && step.env.MEMCTL_API_KEY !== undefined ? [step.name] : []))
  expect(withKey).toEqual(['Export', 'Restore and compare'])
})

test('the help shows the same recipes', async () => {
  const { stdout } = await runCli(['help', 'ci'])
  const indented = (text: string) => text.replace(/^(?=.)/gm, '  ')
  expect(stdout).toContain(indented(JOB))
  expect(stdout).toContain(indented(WORKFLOW))
})
