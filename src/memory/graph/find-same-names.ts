import { compareText } from './claim.ts'
import { isFirstName, listFullForms } from './list-full-forms.ts'
import type { Mentioned, Mentions } from './mentions.ts'

/**
 * Finds pairs of keys that refer to the same thing: pairs that texts state, and names that can refer to only one other.
 * `Bob` is `Robert Smith` as long as no `Bob Jones` is known; `Lee` with a title is `Ann Lee`; and `ann.lee@x.org` is
 * hers. An ambiguous name is not joined.
 */
export function findSameNames({ names, same }: Mentions): [string, string][] {
  const joined = [...same, ...findShortNames(names), ...findAddressNames(names)]
  const aliases = createJoin(joined)
  return [...joined, ...findPartNames(names, aliases)]
}

/** Groups joined keys. Each group is named by its smallest key, whatever the order of the pairs. */
export function createJoin(pairs: readonly (readonly [string, string])[]): (key: string) => string {
  const parents = new Map<string, string>()
  for (const [a, b] of pairs) {
    const [smaller, larger] = [findRoot(parents, a), findRoot(parents, b)].sort(compareText)
    if (smaller !== undefined && larger !== undefined && smaller !== larger) parents.set(larger, smaller)
  }
  return (key) => findRoot(parents, key)
}

function findRoot(parents: Map<string, string>, key: string): string {
  let root = key
  for (let next = parents.get(root); next !== undefined; next = parents.get(root)) root = next
  for (let at = key; at !== root; ) {
    const next = parents.get(at) ?? root
    parents.set(at, root)
    at = next
  }
  return root
}

/** Finds `Bob Smith` and `Robert Smith`, if `bob smith` is unambiguous. */
function findShortNames(names: Mentions['names']): [string, string][] {
  return [...names.keys()].flatMap((key): [string, string][] => {
    const space = key.indexOf(' ')
    if (space < 0) return []
    const rest = key.slice(space)
    const meant = listFullForms(key.slice(0, space))
      .slice(1)
      .filter((full) => names.has(`${full}${rest}`))
    return meant.length === 1 ? [[key, `${meant[0]}${rest}`]] : []
  })
}

/** Finds `ann.lee@x.org` and `Ann Lee`. A single word before the @ is ambiguous. */
function findAddressNames(names: Mentions['names']): [string, string][] {
  return [...names.keys()].flatMap((key): [string, string][] => {
    const at = key.indexOf('@')
    if (at < 0) return []
    const name =
      key
        .slice(0, at)
        .split('+')[0]
        ?.replace(/[._-]+/g, ' ')
        .trim() ?? ''
    return name.includes(' ') && names.has(name) ? [[key, name]] : []
  })
}

/** Finds a word that occurs in only one longer name: the first name, its short form, or the last name with a title. */
function findPartNames(names: Mentions['names'], groupOf: (key: string) => string): [string, string][] {
  const parts: Parts = { firsts: new Map(), lasts: new Map(), people: new Set(), groupOf }
  for (const mentioned of names.values()) noteParts(mentioned, parts)
  return [...names.values()].flatMap(({ key, evidence, isPerson }): [string, string][] => {
    if (key.includes(' ') || key.includes('@')) return []
    const longer = new Set(listFullForms(key).flatMap((full) => [...(parts.firsts.get(full) ?? [])]))
    for (const full of listFullForms(key).slice(1)) if (names.get(full)?.isPerson) longer.add(groupOf(full))
    if (evidence.has('title')) for (const group of parts.lasts.get(key) ?? []) longer.add(group)
    const [only] = longer
    if (longer.size !== 1 || only === undefined) return []
    return isPerson || isFirstName(key) || parts.people.has(only) ? [[key, only]] : []
  })
}

type Parts = {
  firsts: Map<string, Set<string>>
  lasts: Map<string, Set<string>>
  /** Groups that are known to be people. */
  people: Set<string>
  groupOf: (key: string) => string
}

/** Indexes names of two to four words by their first word, its full forms, and their last word. */
function noteParts({ key, isPerson }: Mentioned, { firsts, lasts, people, groupOf }: Parts): void {
  if (isPerson) people.add(groupOf(key))
  const words = key.split(' ')
  const [first = '', last = ''] = [words[0], words.at(-1)]
  if (words.length < 2 || words.length > 4 || key.includes('@')) return
  const group = groupOf(key)
  for (const full of listFullForms(first)) addToSet(firsts, full, group)
  addToSet(lasts, last, group)
}

function addToSet(sets: Map<string, Set<string>>, key: string, item: string): void {
  const set = sets.get(key)
  if (set === undefined) sets.set(key, new Set([item]))
  else set.add(item)
}
