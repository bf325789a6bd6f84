import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, test } from 'vitest'
import { ensureBuilt, PROGRAM } from '../cli/built-program.ts'
import { bench } from '../device/device-kit.ts'
import { findNodeWithPackage } from '../setup/other-nodes.ts'

/** A program of the protocol's authors, which needs Node 22. */
beforeAll(ensureBuilt)

const run = promisify(execFile)

const INSPECTOR = '@modelcontextprotocol/inspector'

test('the command line of the Inspector lists, stores, searches, reads and forgets', async ({ skip }) => {
  const found = findNodeWithPackage(22, INSPECTOR)
  if ('reason' in found) return skip(found.reason)
  const { path, folder } = await bench()
  const launcher = join(found.folder, 'clients/launcher/build/index.js')
  const server = [process.execPath, PROGRAM, 'mcp', '--snapshot', path, '--allow-write', '--allow-forget']
  const inspect = async (...args: string[]): Promise<string> => {
    const env = { PATH: process.env.PATH, HOME: folder }
    return (await run(found.node, [launcher, '--cli', ...server, ...args], { cwd: folder, env })).stdout
  }
  const call = (name: string, ...pairs: string[]): Promise<string> =>
    inspect('--method', 'tools/call', '--tool-name', name, '--tool-arg', ...pairs)
  const tools: { name: string }[] = JSON.parse(await inspect('--method', 'tools/list')).tools
  expect(tools.map(({ name }) => name)).toEqual([
    ...['memory_search', 'memory_read', 'memory_list'],
    ...['memory_store', 'memory_forget']
  ])
  const stored = await call('memory_store', 'text=Anna lives in Lisbon.', 'speaker=Ben')
  const id = /mem_[0-9a-f]{32}/.exec(stored)?.[0] ?? ''
  expect(await call('memory_search', 'query=where does Anna live')).toContain('| Anna lives in Lisbon.')
  const read = await inspect('--method', 'resources/read', '--uri', 'memctl://overview')
  expect(read).toContain('1 memory from')
  expect(await call('memory_forget', `ids=["${id}"]`)).toContain('Forgot 1')
  expect(await call('memory_search', 'query=where does Anna live')).toContain('No memory matches')
})
