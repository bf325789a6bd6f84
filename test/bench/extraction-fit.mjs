/**
 * `node test/bench/extraction-fit.mjs`: fits a logistic regression on features of a fact alone, and prints the weights
 * for `src/memory/facts/compute-confidence.ts`. They are fitted on CaRB's development set, to how many of a fact's words
 * its best gold tuple has. Rules for conversations do not occur there; their weights were set by reviewing facts of the
 * shared conversations.
 */
import { carbTuples, hasData, sourceOf } from './extraction-data.mjs'
import { loadExtraction } from './extraction-load.mjs'
import { dataFolder } from './shared-data.mjs'

const ROUNDS = 5000
const RATE = 1
/** Penalty on the square of a weight, without which rare features would be overfitted. */
const PENALTY = 3

if (!hasData) {
  console.log(`extraction fit skipped: the evaluation sets are not there (looked for ${dataFolder})`)
} else {
  const extraction = await loadExtraction()
  print('confidence', fit(tupleSamples(extraction)))
}

function print(name, weights) {
  console.log(name)
  for (const [feature, weight] of [...weights].sort()) console.log(`  ['${feature}', ${weight.toFixed(2)}],`)
}

function tupleSamples({ readSentences, findFacts }) {
  const found = []
  for (const [sentence, gold] of carbTuples()) {
    const features = []
    const explain = (names) => features.push(['base', ...names])
    const facts = findFacts(readSentences(sentence), sourceOf(sentence), { pronouns: 'keep', explain })
    for (const [i, fact] of facts.entries()) {
      found.push({ features: features[i], share: Math.max(0, ...gold.map((tuple) => agreement(fact, tuple))) })
    }
  }
  return found
}

/**
 * Returns the share of a fact's words that are in the same places of a gold tuple; 0 if the relations have no words in
 * common.
 */
function agreement({ subject, predicate, value }, [relation, first, ...rest]) {
  const inPredicate = common(predicate, relation)
  if (inPredicate === 0 || first === undefined) return 0
  const hits = inPredicate + common(subject, first) + common(value, rest.join(' '))
  return hits / [subject, predicate, value].reduce((sum, text) => sum + text.split(/\s+/).length, 0)
}

function common(text, gold) {
  const left = text.split(/\s+/)
  let count = 0
  for (const word of gold.split(/\s+/)) {
    const at = left.indexOf(word)
    if (at < 0) continue
    left.splice(at, 1)
    count++
  }
  return count
}

function fit(found) {
  const weights = new Map(found.flatMap(({ features }) => features).map((name) => [name, 0]))
  for (let round = 0; round < ROUNDS; round++) {
    const slope = new Map([...weights].map(([name, weight]) => [name, name === 'base' ? 0 : -PENALTY * weight]))
    for (const { features, share } of found) {
      const sum = features.reduce((total, name) => total + weights.get(name), 0)
      const error = share - 1 / (1 + Math.exp(-sum))
      for (const name of features) slope.set(name, slope.get(name) + error)
    }
    for (const [name, value] of slope) weights.set(name, weights.get(name) + (RATE * value) / found.length)
  }
  return weights
}
