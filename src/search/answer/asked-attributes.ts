import { PREDICATE_ROWS } from '../../memory/graph/predicate-classes.ts'
import { analyse } from '../analyse/analyse.ts'

/** Keys of the attributes with one value that any of these terms asks for: `work` and `employer` ask for `works_at`. */
export function askedAttributes(terms: Iterable<string>): string[] {
  attributes ??= attributesByTerm()
  const keys = new Set<string>()
  for (const term of terms) for (const key of attributes.get(term) ?? []) keys.add(key)
  return [...keys]
}

let attributes: ReadonlyMap<string, readonly string[]> | undefined

function attributesByTerm(): ReadonlyMap<string, readonly string[]> {
  const byTerm = new Map<string, string[]>()
  for (const { key, isSingle, verbs = [], ifNamed = [], nouns = [], inverse = [] } of PREDICATE_ROWS) {
    if (!isSingle) continue
    const phrases = [key.replaceAll('_', ' '), ...verbs, ...ifNamed, ...nouns, ...inverse]
    for (const term of new Set(phrases.flatMap(analyse))) byTerm.set(term, [...(byTerm.get(term) ?? []), key])
  }
  return new Map([...byTerm].filter(([, keys]) => keys.length <= ATTRIBUTES_MAX))
}

/** What is said of more attributes than that (`start`, `place`) asks for none. */
const ATTRIBUTES_MAX = 2
