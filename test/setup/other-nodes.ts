import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Paths of other Node binaries, separated by colons: `MEMCTL_TEST_NODES=/opt/node22/bin/node:/opt/node24/bin/node`. */
export const OTHER_NODES: readonly string[] = (process.env.MEMCTL_TEST_NODES ?? '')
  .split(':')
  .filter((path) => path !== '')

/** A Node binary with the folder of a package that needs it. */
export type NodeWithPackage = { node: string; folder: string }

/**
 * Finds a package that needs a newer Node than this one: this Node or one of `OTHER_NODES` with at least the major
 * version, and the package in a folder `node_modules` above the binary, as `.ci/run` installs both. Returns the reason
 * if there is none.
 */
export function findNodeWithPackage(major: number, name: string): NodeWithPackage | { reason: string } {
  const nodes = OTHER_NODES.filter((node) => readMajor(node) >= major)
  if (nodes.length === 0) return { reason: `MEMCTL_TEST_NODES names no Node ${major}` }
  for (const node of nodes) {
    for (let above = dirname(node); above !== dirname(above); above = dirname(above)) {
      const folder = join(above, 'node_modules', name)
      if (existsSync(folder)) return { node, folder }
    }
  }
  return { reason: `no folder above a Node ${major} of MEMCTL_TEST_NODES has the package ${name}` }
}

function readMajor(node: string): number {
  return Number(/^v(\d+)/.exec(execFileSync(node, ['--version'], { encoding: 'utf8' }))?.[1] ?? 0)
}
