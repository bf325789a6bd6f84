import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, test } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { projectRoot } from '../tidy/project-files.ts'
import { temporaryFolder } from './device-kit.ts'

/** The declarations from `npm run build`, as in an installed package: next to zod, without our dev dependencies. */
const declared = join(projectRoot, 'dist', 'types')
const isMissing = !existsSync(declared)
const WHY = 'dist is not built'

const PROGRAM = `
import {
  type WhyNotReport, type BatchStream, type Comparison, type Device, type DeviceOptions, type Group, type LibraryOptions,
  type MemoryRecord, type MemoryResponse, type Metadata, openDevice, type Reason, type TermMatch, type StoreInput,
  type TermPlace, type WhyNot
} from 'memctl'
import { type Client, type ClientOptions, createClient, type EndpointName, type Endpoints, Fault } from 'memctl/client'

const opening: DeviceOptions & LibraryOptions = { extract: false, lockWaitMs: 10, cacheFolder: 'cache' }
const device: Device = openDevice('a.mem.jsonl', opening)
const metadata: Metadata = { n: [1, null, { a: 'b' }] }
const input: StoreInput = { text: 'a', metadata, position: 1 }
const at: string = (await device.store(input, { signal: AbortSignal.timeout(10) })).record.at
const groups: Group[] = ['sources']
const outcome = await device.search(at, { groups })
const response: MemoryResponse = outcome.response
const places: TermPlace[] = outcome.placesIn(response.sources[0]?.text ?? '')
const why: WhyNot = await device.whyNot('a', 'mem_0')
const report: WhyNotReport = why.report
const reasons: Reason[] = report.reasons
const compared: Comparison | undefined = report.compared[0]
const said: TermMatch[] = compared?.said ?? []
const records: Iterable<MemoryRecord> = device.list({ limit: 3 }).records
for (const { id } of records) device.show(id).record.speaker?.toUpperCase()
await device.storeBatch({ file: 'b.jsonl' }, { onProgress: ({ bytesTotal }) => bytesTotal?.toFixed() })
// @ts-expect-error a memory has a text
await device.store({ metadata })
// @ts-expect-error there is no such group
await device.search('a', { groups: ['facts'] })
async function* texts(): BatchStream {
  yield JSON.stringify({ raw_text: 'a' })
}
await device.storeBatch({ stream: texts() })
const options: ClientOptions = { origin: 'http://127.0.0.1:8787', key: 'mk', fetch: async () => new Response('') }
const client: Client = createClient(options)
const name: EndpointName = 'listCollections'
const path: Endpoints['listCollections']['path'] = '/v1/collections'
const ids: string[] = (await client.listCollections()).map(({ id }) => id)
console.log(places, reasons, said, name, path, ids, Fault)
`

/** Returns the compiler errors in a program that uses both libraries, and in their declarations. */
function complaintsWith(options: { types: string[]; lib?: string[] }): string {
  const folder = temporaryFolder()
  const modules = join(folder, 'node_modules')
  cpSync(declared, join(modules, 'memctl', 'dist', 'types'), { recursive: true })
  cpSync(join(projectRoot, 'package.json'), join(modules, 'memctl', 'package.json'))
  mkdirSync(join(modules, '@types'))
  for (const name of ['zod', '@types/node', 'undici-types'])
    symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), PROGRAM)
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: false,
    // The declarations of the compiler itself.
    skipDefaultLibCheck: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    moduleResolution: 'nodenext',
    ...options
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
  const compiler = join(projectRoot, 'node_modules', '@typescript', 'native', 'bin', 'tsc')
  const { stdout, stderr } = spawnSync(process.execPath, [compiler, '--project', folder, '--singleThreaded'], {
    encoding: 'utf8'
  })
  return `${stdout}${stderr}`
}

test('compiles in a program for Node that checks its libraries', ({ skip }) => {
  skip(isMissing, WHY)
  expect(complaintsWith({ types: ['node'], lib: ['es2023'] })).toBe('')
})

test('needs no types of Node in a program with browser types', ({ skip }) => {
  skip(isMissing, WHY)
  expect(complaintsWith({ types: [] })).toBe('')
})

test('needs no package in its declarations that is not installed with it, but in those of a framework', ({ skip }) => {
  skip(isMissing, WHY)
  const files = readdirSync(declared, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
  const imported = files.flatMap((file) => importsOf(join(declared, file)).map((name) => ({ file, name })))
  const packages = imported.filter(({ name }) => !name.startsWith('.'))
  const { dependencies, peerDependencies } = packageJson
  const isInstalled = ({ file, name }: { file: string; name: string }): boolean =>
    Object.hasOwn(dependencies, packageOf(name)) ||
    (file.startsWith(join('bin', 'library')) && Object.hasOwn(peerDependencies, packageOf(name)))
  expect(packages.filter((one) => !isInstalled(one))).toEqual([])
  expect(packages.map(({ name }) => packageOf(name))).toContain('zod')
})

test('includes every declaration that another one refers to, and no internals of the device', ({ skip }) => {
  skip(isMissing, WHY)
  const files = readdirSync(declared, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
  const named = files.flatMap((file) => {
    const names = importsOf(join(declared, file)).filter((name) => name.startsWith('.'))
    return names.map((name) => join(declared, dirname(file), name.replace(/\.ts$/, '.d.ts')))
  })
  expect(named.filter((file) => !existsSync(file))).toEqual([])
  expect(files.filter((file) => /src\/(snapshot|memory|search\/(index|analyse))\//.test(file))).toEqual([])
})

function importsOf(path: string): string[] {
  return ts.preProcessFile(readFileSync(path, 'utf8')).importedFiles.map(({ fileName }) => fileName)
}

/** The package of `zod/v4/core` is zod. */
function packageOf(name: string): string {
  return name.split('/', name.startsWith('@') ? 2 : 1).join('/')
}
