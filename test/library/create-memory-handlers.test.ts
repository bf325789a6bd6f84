import { betaMemoryTool } from '@anthropic-ai/sdk/helpers/beta/memory'
import { BetaLocalFilesystemMemoryTool } from '@anthropic-ai/sdk/tools/memory/node'
import { expect, test } from 'vitest'
import { createMemoryHandlers } from '../../bin/library/create-memory-handlers.ts'
import { bench, temporaryFolder } from '../device/device-kit.ts'

type Tool = ReturnType<typeof betaMemoryTool>
type Command = Parameters<Tool['run']>[0]

const NOTES = '/memories/notes.md'
const DEEP = '/memories/work/plans/may.md'

/** The commands of a session, good and bad. */
const COMMANDS: readonly Command[] = [
  { command: 'view', path: '/memories' },
  { command: 'view', path: NOTES },
  { command: 'create', path: NOTES, file_text: 'Anna lives in Lisbon.\nBen likes tea.\nBen likes $& rain.' },
  { command: 'create', path: NOTES, file_text: 'again' },
  { command: 'create', path: DEEP, file_text: '' },
  { command: 'create', path: '/memories/work/todo.md', file_text: `${'long line '.repeat(300)}` },
  { command: 'create', path: '/memories/.hidden', file_text: 'x' },
  { command: 'view', path: '/memories' },
  { command: 'view', path: '/memories/work' },
  { command: 'view', path: NOTES },
  { command: 'view', path: NOTES, view_range: [2, 2] },
  { command: 'view', path: NOTES, view_range: [2, -1] },
  { command: 'str_replace', path: NOTES, old_str: 'Lisbon', new_str: "Porto $' $&" },
  { command: 'str_replace', path: NOTES, old_str: 'Ben likes', new_str: 'x' },
  { command: 'str_replace', path: NOTES, old_str: 'nowhere', new_str: 'x' },
  { command: 'str_replace', path: '/memories/none.md', old_str: 'a', new_str: 'x' },
  { command: 'str_replace', path: '/memories/work', old_str: 'a', new_str: 'x' },
  { command: 'insert', path: NOTES, insert_line: 0, insert_text: '# Notes\n' },
  { command: 'insert', path: NOTES, insert_line: 4, insert_text: 'the end' },
  { command: 'insert', path: NOTES, insert_line: 9, insert_text: 'x' },
  { command: 'insert', path: '/memories/none.md', insert_line: 0, insert_text: 'x' },
  { command: 'view', path: NOTES },
  { command: 'rename', old_path: NOTES, new_path: '/memories/work/todo.md' },
  { command: 'rename', old_path: '/memories/none', new_path: '/memories/other' },
  { command: 'rename', old_path: '/memories', new_path: '/memories/other' },
  { command: 'rename', old_path: '/memories/work', new_path: '/memories/past/work' },
  { command: 'view', path: '/memories' },
  { command: 'view', path: '/memories/past/work/plans/may.md' },
  { command: 'delete', path: '/memories/none' },
  { command: 'delete', path: '/memories' },
  { command: 'delete', path: '/memories/past' },
  { command: 'delete', path: NOTES },
  { command: 'view', path: NOTES },
  { command: 'view', path: '/memories/../secret' },
  { command: 'view', path: '/etc/passwd' }
]

test("answers every command as the SDK's own handlers answer, except for sizes", async () => {
  const { device } = await bench()
  const ours = betaMemoryTool(createMemoryHandlers(device))
  const theirs = betaMemoryTool(await BetaLocalFilesystemMemoryTool.init(temporaryFolder()))
  for (const command of COMMANDS)
    expect([command, await answer(ours, command)]).toEqual([command, await answer(theirs, command)])
})

/** Returns the answer or the message of the error. Sizes of files are compared, those of folders are not. */
async function answer(tool: Tool, command: Command): Promise<string> {
  try {
    return String(await tool.run(command)).replace(/^[\d.]+[BKMG](\t\/memories(?:\/\S*\/|\/work)?)$/gm, '$1')
  } catch (error) {
    return String(error)
  }
}

test('makes files memories that a search finds, and forgets what was replaced', async () => {
  const { device } = await bench()
  const tool = betaMemoryTool(createMemoryHandlers(device))
  await tool.run({ command: 'create', path: NOTES, file_text: 'Anna lives in Lisbon.' })
  await tool.run({ command: 'str_replace', path: NOTES, old_str: 'Lisbon', new_str: 'Porto' })
  const { response } = await device.search('where does Anna live')
  expect(response.sources.map(({ text }) => text)).toEqual(['Anna lives in Porto.'])
  expect(response.sources[0]?.metadata).toEqual({ source: { format: 'memory-tool', path: 'memories/notes.md' } })
})
