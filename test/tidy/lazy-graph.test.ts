import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { loadedPackages, moduleGraph, modulesLoaded } from './lazy-graph.ts'
import { codeFiles } from './project-files.ts'

const HEAVY = /^(zod|sql\.js|conf|open|ora|undici|pino|hono|@hono\/.*|kysely|@inquirer\/.*|wink-.*)$/

/** Packages for parsing a command line and drawing tables, which are loaded after the start. */
const PLAIN = /^(commander|string-width)$/

/** The graph of everything tested here, bundled once. */
const projectGraph = moduleGraph(
  codeFiles().flatMap(({ path: file }) => (/^(bin\/[^/]*|src\/(cli|client|device)\/.*)\.ts$/.test(file) ? [file] : []))
)

test('loads no heavy package at the start of the command line, nor the parser', async () => {
  const graph = await projectGraph
  expect(loadedPackages(graph, 'bin/run-memctl.ts', { for: HEAVY })).toEqual([])
  expect(loadedPackages(graph, 'bin/run-memctl.ts', { for: PLAIN })).toEqual([])
})

test('prints the version before anything else is loaded', async () => {
  const graph = await projectGraph
  expect(modulesLoaded(graph, 'bin/memctl.ts')).toEqual(['bin/memctl.ts', 'src/cli/command/version.ts'])
})

test('lists the commands with commander alone, before any command is loaded', async () => {
  const entries = ['bin/memctl.ts', 'bin/run-memctl.ts', 'src/cli/program/parse-command.ts']
  const graph = await projectGraph
  const packages = entries.flatMap((entry) => loadedPackages(graph, entry, { for: /./ }))
  const modules = entries.flatMap((entry) => modulesLoaded(graph, entry))
  expect(packages.map((way) => way.split(':')[0])).toEqual(['commander'])
  expect(modules.filter((module) => COMMANDS.test(module))).toEqual([])
  expect(modules).toContain('src/cli/program/branches.ts')
})

/** Files of commands. */
const COMMANDS = /^src\/cli\/commands\//

test('loads no heavy package for help, suggestions and completion, not even lazily', async () => {
  const code = codeFiles().map((file) => file.path)
  const entries = code.filter((file) => WORDS.test(file))
  const graph = await projectGraph
  expect(entries.length).toBeGreaterThan(9)
  expect(entries.flatMap((entry) => loadedPackages(graph, entry, { for: HEAVY, everything: true }))).toEqual([])
})

/** The modules for `--help`, an unknown command and `completion`. */
const WORDS =
  /^src\/cli\/(commands\/completion\/.*|program\/(parse-command|suggest-commands)|commands\/help\/(server|sandbox|connect)-text)\.ts$/

test('never loads zod for commands, the device and the client, not even lazily', async () => {
  const modules = ['bin/device-module.ts', 'bin/client-module.ts', 'bin/device.ts', 'bin/client.ts']
  const entries = [...codeFiles().flatMap(({ path: file }) => (OUTSIDE_SERVER.test(file) ? [file] : [])), ...modules]
  const graph = await projectGraph
  const ways = entries.flatMap((entry) => loadedPackages(graph, entry, { for: /^zod$/, everything: true }))
  expect(entries).toContain('src/cli/commands/connections/list-connections-command.ts')
  expect(ways).toEqual([])
})

const OUTSIDE_SERVER = /^src\/(device|client|cli)\/.*\.ts$/

test("loads only Node's modules to make a process offline", async () => {
  const graph = await projectGraph
  expect(loadedPackages(graph, 'bin/offline.ts', { for: /./, everything: true })).toEqual([])
})

test('finds a heavy package behind other modules, and lazy ones only on request', async () => {
  const root = mkdtempSync(path.join(os.tmpdir(), 'memctl-graph-'))
  try {
    write(
      root,
      'a.ts',
      "import { b } from './b.ts'\nimport type { T } from './c.ts'\nexport const later = () => [b, import('./c.ts')]"
    )
    write(root, 'b.ts', "import './node_modules/ora/index.js'\nexport const b = 1")
    write(root, 'c.ts', "import './node_modules/zod/index.js'\nexport type T = 1")
    write(root, 'node_modules/ora/index.js', 'export const x = 1\nconsole.log(x)')
    write(root, 'node_modules/zod/index.js', 'export const x = 1\nconsole.log(x)')
    const graph = await moduleGraph(['a.ts'], root)
    expect(loadedPackages(graph, 'a.ts', { for: HEAVY })).toEqual(['ora: a.ts > b.ts > node_modules/ora/index.js'])
    expect(loadedPackages(graph, 'a.ts', { for: HEAVY, everything: true })).toHaveLength(2)
  } finally {
    rmSync(root, { recursive: true })
  }
})

function write(root: string, file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true })
  writeFileSync(path.join(root, file), text)
}
