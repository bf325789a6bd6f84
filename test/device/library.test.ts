import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { moduleGraph } from '../tidy/lazy-graph.ts'
import { projectRoot } from '../tidy/project-files.ts'
import { temporaryFolder } from './device-kit.ts'

const WHY = 'dist is not built'
const isMissing = !existsSync(join(projectRoot, 'dist', 'device.js'))

/** Creates a folder with a program that has memctl installed as a package. */
function consumerFolder(name: string, program: string): string {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(projectRoot, join(folder, 'node_modules', 'memctl'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, name), program)
  return folder
}

const PROGRAM = `
import { createSnapshot, diffSnapshots, Fault, mergeSnapshots, openDevice } from 'memctl'

const cacheFolder = 'cache'
await createSnapshot('a.mem.jsonl')
await createSnapshot('b.mem.jsonl', { format: 'json' })
const device = openDevice('a.mem.jsonl', { cacheFolder, lockWaitMs: 1000 })
const { id } = await device.store({ text: 'Ada moved to Lisbon', speaker: 'Bob', at: '2026-01-02' })
async function* lines() {
  yield Buffer.from('{"raw_text":"Alan likes tea"}\\n{"raw_text":')
  yield Buffer.from('"Ada likes coffee"}\\n')
}
const report = await device.storeBatch({ stream: lines() })
const { response } = await device.search('who likes tea', { limit: 1 })
const listed = [...device.list({ speaker: 'Bob' }).records].map((record) => record.id)
const merged = await mergeSnapshots({ inputs: ['b.mem.jsonl', 'a.mem.jsonl'], output: 'b.mem.jsonl', cacheFolder })
const difference = diffSnapshots('a.mem.jsonl', 'b.mem.jsonl')
await device.forget([id], { compact: true })
const { sound, memories, forgotten } = await device.verify()
const fault = await openDevice('none').store({ text: 'x' }).catch((error) => error)
device.close()
console.log(JSON.stringify({
  stored: report.stored, found: response.sources.map(({ text }) => text), listed: listed[0] === id,
  merged: merged.memories, equal: difference.equal, sound, memories, forgotten,
  isFault: fault instanceof Fault, code: fault.code
}))
`

test('offers the whole device runtime to a program with memctl as a package', ({ skip }) => {
  skip(isMissing, WHY)
  const folder = consumerFolder('program.js', PROGRAM)
  const { PATH } = process.env
  const said = execFileSync(process.execPath, ['program.js'], {
    cwd: folder,
    env: { PATH, HOME: folder },
    encoding: 'utf8'
  })
  expect(JSON.parse(said)).toEqual({
    stored: 2,
    found: ['Alan likes tea'],
    listed: true,
    merged: 3,
    equal: true,
    sound: true,
    memories: 2,
    forgotten: 1,
    isFault: true,
    code: 'snapshot_missing'
  })
})

test('prints an uncaught fault within one screen, without a minified source line', ({ skip }) => {
  skip(isMissing, WHY)
  const folder = consumerFolder(
    'program.js',
    "import { openDevice } from 'memctl'\nawait openDevice('none').search('x')\n"
  )
  const { PATH } = process.env
  const { stderr } = spawnSync(process.execPath, ['program.js'], {
    cwd: folder,
    env: { PATH, HOME: folder },
    encoding: 'utf8'
  })
  expect(stderr).toContain('Fault: no snapshot at')
  expect(stderr.length).toBeLessThan(4000)
})

test('loads no package and no search code to store', async () => {
  const entry = 'bin/device.ts'
  const graph = await moduleGraph([entry])
  const loaded = new Set([entry])
  for (const module of loaded) for (const next of graph.get(module) ?? []) if (!next.dynamic) loaded.add(next.path)
  expect([...loaded].filter((module) => /node_modules|^src\/search/.test(module))).toEqual([])
  expect(loaded).toContain('src/device/store-one.ts')
  expect([...graph.keys()].some((module) => module.includes('node_modules/sql.js'))).toBe(true)
})
