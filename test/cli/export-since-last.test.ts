import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { file, forgetLine, header, memory, memoryLine } from '../snapshot/builders.ts'
import { type TransferCli, transferCli } from './transfer-kit.ts'

const EXPORT = ['device', 'export', '-o', 'x.mem.jsonl', '--since-last', '--verify', '--json']
const text = (n: number) => ({ text: `Ada keeps the key of room ${n} in the drawer.` })

/** Starts a server with memories in its collection, and exports them. */
async function exportedOnce(count: number): Promise<TransferCli & { first: { received: { bytes: number } } }> {
  const cli = await transferCli()
  await restore(cli, ...Array.from({ length: count }, (_, n) => memoryLine(text(n))))
  const first = await cli.run(EXPORT)
  expect(first).toMatchObject({ code: 0, stderr: '' })
  return { ...cli, first: JSON.parse(first.stdout) }
}

async function restore({ server }: TransferCli, ...lines: string[]): Promise<void> {
  const sent = { lines: file(...lines).toString() }
  expect((await server.send('POST', `/v1/collections/${server.collectionId}/records`, sent)).status).toBe(200)
}

/** Returns the lines of a file without its header. */
function linesIn({ folder }: TransferCli, name: string): string[] {
  return readFileSync(join(folder, name), 'utf8').trimEnd().split('\n').slice(1)
}

test('fetches only the changes into the file, which is then the same as a whole export', async () => {
  const cli = await exportedOnce(300)
  await restore(cli, forgetLine(text(1)), memoryLine({ ...text(2), extractor: 9 }), memoryLine(text(300)))
  const next = await cli.run(EXPORT)
  expect(next).toMatchObject({ code: 0, stderr: '' })
  const report = JSON.parse(next.stdout)
  expect(report).toMatchObject({ memories: 300, forgotten: 1, kept: 0, verified: true, received: { records: 301 } })
  expect(report.received.bytes).toBeLessThan(cli.first.received.bytes / 50)
  const whole = JSON.parse((await cli.run(['device', 'export', '-o', 'y.mem.jsonl', '--json'])).stdout)
  expect(report.root_hash).toBe(whole.root_hash)
  expect(linesIn(cli, 'x.mem.jsonl')).toEqual(linesIn(cli, 'y.mem.jsonl'))
})

test('leaves the file as it is if nothing has changed', async () => {
  const cli = await exportedOnce(10)
  const before = readFileSync(join(cli.folder, 'x.mem.jsonl'))
  expect(await cli.run(EXPORT)).toMatchObject({ code: 0, stderr: '' })
  expect(readFileSync(join(cli.folder, 'x.mem.jsonl'))).toEqual(before)
})

test('fetches everything if the file was changed, and keeps the lines of its own only with --merge', async () => {
  const cli = await exportedOnce(10)
  const own = await cli.run(['device', 'store', 'a note of my own', '--snapshot', 'x.mem.jsonl'])
  expect(own.code).toBe(0)
  await restore(cli, memoryLine(text(10)))
  const refused = await cli.run(EXPORT)
  expect(refused.code).toBe(6)
  const merged = await cli.run([...EXPORT, '--merge'])
  expect(merged.code).toBe(0)
  expect(merged.stderr).toContain('fetching the whole collection')
  expect(JSON.parse(merged.stdout)).toMatchObject({ memories: 12, kept: 1 })
})

test.each([
  ['number', { collection_seq: 99 }],
  ['epoch', { collection_epoch: 'before a restore' }]
])('fetches everything if the server no longer has the %s of the last export', async (_what, lost) => {
  const cli = await exportedOnce(3)
  const path = join(cli.folder, 'x.mem.jsonl')
  const old = JSON.parse(readFileSync(path, 'utf8').split('\n')[0] ?? '')
  writeFileSync(path, `${[header({ ...old, ...lost }), ...linesIn(cli, 'x.mem.jsonl')].join('\n')}\n`)
  const done = await cli.run(EXPORT)
  expect(done.code).toBe(0)
  expect(done.stderr).toContain('The server no longer has that state; fetching the whole collection.')
  expect(JSON.parse(done.stdout)).toMatchObject({ memories: 3, kept: 0 })
})

test('fetches everything into a file of another collection or without a sequence number', async () => {
  const cli = await transferCli()
  await restore(cli, memoryLine(text(1)))
  expect((await cli.run(['device', 'export', '-o', 'x.mem.jsonl'])).code).toBe(0)
  const done = await cli.run(EXPORT)
  expect(done).toMatchObject({ code: 0, stderr: '' })
  expect(linesIn(cli, 'x.mem.jsonl').map((line) => JSON.parse(line).id)).toEqual([memory(text(1)).id])
})

test('refuses --since-last to stdout', async () => {
  const cli = await transferCli()
  expect((await cli.run(['device', 'export', '-o', '-', '--since-last'])).code).toBe(2)
})
