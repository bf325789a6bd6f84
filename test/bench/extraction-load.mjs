import { loadSource } from './load-source.mjs'

/** Loads the current extractor from `src`. */
export function loadExtraction() {
  return loadSource(EXPORTS, ['wink-nlp', 'wink-eng-lite-web-model', 'chrono-node/en', 'yaml'])
}

const EXPORTS = `
  export { readSentences } from './src/memory/language/read-sentences.ts'
  export { findFacts } from './src/memory/facts/find-facts.ts'
  export { understand } from './src/memory/understand.ts'
`
