import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createSnapshot, openDevice } from '../../dist/device.js'
import { randomNumbers } from '../setup/random-numbers.mjs'
import { dataFolder, readLines, sourceOf } from './shared-data.mjs'

/**
 * Draws random facts or events from the shared conversations for readers, with a seed:
 * `node test/bench/draw-facts.mjs --sets realtalk,beam --kind events --count 60 --seed 7`. Prints JSON lines: the set,
 * the turn's id, the entry's number in it, its kind, rule and confidence, as they stand in `reader-verdicts.jsonl`, and
 * the turn and the entry, which do not, because the texts have other owners. README.md has the criteria.
 */
const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: 'realtalk,beam' },
    kind: { type: 'string', default: 'facts' },
    count: { type: 'string', default: '200' },
    seed: { type: 'string', default: '7' }
  }
})
const corpora = values.sets.split(',').map((set) => ({ set, path: join(dataFolder, 'sets', set, 'corpus.jsonl') }))
const missing = corpora.find(({ path }) => !existsSync(path))
if (missing !== undefined) {
  process.stdout.write(`skipped: ${missing.path} is not there\n`)
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'memctl-draw-'))
const snapshot = join(folder, 'draw.mem.jsonl')
await createSnapshot(snapshot)
const device = openDevice(snapshot)
const drawn = []
for (const { set, path } of corpora) {
  for (const turn of readLines(path)) {
    const { text, speaker, at: ms } = sourceOf(turn)
    const at = Number.isFinite(ms) ? new Date(ms).toISOString() : undefined
    const { [values.kind]: entries = [] } = await device.preview({ text, speaker, at })
    for (const [n, entry] of entries.entries()) {
      const { rule, confidence } = entry
      drawn.push({
        set,
        id: turn.id,
        n,
        kind: values.kind.replace(/s$/, ''),
        rule,
        confidence,
        speaker,
        at,
        text,
        entry
      })
    }
  }
}
rmSync(folder, { recursive: true })
const random = randomNumbers(Number(values.seed))
for (let i = 0; i < Math.min(Number(values.count), drawn.length); i++) {
  const at = i + Math.floor(random() * (drawn.length - i))
  ;[drawn[i], drawn[at]] = [drawn[at], drawn[i]]
  process.stdout.write(`${JSON.stringify(drawn[i])}\n`)
}
