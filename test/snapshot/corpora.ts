import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Collections of test data that stand beside the checkout where they are there at all. */
export function corpus(name: string): { folder: URL; missing: boolean; why: string } {
  const folder = new URL(`../../../shared/corpora/${name}/`, import.meta.url)
  return { folder, missing: !existsSync(fileURLToPath(folder)), why: `needs ${name} in ../shared/corpora` }
}
