import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import type { Files } from '../../src/ports.ts'
import { batchOf, bench, found, streamOf } from './device-kit.ts'
import { tickedFiles } from './ticked-files.ts'

/**
 * Simulates other programs that act during a search, at a chosen call of the files port, which is the only link between
 * a search and its environment.
 *
 * A search answers for the file as it was when it was opened, whatever happens to its name. A change in place during a
 * search may be missing from that answer, but never misleads a later one.
 */

/** Creates files that run `work` once, after a call for the file at `path` that matches `when`. */
type Interruption = { when: (call: keyof Files, count: number) => boolean; work: () => void }

function interrupted(real: Files, path: string, { when, work }: Interruption) {
  const fds = new Set<number>()
  const counts = new Map<keyof Files, number>()
  let isDone = false
  const meet = (call: keyof Files): void => {
    const count = (counts.get(call) ?? 0) + 1
    counts.set(call, count)
    if (isDone || !when(call, count)) return
    isDone = true
    work()
  }
  const files: Files = {
    ...real,
    open(at, access, mode) {
      const fd = real.open(at, access, mode)
      if (at === path) fds.add(fd)
      if (at === path) meet('open')
      return fd
    },
    facts(fd) {
      const facts = real.facts(fd)
      if (fds.has(fd)) meet('facts')
      return facts
    },
    read(fd, into, at) {
      const got = real.read(fd, into, at)
      if (fds.has(fd)) meet('read')
      return got
    },
    close(fd) {
      if (fds.has(fd)) meet('close')
      fds.delete(fd)
      real.close(fd)
    }
  }
  return { files, wasDone: () => isDone }
}

const MOMENTS = [
  ['opened', 'open', 1],
  ['looked at', 'facts', 1],
  ['first read', 'read', 1],
  ['read again', 'read', 2],
  ['almost closed', 'close', 1]
] as const

async function plans() {
  const ticked = tickedFiles(nodeFiles)
  const made = await bench(ticked)
  const batch = Array.from({ length: 50 }, (_, i) => ({ raw_text: `plan number ${i}` }))
  await made.device.storeBatch(streamOf(batchOf(...batch)))
  return { ...made, ticked }
}

test.each(MOMENTS)(
  'searches the old content of a file that is compacted when it was just %s',
  async (_name, call, nth) => {
    const { another, device, path, ticked } = await plans()
    const [newest] = (await device.search('number 49')).response.sources
    await device.forget([newest?.id ?? ''])
    const compacted = readFileSync(path)
    await device.compact()
    const small = readFileSync(path)
    writeFileSync(path, compacted)
    ticked.touched(path)
    const replace = (): void => {
      writeFileSync(`${path}.other`, small)
      nodeFiles.rename(`${path}.other`, path)
      ticked.touched(path)
    }
    const { files, wasDone } = interrupted(ticked.files, path, {
      when: (at, count) => at === call && count === nth,
      work: replace
    })
    const { response, notes, damaged } = await another({ files }).search('plan', { limit: 100 })
    expect(response.sources).toHaveLength(49)
    expect({ damaged, unread: notes.filter((note) => note.includes('could not be read')) }).toEqual({
      damaged: [],
      unread: []
    })
    expect(wasDone()).toBe(true)
    expect((await another().search('plan', { limit: 100 })).response).toEqual(response)
  }
)

test.each(MOMENTS)(
  'finds lines in the next search that were appended when the file was just %s',
  async (_name, call, nth) => {
    const { another, device, path, ticked, lines } = await plans()
    await device.store({ text: 'plan of the other' })
    const line = `${lines().at(-1)}\n`
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(0, bytes.length - Buffer.byteLength(line)))
    ticked.touched(path)
    const append = (): void => {
      appendFileSync(path, line)
      ticked.touched(path)
    }
    const { files, wasDone } = interrupted(ticked.files, path, {
      when: (at, count) => at === call && count === nth,
      work: append
    })
    await another({ files }).search('plan')
    expect(wasDone()).toBe(true)
    expect(found(await another().search('plan of the other', { limit: 1 }))).toEqual(['plan of the other'])
  }
)

test.each(MOMENTS)(
  'finds a word in the next search that was changed in place when the file was just %s',
  async (_name, call, nth) => {
    const { another, path, ticked, folder } = await plans()
    const change = (): void => {
      const bytes = readFileSync(path)
      bytes.write('plot', bytes.indexOf('plan number 7'))
      writeFileSync(path, bytes)
      ticked.touched(path, 'mtime')
    }
    const { files, wasDone } = interrupted(ticked.files, path, {
      when: (at, count) => at === call && count === nth,
      work: change
    })
    const during = await another({ files }).search('plan', { limit: 100 })
    expect(wasDone()).toBe(true)
    expect(during.response.sources.length).toBeGreaterThanOrEqual(49)
    const { response, damaged } = await another().search('plan', { limit: 100 })
    expect(damaged).toMatchObject([{ line: 9 }])
    expect({ response, damaged }).toMatchObject(
      await another({ cache: `${folder}/other` })
        .search('plan', { limit: 100 })
        .then(({ response, damaged }) => ({ response, damaged }))
    )
  }
)

test.each(MOMENTS)('answers without a crash if the file is truncated when it was just %s', async (_name, call, nth) => {
  const { another, path, ticked, folder } = await plans()
  const cut = (): void => {
    const bytes = readFileSync(path)
    writeFileSync(path, bytes.subarray(0, Math.floor(bytes.length / 2)))
    ticked.touched(path)
  }
  const { files } = interrupted(ticked.files, path, { when: (at, count) => at === call && count === nth, work: cut })
  const device = another({ files })
  await device.search('plan', { limit: 100 })
  const { response } = await device.search('plan', { limit: 100 })
  expect(response.sources.length).toBeGreaterThan(10)
  expect((await another({ cache: `${folder}/other` }).search('plan', { limit: 100 })).response).toEqual(response)
})

test('does not hide our own append between reading and stamping', async () => {
  const { another, ticked, path } = await plans()
  const other = another()
  const waiting: Promise<unknown>[] = []
  const store = (): void => void waiting.push(other.store({ text: 'plan of the other' }))
  const { files, wasDone } = interrupted(ticked.files, path, { when: (at) => at === 'read', work: store })
  await another({ files }).search('plan')
  await Promise.all(waiting)
  expect(wasDone()).toBe(true)
  expect(found(await another().search('plan of the other', { limit: 1 }))).toEqual(['plan of the other'])
})

test('reports no damage for a change during reading if a second read finds it valid', async () => {
  const { another, ticked, path, device } = await plans()
  const whole = readFileSync(path)
  await device.store({ text: 'a long tale of a plan' })
  const longer = readFileSync(path)
  const torn = Buffer.concat([longer.subarray(0, longer.length - 40), Buffer.from('\n')])
  writeFileSync(path, torn)
  ticked.touched(path)
  const mend = (): void => {
    writeFileSync(path, whole)
    appendFileSync(path, longer.subarray(whole.length))
    ticked.touched(path)
  }
  const { files } = interrupted(ticked.files, path, {
    when: (call, count) => call === 'facts' && count === 1,
    work: mend
  })
  const { damaged } = await another({ files }).search('tale')
  expect(damaged).toEqual([])
  expect(found(await another().search('tale', { limit: 1 }))).toEqual(['a long tale of a plan'])
})
