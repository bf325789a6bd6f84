import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSnapshot, openDevice } from '../../dist/device.js'
import { randomNumbers } from '../setup/random-numbers.mjs'
import { dataFolder, readLines, sourceOf } from './shared-data.mjs'

/**
 * Draws random facts from the shared conversations for review: `node test/bench/draw-facts.mjs --count 200 --seed 7`.
 * Prints JSON lines with the turn's id, the fact's number in it, its text and the fact. Verdicts are stored only by id
 * and number in `fact-verdicts.jsonl`, because the texts have other owners.
 */
const { values } = parseArgs({ options: { count: { type: 'string' }, seed: { type: 'string' } } })
const corpus = join(dataFolder, 'sets', 'locomo', 'corpus.jsonl')
if (!existsSync(corpus)) {
  process.stdout.write(`skipped: ${corpus} is not there\n`)
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'memctl-draw-'))
const path = join(folder, 'draw.mem.jsonl')
await createSnapshot(path)
const device = openDevice(path)
const drawn = []
for (const turn of readLines(corpus)) {
  const { text, speaker, at } = sourceOf(turn)
  const { facts = [] } = await device.preview({ text, speaker, at: new Date(at).toISOString() })
  for (const [n, fact] of facts.entries()) drawn.push({ id: turn.id, n, text, fact })
}
rmSync(folder, { recursive: true })
const random = randomNumbers(Number(values.seed ?? 7))
for (let i = 0; i < Math.min(Number(values.count ?? 200), drawn.length); i++) {
  const at = i + Math.floor(random() * (drawn.length - i))
  ;[drawn[i], drawn[at]] = [drawn[at], drawn[i]]
  process.stdout.write(`${JSON.stringify(drawn[i])}\n`)
}
