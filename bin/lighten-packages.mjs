import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'

/**
 * Removes the parts of packages that memctl does not use, and compresses large ones. If a package no longer has the
 * expected form, the build fails. Without it, the package was measured at 3.9 MB instead of 3.0 (12.2 instead of 8.5
 * unpacked), where `test/cli/package.test.ts` allows 3.25 MB, and `device store` needed 120 MB of memory instead of 93.
 * The start time of the command line is the same.
 */

const MODEL = 'eng-core-web-model.json'

/** The English model in the bundle, beside the file that reads it. */
const MODEL_FILE = 'english-model.bin'

export const lightenPackages = {
  name: 'lighten-packages',
  setup({ onLoad, onResolve }) {
    // Editing in an external editor, which brings many character sets. memctl asks for lines.
    onLoad({ filter: /external-editor[/\\]dist[/\\]index\.js$/ }, () => ({
      contents: "export function editAsync() { throw new Error('no editor is bundled') }"
    }))
    // Sentiment analysis and name types, which our pipeline does not use. The loader still requires a state machine.
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
    // The same module for processors with and without SIMD. The plain one works on all.
    onResolve({ filter: /[/\\]llhttp_simd-wasm\.js$/ }, ({ path: file, resolveDir }) => ({
      path: path.join(resolveDir, file.replace('_simd-', '-'))
    }))
    onResolve({ filter: /^memctl:english-model$/ }, ({ path: name }) => ({ path: name, namespace: 'memctl' }))
    onLoad({ filter: /^memctl:english-model$/, namespace: 'memctl' }, () => ({ contents: READ_MODEL, resolveDir: '.' }))
  }
}

function replaceEach(text, pairs) {
  for (const [from] of pairs)
    if (text.split(from).length !== 2) throw new Error(`a package no longer contains '${from}'`)
  return pairs.reduce((whole, [from, to]) => whole.replace(from, to), text)
}

/** Bytes of a word in the lexicon. The bytes at the same offset in each word are similar and are stored together. */
const ROW_BYTES = 16

/**
 * The first number of a word contains its suffix, which the word itself tells: position in the number, and number of
 * letters.
 */
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

/**
 * Writes the English model for the bundle: everything but the lexicon as JSON with its length before it, then the
 * lexicon by columns.
 */
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

/** Removes the suffixes from the rows. Each row is verified, so that the reader restores what was removed. */
function withoutSuffixes(rows, { lexeme, suffix }) {
  const numbers = new Map(suffix.list.map((one, at) => [one, at]))
  if (rows.length !== lexeme.list.length * ROW_BYTES) throw new Error('the English lexicon has an unexpected format')
  for (const [row, word] of lexeme.list.entries()) {
    const first = rows.readUInt32LE(row * ROW_BYTES)
    if (first >>> SUFFIX.SHIFT !== (numbers.get(word.slice(-SUFFIX.LETTERS)) ?? 0))
      throw new Error(`the English lexicon has an unexpected format at '${word}'`)
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
