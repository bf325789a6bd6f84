// Texts of 5 MB in every form that is hard to read: stored completely within 10 s, with few entries, and found again.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ensureBuilt, makeHome, must, run } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'

const { count, seed, random, only } = options(100)
const UNITS = 5_000_000
const MS_MAX = 10_000 * PATIENCE
const ENTRIES_MAX = 900

const fill = (text) => text.repeat(Math.ceil(UNITS / text.length)).slice(0, UNITS)
const bytes = () => Buffer.from(Array.from({ length: (UNITS * 3) / 4 }, () => random() * 256)).toString('base64')

const KINDS = {
  'one sentence without end': () => fill('the old brown horse walks over a quiet field and '),
  'dates that do not exist': () => fill('on 31 February 2024 at 25:61, last Friday, '),
  'nested parentheses': () => `${'('.repeat(10_000)}x${')'.repeat(10_000)} ${fill('((')}`,
  'no punctuation': () => fill('i went to the shop and he said that she knows '),
  'relative clauses': () => fill('the man who knew the woman who saw the boy who '),
  'open quotes': () => fill('"he said '),
  colons: () => fill('a:b:c: '),
  'marks without spaces': () => fill('a!!!!!!!'),
  'numbers without spaces': () => fill('1/2/3/4/'),
  'one word': () => fill('x'),
  emoji: () => fill('🎉👩‍👩‍👧 '),
  'control characters': () => fill('\u0001\u0002 a\u0007b '),
  'a table': () => `a,b,c,d\n${Array.from({ length: 200_000 }, (_, n) => `row ${n},${n * 3},text,x`).join('\n')}`,
  base64: bytes,
  'base64 in lines': () => bytes().replace(/.{76}/g, '$&\n'),
  'minified code': () => fill('function a(b,c){return b?c(d=>d[0]!==1&&e.f(d)):{g:[1,2,"x"],h:null}};'),
  'line breaks': () => fill('\n'),
  'deep lists': () => Array.from({ length: 3000 }, (_, n) => `${' '.repeat(n)}- a`).join('\n'),
  fields: () => fill('key: value\n'),
  'a talk': () => fill('I moved to Lisbon last year. My sister Ann lives in Rome. She loves it!\n'),
  'another script': () => fill('田中さんは東京に住んでいます。')
}

const report = createReport(`texts of ${UNITS / 1e6} MB (seed ${seed})`)
ensureBuilt()
const home = makeHome()
const snapshot = join(home.work, 'a.mem.jsonl')
must(home, ['device', 'init', snapshot])
for (const [name, make] of Object.entries(KINDS).slice(0, count)) {
  if (only !== undefined && !name.includes(only)) continue
  const file = join(home.folder, 'text.txt')
  writeFileSync(file, `${make()}\n`)
  const start = performance.now()
  const { code, stdout, stderr } = run(home, [
    'device',
    'store',
    '-f',
    file,
    '--speaker',
    'Ada',
    '--snapshot',
    snapshot
  ])
  const ms = performance.now() - start
  report.case('stored', code === 0 ? undefined : `${name}: exit ${code}: ${stderr}`)
  report.case(`in ${MS_MAX / 1000} s`, ms < MS_MAX ? undefined : `${name}: ${ms.toFixed(0)} ms`)
  if (code !== 0) continue
  const shown = JSON.parse(must(home, ['device', 'show', stdout.split('\t')[0], '--json', '--snapshot', snapshot]))
  const entries = [shown.facts, shown.procedures, shown.events].reduce((sum, list) => sum + list.length, 0)
  report.case('few entries', entries <= ENTRIES_MAX ? undefined : `${name}: ${entries} entries`)
}
const { code, stderr } = run(home, ['device', 'verify', '--snapshot', snapshot])
report.case('sound', code === 0 ? undefined : stderr)
report.finish()
