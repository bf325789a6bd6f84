import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { Json } from '../../src/snapshot/json/json.ts'
import { serializeRecord } from '../../src/snapshot/record/compute-check.ts'
import { batchOf, bench, faultOf, found, streamOf, texts } from './device-kit.ts'

async function threeMemories(more: Parameters<typeof bench>[0] = {}) {
  const made = await bench(more)
  const ids: string[] = []
  for (const [day, text] of ['a secret plan', 'a public plan', 'tea'].entries()) {
    ids.push((await made.device.store({ text, at: `2026-03-0${day + 1}` })).id)
  }
  const [secret = '', open = '', tea = ''] = ids
  return { ...made, secret, open, tea }
}

/** Returns the content of all files in a folder as text. */
function bytesIn(folder: string): string {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n')
}

test('excludes a forgotten memory from every answer and list, and shows it as forgotten', async () => {
  const { device, another, folder, secret } = await threeMemories()
  await device.search('plan')
  const report = await device.forget([secret])
  expect(report).toMatchObject({ forgotten: [secret], already: [], notes: [] })
  for (const asked of [device, another(), another({ cache: join(folder, 'other') })]) {
    expect(found(await asked.search('plan'))).toEqual(['a public plan'])
    expect(texts(asked)).toEqual(['a public plan', 'tea'])
    expect(asked.show(secret)).toMatchObject({ forgotten: true, record: { text: 'a secret plan' } })
  }
})

test('counts the lines of other kinds about a forgotten memory, and drops them in compact', async () => {
  const { device, folder, secret, tea } = await threeMemories()
  const path = join(folder, 'a.mem.jsonl')
  const note = (target: Json): string => `${serializeRecord({ type: 'note', target })}\n`
  appendFileSync(path, note(secret) + note([tea, secret]) + note(tea))
  expect(await device.forget([secret])).toMatchObject({ forgotten: [secret], fallen: 2 })
  expect(await device.forget([tea])).toMatchObject({ forgotten: [tea], fallen: 1 })
  await device.compact()
  expect(readFileSync(path, 'utf8')).not.toContain('"note"')
})

test('accepts an id prefix without mem_, and forgets an id given twice once', async () => {
  const { device, secret, tea, lines } = await threeMemories()
  await device.forget([tea.slice(4, 14)])
  expect(await device.forget([secret, secret.slice(4), secret.slice(0, 12), tea])).toMatchObject({
    forgotten: [secret],
    already: [tea]
  })
  expect(lines()).toHaveLength(1 + 3 + 2)
})

test('forgets nothing if one id is invalid', async () => {
  const { device, secret, lines } = await threeMemories()
  const before = lines()
  expect(await faultOf(() => device.forget([secret, `mem_${'0'.repeat(32)}`]))).toMatchObject({ code: 'not_found' })
  expect(await faultOf(() => device.forget([secret, 'mem_123']))).toMatchObject({ code: 'usage' })
  expect(await faultOf(() => device.forget([secret, 'plan']))).toMatchObject({ code: 'usage' })
  expect(await faultOf(() => device.forget([secret, '']))).toMatchObject({ code: 'usage' })
  expect(lines()).toEqual(before)
})

test('refuses an ambiguous prefix, and lists some matching ids', async () => {
  const { device } = await bench()
  await device.storeBatch(streamOf(batchOf(...Array.from({ length: 20_000 }, (_, i) => ({ raw_text: `${i}` })))))
  const ids = [...device.list().records].map(({ id }) => id.slice(4, 10)).sort()
  const twice = ids.find((prefix, i) => ids[i + 1] === prefix) ?? 'none twice'
  const fault = await faultOf(() => device.show(twice))
  expect(fault).toMatchObject({ code: 'usage', message: expect.stringMatching(/matches \d memories: mem_/) })
})

test('refuses a reason that no line can hold, and forgets nothing', async () => {
  const { device, secret } = await threeMemories()
  const bad = [
    ['\ud800', 'invalid_input'],
    ['x'.repeat(16 * 1024 * 1024), 'too_large']
  ] as const
  for (const [reason, code] of bad) {
    expect(await faultOf(() => device.forget([secret], { reason }))).toMatchObject({ code })
  }
  expect(await device.verify()).toMatchObject({ sound: true, memories: 3, forgotten: 0 })
  await device.forget([secret], { reason: 'said "so"\n' })
  expect(await device.verify()).toMatchObject({ sound: true, memories: 2, forgotten: 1 })
})

test('removes the words of a forgotten memory from the cache at once', async () => {
  const { device, folder, cache, secret } = await threeMemories()
  const { id } = await device.store({ text: 'zanzibar' })
  await device.search('plan')
  await device.forget([secret])
  expect(bytesIn(cache)).toContain('zanzibar')
  await device.forget([id])
  expect(bytesIn(cache)).not.toContain('zanzibar')
  expect(bytesIn(folder)).toContain('zanzibar')
})

test('deletes an index that cannot be updated, so that no forgotten word remains in it', async () => {
  const { device, another, cache, secret } = await threeMemories()
  await device.search('plan')
  const files = {
    ...nodeFiles,
    write: (fd: number, bytes: Uint8Array, at?: number): number => {
      if (bytes.length > 10_000) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', syscall: 'write' })
      return nodeFiles.write(fd, bytes, at)
    }
  }
  await another({ files }).forget([secret])
  expect(readdirSync(join(cache, 'index')).filter((name) => name.endsWith('.sqlite'))).toEqual([])
  expect(found(await another().search('plan'))).toEqual(['a public plan'])
})

test('creates no index for a forget without an earlier search', async () => {
  const { device, cache, secret } = await threeMemories()
  await device.forget([secret])
  expect(existsSync(cache)).toBe(false)
})

test('lists where the text remains, and what compacting removes', async () => {
  const { device, folder, path, secret, tea } = await threeMemories()
  expect((await device.forget([secret])).remains).toEqual([
    `in ${path}, until it is compacted`,
    'in earlier copies and exports'
  ])
  mkdirSync(join(folder, '.git'))
  writeFileSync(`${path}.aside`, '')
  const { remains } = await device.forget([tea], { compact: true })
  expect(remains).toEqual([
    `possibly in ${path}.aside, which memctl never deletes`,
    'in the git history, if it was committed',
    'in earlier copies and exports'
  ])
  expect(bytesIn(folder)).not.toContain('secret')
})

test('says that the memory is forgotten even if compacting fails', async () => {
  const { device, path, secret, lines, write } = await threeMemories()
  await device.search('plan')
  write(`${lines().join('\n')}\nno line\n`)
  const fault = await faultOf(() => device.forget([secret], { compact: true }))
  expect(fault).toMatchObject({
    code: 'invalid_snapshot',
    message: expect.stringContaining('the memories are forgotten, but their text is still in the file')
  })
  expect(texts(device)).toEqual(['a public plan', 'tea'])
  expect(found(await device.search('plan'))).toEqual(['a public plan'])
  expect(readFileSync(path, 'utf8')).toContain('secret')
})

test('forgets many ids in linear time', async () => {
  const { device } = await bench({ options: { extract: false } })
  const many = Array.from({ length: 20_000 }, (_, i) => ({ raw_text: `memory ${i}` }))
  await device.storeBatch(streamOf(batchOf(...many)))
  const ids = [...device.list().records].map(({ id }) => id)
  const { forgotten } = await device.forget(ids)
  expect(forgotten).toHaveLength(20_000)
  expect(await device.verify()).toMatchObject({ sound: true, memories: 0, forgotten: 20_000 })
})
