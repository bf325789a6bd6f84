import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'smol-toml'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt, PROGRAM, runProgram } from '../cli/built-program.ts'
import { bench } from '../device/device-kit.ts'

/** `memctl mcp install` as a process, with the folders of its user in a temporary one. */
beforeAll(ensureBuilt)

/** The file of each client below the home folder on Linux, and its member with the servers. */
const FILES = {
  'claude-code': ['.claude.json', 'mcpServers'],
  'claude-desktop': ['.config/Claude/claude_desktop_config.json', 'mcpServers'],
  cursor: ['.cursor/mcp.json', 'mcpServers'],
  vscode: ['.config/Code/User/mcp.json', 'servers'],
  codex: ['.codex/config.toml', 'mcp_servers'],
  gemini: ['.gemini/settings.json', 'mcpServers']
} as const

async function prepare(client: keyof typeof FILES, content?: string) {
  const { path, folder } = await bench()
  const [name, key] = FILES[client]
  const file = join(folder, name)
  if (content !== undefined) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const install = (...flags: string[]) =>
    runProgram(['mcp', 'install', '--client', client, '--snapshot', path, ...flags], folder)
  const read = (): Record<string, unknown> =>
    client === 'codex' ? parse(readFileSync(file, 'utf8')) : JSON.parse(readFileSync(file, 'utf8'))
  const args = [PROGRAM, 'mcp', '--snapshot', path]
  return { file, key, install, read, args }
}

test.for(Object.keys(FILES) as (keyof typeof FILES)[])(
  'prints the entry of %s, and writes it only with --yes, once',
  async (client, { skip }) => {
    skip(process.platform !== 'linux', 'the folders of this test are those of Linux')
    const { file, key, install, read, args } = await prepare(client)
    const printed = await install()
    expect(printed).toMatchObject({ code: 0, stderr: expect.stringContaining(file) })
    expect(existsSync(file)).toBe(false)
    expect(await install('--yes')).toMatchObject({ code: 0, stdout: '' })
    expect(read()).toMatchObject({ [key]: { memctl: { command: process.execPath, args } } })
    expect(readFileSync(file, 'utf8')).toBe(printed.stdout)
    expect((await install('--yes')).stderr).toContain('already has this entry')
    expect(existsSync(`${file}.bak`)).toBe(false)
  }
)

test('prints the entry of a collection with the address of its server', async () => {
  const { folder } = await bench()
  const id = '018f3a00-0000-7000-8000-000000000000'
  const flags = ['--server', 'https://memory.example', '-c', id, '--allow-write']
  const { code, stdout } = await runProgram(['mcp', 'install', '--client', 'cursor', ...flags], folder)
  expect(code).toBe(0)
  const args = [PROGRAM, 'mcp', '--server', 'https://memory.example', '--collection', id, '--allow-write']
  expect(JSON.parse(stdout)).toMatchObject({ mcpServers: { memctl: { args } } })
})

test('keeps everything else of a JSON file, and every earlier content as a copy', async () => {
  const content = '{\n\t"theme": "dark",\n\t"mcpServers": { "other": { "command": "x" } },\n\t"last": 1\n}\n'
  const { file, install, read } = await prepare('cursor', content)
  await install('--yes')
  expect(Object.keys(read())).toEqual(['theme', 'mcpServers', 'last'])
  expect(read()).toMatchObject({ mcpServers: { other: { command: 'x' }, memctl: {} } })
  expect(readFileSync(`${file}.bak`, 'utf8')).toBe(content)
  const second = readFileSync(file, 'utf8')
  await install('--yes', '--allow-write')
  expect(readFileSync(`${file}.bak`, 'utf8')).toBe(content)
  expect(readFileSync(`${file}.bak2`, 'utf8')).toBe(second)
})

test.each([
  [
    'a table of its own',
    '# mine\nmodel = "x"\n\n[mcp_servers.memctl]\ncommand = "old"\nargs = [\n  "a",\n]\n\n[other] # kept\nn = 1\n'
  ],
  ['a quoted name', '[mcp_servers."memctl"]\ncommand = "old"\n[other]\nn = 1'],
  ['CRLF', 'model = "x"\r\n\r\n[mcp_servers.memctl]\r\ncommand = "old"\r\n[other]\r\nn = 1\r\n'],
  ['no entry', 'model = "x"\n[other]\nn = 1']
])('replaces only the entry of a TOML file with %s', async (_what, content) => {
  const { file, install, read, args } = await prepare('codex', content)
  expect(await install('--yes')).toMatchObject({ code: 0 })
  const { mcp_servers: before, ...others } = parse(content)
  expect(before ?? { memctl: { command: 'old' } }).toMatchObject({ memctl: { command: 'old' } })
  expect(read()).toEqual({ ...others, mcp_servers: { memctl: { command: process.execPath, args } } })
  const kept = content.split(/\r?\n/).filter((line) => /#|model|other|n = 1/.test(line))
  expect(readFileSync(file, 'utf8').split(/\r?\n/)).toEqual(expect.arrayContaining(kept))
})

test.each([
  ['cursor', '{ // a comment\n}'],
  ['cursor', '{"mcpServers": []}'],
  ['codex', 'mcp_servers = { memctl = { command = "old" } }\n'],
  ['codex', '[mcp_servers.memctl]\ncommand = "old"\n[mcp_servers.memctl.env]\nA = "b"\n'],
  ['codex', 'not toml']
] as const)('refuses a file of %s that it cannot change safely, and leaves it: %j', async (client, content) => {
  const { file, install } = await prepare(client, content)
  const { code, stderr } = await install('--yes')
  expect(code).not.toBe(0)
  expect(stderr).toContain('was not changed')
  expect(readFileSync(file, 'utf8')).toBe(content)
  expect(existsSync(`${file}.bak`)).toBe(false)
})
