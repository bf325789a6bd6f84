import * as fs from 'node:fs'
import fc from 'fast-check'
import type { Device } from '../../src/device/device.ts'

/** Changes to a snapshot file, by devices and by other programs. */

/** The file, a device that stays open, and earlier contents to restore. */
export type Scene = { path: string; cache: string; device: Device; versions: Buffer[] }

/** Returns true if the file was changed by something other than the device: an editor, git, or a disk error. */
export type Step = { name: string; run(scene: Scene): Promise<boolean> | boolean }

const WORDS = ['apple', 'river', 'stone', 'letter', 'garden', 'music', 'bridge', 'winter']

const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }).map((words) => words.join(' '))

/** Metadata so large that a few lines fill a block of 1 MiB; it is not searched. */
const bulk = fc.constantFrom(0, 0, 10, 300_000, 1_200_000).map((size) => (size === 0 ? {} : { pad: 'x'.repeat(size) }))

const memory = fc.record({
  raw_text: text,
  metadata: bulk,
  conversation: fc.constantFrom('c', 'd'),
  at: fc.constantFrom(undefined, '2026-01-02', '2026-01-03', '2026-01-04T05:06:07Z')
})

const share = fc.double({ min: 0, max: 0.999, noNaN: true })

const own: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: text.map((said) => step('store', ({ device }) => device.store({ text: said }))) },
  {
    weight: 4,
    arbitrary: fc.array(memory, { maxLength: 6 }).map((batch) =>
      step('batch', ({ device }) => {
        const lines = batch.map((line) => `${JSON.stringify(line)}\n`).join('')
        return device.storeBatch({ stream: once(lines) })
      })
    )
  },
  { weight: 2, arbitrary: share.map((place) => step('forget', ({ device }) => forgetOne(device, place))) },
  { weight: 1, arbitrary: fc.constant(step('compact', ({ device }) => device.compact({ skipDamaged: true }))) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('json' as const, 'jsonl' as const)
      .map((format) => step(`to ${format}`, ({ device }) => device.compact({ skipDamaged: true, format })))
  },
  { weight: 2, arbitrary: text.map((words) => step('search', ({ device }) => device.search(words))) }
)

const foreign: fc.Arbitrary<Step> = fc.oneof(
  share.map((place) => edit('flip a bit', (bytes) => flipped(bytes, place))),
  share.map((place) => edit('cut off', (bytes) => bytes.subarray(0, Math.floor(bytes.length * place)))),
  fc.constant(edit('lose the last LF', (bytes) => bytes.subarray(0, -1))),
  fc.constant(edit('end with LF', (bytes) => Buffer.concat([bytes, Buffer.from('\n')]))),
  fc.constant(edit('begin a line', (bytes) => Buffer.concat([bytes, Buffer.from('{"at":"20')]))),
  share.map((place) =>
    edit('drop a line', (bytes) => joined(lines(bytes).filter((_, i, all) => i !== at(all, place))))
  ),
  share.map((place) => edit('repeat a line', (bytes) => joined([...lines(bytes), lineAt(bytes, place)]))),
  fc.constant(edit('turn lines round', (bytes) => joined(turned(lines(bytes))))),
  share.map((place) => replace('go back to an earlier one', place)),
  share.map((place) => rewrite('go back in place', place)),
  fc.constant<Step>({ name: 'lose the cache', run: ({ cache }) => removed(cache) }),
  share.map((place): Step => ({ name: 'damage the cache', run: ({ cache }) => damaged(cache, place) }))
)

export const steps = fc.array(fc.oneof({ weight: 3, arbitrary: own }, { weight: 2, arbitrary: foreign }), {
  minLength: 4,
  maxLength: 16
})

function step(name: string, work: (scene: Scene) => Promise<unknown>): Step {
  return {
    name,
    async run(scene) {
      scene.versions.push(fs.readFileSync(scene.path))
      await work(scene).catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'Fault') throw error
      })
      return false
    }
  }
}

async function* once(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

async function forgetOne(device: Device, place: number): Promise<unknown> {
  const ids = [...device.list().records].map(({ id }) => id)
  const id = ids[at(ids, place)]
  return id === undefined ? undefined : device.forget([id])
}

/** Changes the file in place, with the same inode. */
function edit(name: string, change: (bytes: Buffer) => Buffer): Step {
  return {
    name,
    run({ path, versions }) {
      const bytes = fs.readFileSync(path)
      versions.push(bytes)
      fs.writeFileSync(path, change(bytes))
      return true
    }
  }
}

function rewrite(name: string, place: number): Step {
  return {
    name,
    run({ path, versions }) {
      fs.writeFileSync(path, versions[at(versions, place)] ?? fs.readFileSync(path))
      return true
    }
  }
}

function replace(name: string, place: number): Step {
  return {
    name,
    run({ path, versions }) {
      const bytes = versions[at(versions, place)] ?? fs.readFileSync(path)
      fs.writeFileSync(`${path}.other`, bytes)
      fs.renameSync(`${path}.other`, path)
      return true
    }
  }
}

function removed(cache: string): boolean {
  fs.rmSync(cache, { recursive: true, force: true })
  return false
}

function damaged(cache: string, place: number): boolean {
  const folder = `${cache}/index`
  if (!fs.existsSync(folder)) return false
  for (const name of fs.readdirSync(folder)) {
    const path = `${folder}/${name}`
    fs.writeFileSync(path, flipped(fs.readFileSync(path), place))
  }
  return false
}

function flipped(bytes: Buffer, place: number): Buffer {
  const copy = Buffer.from(bytes)
  const byte = at(bytes, place)
  if (byte < copy.length) copy[byte] = (copy[byte] ?? 0) ^ 1
  return copy
}

function lines(bytes: Buffer): string[] {
  return bytes.toString('latin1').split('\n').slice(0, -1)
}

function joined(all: readonly string[]): Buffer {
  return Buffer.from(all.map((line) => `${line}\n`).join(''), 'latin1')
}

function lineAt(bytes: Buffer, place: number): string {
  const all = lines(bytes)
  return all[at(all, place)] ?? ''
}

function turned([first = '', ...rest]: string[]): string[] {
  return [first, ...rest.reverse()]
}

function at(all: ArrayLike<unknown>, place: number): number {
  return Math.floor(all.length * place)
}
