import os from 'node:os'
import path from 'node:path'
import ts from 'typescript'
import { projectRoot } from './project-files.ts'
import { nodesOf, placeOf, type Rule, treeOf } from './source-text.ts'

const UNFINISHED = new RegExp(`\\b(${['TO', 'DO'].join('')}|${['FIX', 'ME'].join('')})\\b`)

/** Forbids marks of unfinished work in the code: it is done, or it is an issue. */
export const leaveNothingForLater: Rule = (files) => linesWith(files, UNFINISHED, 'left for later')

/**
 * Forbids disabled tests. One that a machine cannot run gives the reason with `skip(condition, reason)` of its context.
 */
export const runEveryTest: Rule = (files) =>
  files
    .filter((file) => file.path.endsWith('.test.ts'))
    .flatMap((file) => nodesOf(treeOf(file)))
    .filter((node) => ts.isPropertyAccessExpression(node))
    .filter((node) => SWITCHES.has(node.name.text) && RUNNERS.test(node.expression.getText()))
    .map((node) => `${placeOf(node)}: ${node.getText()}`)

const SWITCHES = new Set(['skip', 'only', 'todo', 'fails', 'skipIf', 'runIf'])
const RUNNERS = /^(test|it|describe|suite)\b/

/** Forbids absolute paths of this machine and addresses of package registries, because the project runs anywhere. */
export const nameNoMachine: Rule = (files) => [
  ...machineFolders().flatMap((folder) => linesWith(files, startOf(folder), 'a path of this machine')),
  ...linesWith(
    files,
    /\bregistry\.[\w-]+\.(org|com|net|io|dev|cn|jp)\b|"resolve[d]":/,
    'the address of a package registry'
  )
]

/** Returns this checkout, its parent folder and the user's home, if they are long enough to be distinctive. */
function machineFolders(): string[] {
  const folders = new Set([projectRoot, path.dirname(projectRoot), os.homedir()])
  return [...folders].filter((folder) => folder.length > 4)
}

/** Matches a path at its beginning, not in the middle of a longer one such as a URL. */
function startOf(folder: string): RegExp {
  return new RegExp(`(?<![\\w.~-])${folder.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}(?![\\w-])`)
}

function linesWith(files: Parameters<Rule>[0], pattern: RegExp, what: string): string[] {
  return files.flatMap(({ path: file, text }) =>
    text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1}: ${what}`] : []))
  )
}
