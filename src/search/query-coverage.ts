import { analyse } from './analyse/analyse.ts'

/** How much of a query a text has: the part of the query's terms that are in it, 0 to 1. */
export function createCoverage(query: string): (text: string) => number {
  const wanted = new Set(analyse(query))
  return (text) => {
    const found = new Set(analyse(text).filter((term) => wanted.has(term)))
    return wanted.size === 0 ? 0 : found.size / wanted.size
  }
}
