import { readFileSync } from 'node:fs'
import { listOperations } from '../../../server/sandbox/core/provider-state.ts'
import type { SandboxProvider } from '../../../server/sandbox/core/sandbox-provider.ts'

/** A row of a coverage table, as text: operation, and methods with the path. */
export type CoverageRow = { operation: string; path: string; covered: string }

/** Returns the tables of the sandbox's README, by provider. */
export function coverageTables(): Readonly<Record<string, CoverageRow[]>> {
  const text = readFileSync('server/sandbox/README.md', 'utf8')
  const sections = text.split(/^### /m).slice(1)
  return Object.fromEntries(sections.map((section) => [section.split('\n', 1).join(), rowsOf(section)]))
}

function rowsOf(section: string): CoverageRow[] {
  return [...section.matchAll(/^\| `([^`]+)` \| `([^`]+)` \| ([^|]*) \|[^|]*\|$/gm)].map(
    ([, operation = '', path = '', covered = '']) => ({ operation, path, covered: covered.trim() })
  )
}

/** Returns the rows for a sandbox provider's routes, each path once with all its methods. */
export function rowsOfRoutes(sandboxProvider: SandboxProvider): { operation: string; path: string }[] {
  const methods = new Map<string, string[]>()
  for (const { operation, path, method } of listOperations(sandboxProvider)) {
    const key = JSON.stringify([operation, path])
    methods.set(key, [...(methods.get(key) ?? []), method])
  }
  return [...methods].map(([key, names]) => {
    const [operation, path] = JSON.parse(key) as [string, string]
    return { operation, path: `${names.join(', ')} ${path}` }
  })
}
