/** Elements without content, and those that the next of their kind ends. */
const FLAT = new Set(
  'area base br col embed hr img input link meta source track wbr p li dt dd tr td th thead tbody tfoot option colgroup'.split(
    ' '
  )
)

/** How deep elements stand in each other at most, by their tags alone: a guess that is quick, and never far too low. */
export function elementDepth(html: string): number {
  let depth = 0
  let most = 0
  for (const [, end, name = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (FLAT.has(name.toLowerCase())) continue
    depth = end === '' ? depth + 1 : Math.max(depth - 1, 0)
    if (depth > most) most = depth
  }
  return most
}
