import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ensureBuilt, runProgram } from '../cli/built-program.ts'
import { installMemctl, type RecipeServer, runScript, startRecipeServer } from '../cli/recipe-kit.ts'
import { markdownBlocks } from './markdown-blocks.ts'

/** The examples of the README run as written, except for the server's port. */
const [DEVICE = '', CLIENT = ''] = markdownBlocks('README.md', 'ts')
const [KEY = ''] = markdownBlocks('README.md', 'sh')

const scratch = mkdtempSync(join(tmpdir(), 'memctl-readme-'))
let server: RecipeServer

beforeAll(async () => {
  ensureBuilt()
  server = await startRecipeServer(join(scratch, 'home'))
})

afterAll(async () => {
  await runProgram(['server', 'stop'], server.home)
  rmSync(scratch, { recursive: true, force: true })
})

/** Runs shell lines and then a program, in a folder where `memctl` is a command and a package. */
async function runExample(name: string, { lines, program }: { lines: string; program: string }) {
  const folder = join(scratch, name)
  const job = { folder, server, collection: '', copy: '', key: '' }
  mkdirSync(join(folder, 'node_modules'), { recursive: true })
  symlinkSync(join(import.meta.dirname, '..', '..'), join(folder, 'node_modules', 'memctl'))
  writeFileSync(join(folder, 'example.mjs'), program)
  installMemctl(job)
  const PATH = `${join(folder, 'bin')}:${process.env.PATH}`
  const environment = { PATH, HOME: server.home, MEMCTL_SERVER: server.origin }
  return await runScript(job, `set -e\n${lines}\n'${process.execPath}' example.mjs\n`, { flags: [], environment })
}

test('finds and explains in the example of the device', async () => {
  const { code, stdout, stderr } = await runExample('device', { lines: '', program: DEVICE })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^\d\.\d\d Ben Anna moved to Lisbon in May\n1 /)
})

test('gets its own key and finds in the example of the client', async () => {
  const [start, ...lines] = KEY.split('\n')
  expect(start).toBe('memctl server start --detach')
  const program = `${CLIENT.replace('http://127.0.0.1:8787', server.origin)}\nconsole.log(semantics[0].value)\n`
  const { code, stdout, stderr } = await runExample('client', { lines: lines.join('\n'), program })
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^Lisbon/)
})
