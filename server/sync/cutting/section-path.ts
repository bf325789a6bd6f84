import type { Heading } from './stretches.ts'

/**
 * Tells for spans of stretches, which are to be asked for in their order, the headings that all of each stands under. A span of headings
 * alone stands under its last.
 */
export function createSectionPath(
  headings: ReadonlyMap<number, Heading>
): (span: { from: number; to: number }) => readonly string[] {
  let open: readonly Heading[] = []
  return ({ from, to }) => {
    let common: readonly Heading[] | undefined
    for (let place = from; place < to; place++) {
      const heading = headings.get(place)
      if (heading === undefined) common = common === undefined ? open : shared(common, open)
      else open = [...open.filter(({ level }) => level < heading.level), heading]
    }
    return (common ?? open).map(({ words }) => words)
  }
}

function shared(one: readonly Heading[], other: readonly Heading[]): readonly Heading[] {
  if (one === other) return one
  const differs = one.findIndex((heading, depth) => heading !== other[depth])
  return differs < 0 ? one : one.slice(0, differs)
}
