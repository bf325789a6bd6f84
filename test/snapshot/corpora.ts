import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Returns a collection of test data stored next to the checkout, if available. */
export function corpus(name: string): { folder: URL; missing: boolean; why: string } {
  const folder = new URL(`../../../shared/corpora/${name}/`, import.meta.url)
  return { folder, missing: !existsSync(fileURLToPath(folder)), why: `needs ${name} in ../shared/corpora` }
}
