import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, test } from 'vitest'
import { createMemoryTools, type MemoryToolsOptions } from '../../bin/library/create-memory-tools.ts'
import { ensureBuilt } from '../cli/built-program.ts'
import { bench } from '../device/device-kit.ts'
import { findNodeWithPackage } from '../setup/other-nodes.ts'
import { projectRoot } from '../tidy/project-files.ts'

type Reply = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>

const REST = {
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 }
  },
  warnings: []
}

/** Runs a conversation in which the model calls a tool once. Returns what the tool gave the model. */
async function callOnce(options: MemoryToolsOptions, toolName: string, input: unknown) {
  const { device } = await bench()
  await device.store({ text: 'Anna lives in Lisbon.', at: '2026-01-12T00:00:00Z' })
  const call: Reply = {
    ...REST,
    content: [{ type: 'tool-call', toolCallId: '1', toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined }
  }
  const end: Reply = {
    ...REST,
    content: [{ type: 'text', text: 'done' }],
    finishReason: { unified: 'stop', raw: undefined }
  }
  const model = new MockLanguageModelV3({ doGenerate: [call, end] })
  const tools = createMemoryTools(device, options)
  await generateText({ model, tools, prompt: 'Where does Anna live?', stopWhen: stepCountIs(3) })
  const [first, second] = model.doGenerateCalls
  const given = second?.prompt.flatMap((message) => (message.role === 'tool' ? message.content : []))
  return { device, tools: first?.tools?.map(({ name }) => name), given: JSON.stringify(given) }
}

test('gives a model the tools that the options allow, and their answers', async () => {
  const { tools, given } = await callOnce({}, 'memory_search', { query: 'where does Anna live', limit: 3 })
  expect(tools).toEqual(['memory_search', 'memory_read', 'memory_list'])
  expect(given).toContain('2026-01-12\\n| Anna lives in Lisbon.')
})

test('stores with the name of the program as the origin', async () => {
  const { device, tools } = await callOnce({ write: true, forget: true, name: 'planner' }, 'memory_store', {
    text: 'Ben likes tea.'
  })
  expect(tools?.length).toBe(5)
  const [stored] = (await device.recent({ limit: 1 })).records
  expect(stored).toMatchObject({ text: 'Ben likes tea.', metadata: { origin: 'ai:planner' } })
})

test('shows the model the message and hint of an error', async () => {
  const { given } = await callOnce({}, 'memory_read', { ids: ['x'] })
  expect(given).toMatch(/error-text.*hint/)
  expect((await callOnce({}, 'memory_search', { query: 7 })).given).toMatch(/error-text/)
})

test('hides excluded origins, and refuses options of a wrong type', async () => {
  const { device } = await bench()
  await device.store({ text: 'Anna moved to Porto.', metadata: { source: 'mailbox' } })
  const tools = createMemoryTools(device, { excludeOrigins: ['mailbox'] })
  expect(await tools.memory_list?.execute({})).toBe('No memory matches these filters.')
  expect(() => createMemoryTools(device, { write: 'yes' } as never)).toThrow(/write/)
})

test('serves version 7 of the SDK on Node 22', async ({ skip }) => {
  const found = findNodeWithPackage(22, 'ai')
  if ('reason' in found) return skip(found.reason)
  ensureBuilt()
  const { path } = await bench()
  const code = `
    const { generateText, isStepCount } = await import(${JSON.stringify(join(found.folder, 'dist/index.js'))})
    const { MockLanguageModelV4 } = await import(${JSON.stringify(join(found.folder, 'dist/test/index.js'))})
    const { createMemoryTools } = await import(${JSON.stringify(join(projectRoot, 'dist/create-memory-tools.js'))})
    const { openDevice } = await import(${JSON.stringify(join(projectRoot, 'dist/device.js'))})
    const device = openDevice(process.argv[1], { cacheFolder: process.argv[1] + '.cache' })
    await device.store({ text: 'Anna lives in Lisbon.' })
    const rest = ${JSON.stringify(REST)}
    const input = JSON.stringify({ query: 'where does Anna live' })
    const call = { type: 'tool-call', toolCallId: '1', toolName: 'memory_search', input }
    const model = new MockLanguageModelV4({ doGenerate: [
      { ...rest, content: [call], finishReason: { unified: 'tool-calls' } },
      { ...rest, content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop' } }
    ] })
    await generateText({ model, tools: createMemoryTools(device), prompt: 'Where?', stopWhen: isStepCount(3) })
    console.log(JSON.stringify(model.doGenerateCalls[1].prompt))`
  const output = execFileSync(found.node, ['--input-type=module', '-e', code, path], { encoding: 'utf8' })
  expect(output).toContain('| Anna lives in Lisbon.')
})
