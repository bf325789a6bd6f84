import { plainWords } from './plain-words.ts'

/**
 * Adds learned names of folders or channels to known ones, and drops those that are not selected. A name becomes one
 * printable line of limited length.
 */
export function mergePlaceNames(
  known: Readonly<Record<string, string>> | undefined,
  learned: Iterable<readonly [id: string, name: string]>,
  selection: readonly string[]
): Record<string, string> {
  const names = new Map(Object.entries(known ?? {}))
  for (const [id, name] of learned) names.set(id, plainWords(name))
  return Object.fromEntries([...names].filter(([id, name]) => name !== '' && selection.includes(id)))
}
