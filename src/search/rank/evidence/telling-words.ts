import type { IndexReader } from '../../index/index-reader.ts'
import { rarity } from '../weigh-cue.ts'
import { brevity, type Evidence } from './pool.ts'

/**
 * How telling a document's own words are, whatever is asked: 1 where each is rare in this snapshot, towards 0 where most
 * are what everybody says all the time (`thanks, that's great`). Looked up once for all documents of an index.
 */
export function createTellingWords(index: IndexReader): Evidence {
  let known: Float32Array | undefined
  return ({ documents, base }) => {
    known ??= tellingOf(index)
    const brief = brevity(index)
    return Float64Array.from(documents, (document, place) => {
      const short = brief(document)
      return short * (known?.[document] ?? 0) + (1 - short) * (base[place] ?? 0)
    })
  }
}

/**
 * By document: one less the mean of what its words lack of the greatest rarity, where words that fewer documents than one
 * in fifty have lack nothing. Sums are whole, so that they do not depend on the order of words.
 */
function tellingOf(index: IndexReader): Float32Array {
  const most = rarity(index.count, 1)
  const lacks = new Uint32Array(index.count)
  for (const { documents } of index.frequent()) {
    const lack = Math.round(LACK_UNITS * Math.max(0, 1 - rarity(index.count, documents.length) / most))
    addToAll(lacks, documents, lack)
  }
  const terms = index.terms()
  const telling = new Float32Array(index.count)
  for (let document = 0; document < telling.length; document++) {
    telling[document] = Math.max(0, 1 - (lacks[document] ?? 0) / LACK_UNITS / Math.max(1, terms[document] ?? 0))
  }
  return telling
}

/** A function of its own, since V8 compiles what is called often sooner than a long loop. */
function addToAll(sums: Uint32Array, documents: Uint32Array, more: number): void {
  for (let at = 0; at < documents.length; at++) {
    const document = documents[at] ?? 0
    sums[document] = (sums[document] ?? 0) + more
  }
}

/** Parts of one. */
const LACK_UNITS = 1000
