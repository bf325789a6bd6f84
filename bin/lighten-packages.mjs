import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/**
 * Leaves out of packages what memctl never asks of them, and packs what is large. Where a package no longer looks as it did
 * when this was written, the build stops. Measured without it: the package has 3.9 MB in place of 3.0 (12.2 in place of 8.5
 * unpacked), where `test/cli/package.test.ts` allows 3.25 MB, and `device store` takes 120 MB of memory in place of 93. The
 * start of the command line takes as long either way.
 */

const MODEL = 'eng-core-web-model.json'

/** The model of English, as the bundle reads it: beside the file that does. */
const MODEL_FILE = 'english-model.bin'

export const lightenPackages = {
  name: 'lighten-packages',
  setup({ onLoad, onResolve }) {
    // Writing in an editor of one's own: memctl asks for lines. It brings the character sets of the world.
    onLoad({ filter: /external-editor[/\\]dist[/\\]index\.js$/ }, () => ({
      contents: "export function editAsync() { throw new Error('no editor is bundled') }"
    }))
    // Moods and kinds of names, which no pipe of ours has. The loader wants a machine all the same.
    onLoad({ filter: /wink-eng-lite-web-model[/\\]dist[/\\]load-sa-model\.js$/ }, () => ({
      contents: `module.exports = () => ({ machines: require('./languages/cur/models/eng-negation-model.json'), setter() {} })`
    }))
    onLoad({ filter: /wink-eng-lite-web-model[/\\]dist[/\\]load-ner-model\.js$/ }, () => ({
      contents: 'module.exports = () => ({ machines: [], transformers: [] })'
    }))
    onLoad({ filter: /wink-eng-lite-web-model[/\\]dist[/\\]read-core-model\.js$/ }, async ({ path: file }) => ({
      contents: replaceEach(await readFile(file, 'utf8'), [
        [`require("./languages/cur/models/${MODEL}")`, 'require("memctl:english-model")'],
        ['JSON.parse(JSON.stringify(originalModel))', 'originalModel()'],
        ['new Uint32Array(bufferFromBase64(model.lexicon))', 'model.lexicon']
      ])
    }))
    // The same twice, for processors with and without one kind of instruction; the plain one does for all.
    onResolve({ filter: /[/\\]llhttp_simd-wasm\.js$/ }, ({ path: file, resolveDir }) => ({
      path: path.join(resolveDir, file.replace('_simd-', '-'))
    }))
    onResolve({ filter: /^memctl:english-model$/ }, ({ path: name }) => ({ path: name, namespace: 'memctl' }))
    onLoad({ filter: /^memctl:english-model$/, namespace: 'memctl' }, () => ({ contents: READ_MODEL, resolveDir: '.' }))
  }
}

function replaceEach(text, pairs) {
  for (const [from] of pairs) if (text.split(from).length !== 2) throw new Error(`a package has no '${from}' any more`)
  return pairs.reduce((whole, [from, to]) => whole.replace(from, to), text)
}

/** A word of the lexicon takes so many bytes. Those at the same place of each word are alike and stand together. */
const ROW_BYTES = 16

/** The first number of a word says what it ends with, which the word itself tells: where it stands, and how many letters. */
const SUFFIX = { MASK: 0xffffe000, SHIFT: 13, LETTERS: 3 }

const READ_MODEL = `
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { brotliDecompressSync } = require('node:zlib')
module.exports = () => {
  const all = brotliDecompressSync(readFileSync(join(__dirname, '${MODEL_FILE}')))
  const end = 4 + all.readUInt32LE(0)
  const model = JSON.parse(all.toString('utf8', 4, end))
  const words = model.features.lexeme.list
  const bytes = new Uint8Array(words.length * ${ROW_BYTES})
  for (let byte = 0, from = end; byte < ${ROW_BYTES}; byte++)
    for (let row = 0, to = byte; row < words.length; row++, to += ${ROW_BYTES}) bytes[to] = all[from++]
  const lexicon = new Uint32Array(bytes.buffer)
  const suffixes = new Map(model.features.suffix.list.map((suffix, at) => [suffix, at << ${SUFFIX.SHIFT}]))
  for (let row = 0; row < words.length; row++) lexicon[row * 4] |= suffixes.get(words[row].slice(-${SUFFIX.LETTERS}))
  return { ...model, lexicon }
}
`

/** Writes the model of English for the bundle: all but the lexicon as JSON with its length before it, then the lexicon by columns. */
export async function writeEnglishModel({ packages, folder }) {
  const file = path.join(packages, 'wink-eng-lite-web-model', 'dist', 'languages', 'cur', 'models', MODEL)
  const { lexicon, ...rest } = JSON.parse(await readFile(file, 'utf8'))
  const rows = withoutSuffixes(Buffer.from(lexicon, 'base64'), rest.features)
  const json = Buffer.from(JSON.stringify(rest))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(json.length)
  const packed = await promisify(brotliCompress)(Buffer.concat([length, json, byColumns(rows)]), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  })
  await writeFile(path.join(folder, MODEL_FILE), packed)
}

/** The rows with no word about their ends; each was looked at, so that what is put back is what was taken. */
function withoutSuffixes(rows, { lexeme, suffix }) {
  const numbers = new Map(suffix.list.map((one, at) => [one, at]))
  if (rows.length !== lexeme.list.length * ROW_BYTES) throw new Error('the lexicon of English has another form')
  for (const [row, word] of lexeme.list.entries()) {
    const first = rows.readUInt32LE(row * ROW_BYTES)
    if (first >>> SUFFIX.SHIFT !== (numbers.get(word.slice(-SUFFIX.LETTERS)) ?? 0))
      throw new Error(`the lexicon of English has another form at '${word}'`)
    rows.writeUInt32LE((first & ~SUFFIX.MASK) >>> 0, row * ROW_BYTES)
  }
  return rows
}

function byColumns(rows) {
  const columns = Buffer.alloc(rows.length)
  const count = rows.length / ROW_BYTES
  for (let row = 0; row < count; row++)
    for (let byte = 0; byte < ROW_BYTES; byte++) columns[byte * count + row] = rows[row * ROW_BYTES + byte]
  return columns
}
