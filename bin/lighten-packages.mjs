import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
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
        ['new Uint32Array(bufferFromBase64(model.lexicon))', 'model.lexicon'],
        ['featuresData.lexeme.hash=Object.create(null);', ''],
        [
          'for(let k=0;k<featuresData.lexeme.list.length;k+=1)featuresData.lexeme.hash[featuresData.lexeme.list[k]]=k;',
          ''
        ]
      ])
    }))
    // A map of the words is built in a third of the time of an object.
    onLoad({ filter: /wink-nlp[/\\]src[/\\]cache\.js$/ }, async ({ path: file }) => ({
      contents: replaceEach(await readFile(file, 'utf8'), [
        ['lexemesHash[ text ]', 'lexemesHash.get( text )'],
        ['var index = h[ value ];', 'var index = h.get( value );'],
        ['index = h[ value ] = f.index;', 'h.set( value, index = f.index );']
      ])
    }))
    // Irregular forms as JSON, which is parsed faster than code.
    onLoad({ filter: /wink-eng-lite-web-model[/\\]dist[/\\]wn-\w+-exceptions\.js$/ }, async ({ path: file }) => ({
      contents: toJsonModule(createRequire(import.meta.url)(file))
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

/** Returns the code of a module that exports a table. Without a prototype, a word like `constructor` is not found. */
function toJsonModule(table) {
  return `module.exports = Object.setPrototypeOf(JSON.parse(${JSON.stringify(JSON.stringify(table))}), null)`
}

/** Numbers of 32 bits that the lexicon holds for each word. */
const NUMBERS = 4

/**
 * Features that our pipeline never requests. The first number of a word contains nothing else. Without them, unknown
 * words also need no search for theirs.
 */
const UNUSED_FEATURES = ['prefix', 'suffix', 'shape']

const READ_MODEL = `
const { readFileSync } = require('node:fs')
const { join } = require('node:path')
const { brotliDecompressSync } = require('node:zlib')
module.exports = () => {
  const all = brotliDecompressSync(readFileSync(join(__dirname, '${MODEL_FILE}')))
  const wordsAt = 8 + all.readUInt32LE(0)
  const rowsAt = wordsAt + all.readUInt32LE(4)
  const { wide, ...model } = JSON.parse(all.toString('utf8', 8, wordsAt))
  const list = all.toString('latin1', wordsAt, rowsAt).split('\\0')
  for (const [row, word] of wide) list[row] = word
  const count = list.length
  const hash = new Map()
  for (let row = 0; row < count; row++) hash.set(list[row], row)
  const lexicon = new Uint32Array(count * ${NUMBERS})
  for (let number = 1, at = rowsAt; number < ${NUMBERS}; number++, at += 3 * count)
    for (let row = 0; row < count; row++, at++)
      lexicon[row * ${NUMBERS} + number] =
        all[at] | (all[at + count] << 8) | (all[at + 2 * count] << 16) | (all[at + 3 * count] << 24)
  return { ...model, lexicon, features: { ...model.features, lexeme: { list, hash } } }
}
`

/**
 * Writes the English model for the bundle so that it is read quickly: the lengths of the next two parts, everything but
 * words and lexicon as JSON, the words, which are not parsed, and the lexicon by columns of bytes, which are similar.
 */
export async function writeEnglishModel({ packages, folder }) {
  const file = path.join(packages, 'wink-eng-lite-web-model', 'dist', 'languages', 'cur', 'models', MODEL)
  const { lexicon, ...rest } = JSON.parse(await readFile(file, 'utf8'))
  const words = rest.features.lexeme.list
  removeUnusedFeatures(rest)
  // Words that do not fit into one byte a character.
  const wide = [...words.entries()].filter(([, word]) => /[^\x00-\xff]/.test(word))
  const narrow = words.map((word) => (/[^\x00-\xff]/.test(word) ? '' : word)).join('\0')
  const json = Buffer.from(JSON.stringify({ ...rest, wide }))
  const list = Buffer.from(narrow, 'latin1')
  const lengths = Buffer.alloc(8)
  lengths.writeUInt32LE(json.length)
  lengths.writeUInt32LE(list.length, 4)
  const columns = usedColumns(Buffer.from(lexicon, 'base64'), words.length)
  const packed = await promisify(brotliCompress)(Buffer.concat([lengths, json, list, columns]), {
    params: { [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS }
  })
  await writeFile(path.join(folder, MODEL_FILE), packed)
}

/** Removes the words and the unused features, after checking that the reader restores everything else. */
function removeUnusedFeatures({ packing, features }) {
  const { layout } = packing
  const first = Object.keys(layout).filter((name) => layout[name][0] === 0)
  const isExpected =
    packing.size === NUMBERS &&
    first.every((name) => UNUSED_FEATURES.includes(name)) &&
    Object.keys(layout).every((name) => layout[name][3] === 1 || UNUSED_FEATURES.includes(name)) &&
    Object.keys(features.lexeme).join() === 'list' &&
    !features.lexeme.list.some((word) => word.includes('\0'))
  if (!isExpected) throw new Error('the English model has an unexpected format')
  for (const name of UNUSED_FEATURES) {
    delete layout[name]
    delete features[name]
  }
  delete features.lexeme
}

/** Returns all numbers but the first of each word, by columns of bytes. */
function usedColumns(rows, count) {
  const bytes = NUMBERS * 4
  if (rows.length !== count * bytes) throw new Error('the English lexicon has an unexpected format')
  const columns = Buffer.alloc(count * (bytes - 4))
  for (let row = 0; row < count; row++)
    for (let byte = 4; byte < bytes; byte++) columns[(byte - 4) * count + row] = rows[row * bytes + byte]
  return columns
}
