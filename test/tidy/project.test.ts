import { expect, test } from 'vitest'
import { takeTheWorldAsArgument } from './ambient.ts'
import { defineSomething, exportByName, sayWhatFunctionsDo } from './exports.ts'
import { keepFilesWhole, keepFoldersOneWay, keepFoldersSmall, keepImportsAcyclic } from './folders.ts'
import { leaveNothingForLater, nameNoMachine, runEveryTest } from './honest-text.ts'
import { keepToLayers } from './layers.ts'
import { keepTheTopLevel, nameInKebabCase } from './names.ts'
import { keepToPackages } from './packages.ts'
import { codeFiles, projectFiles } from './project-files.ts'
import { keepSmall } from './sizes.ts'
import type { Rule, SourceText } from './source-text.ts'
import { keepOffTheWallClock } from './wall-clock.ts'
import { useIdiomaticEnglish, wrapDocuments } from './wording.ts'

/**
 * Every rule about the whole project is checked in this file, so that one process parses each file of the project, and
 * only once. The test of a rule shows on short texts what the rule finds.
 */

const CODE_RULES: readonly (readonly [title: string, rule: Rule])[] = [
  ['accesses the environment only through ports outside of bin', takeTheWorldAsArgument],
  ['exports everything by name', exportByName],
  ['has no file that only re-exports', defineSomething],
  ['documents every exported function', sayWhatFunctionsDo],
  ['keeps folders small', keepFoldersSmall],
  ['lets folders import in one direction', keepFoldersOneWay],
  ['has no cycle of imports', keepImportsAcyclic],
  ['keeps short files inside their only user', keepFilesWhole],
  ['leaves no unfinished work', leaveNothingForLater],
  ['runs every test, or explains at run time why it cannot', runEveryTest],
  ['assigns every file to a layer that imports only from visible layers', keepToLayers],
  ['uses each package only in the layers that may use it', keepToPackages],
  ['limits the length of files, functions and parameter lists', keepSmall],
  ['has no test that depends on elapsed time', keepOffTheWallClock],
  ['uses idiomatic English in comments, messages and test titles', useIdiomaticEnglish]
]

test.each(CODE_RULES)('%s', (_title, rule) => {
  expect(rule(codeFiles())).toEqual([])
})

test.each<readonly [title: string, rule: Rule]>([
  ['uses idiomatic English in documents', useIdiomaticEnglish],
  ['keeps lines of documents within 100 columns', wrapDocuments]
])('%s', (_title, rule) => {
  expect(rule(documents())).toEqual([])
})

test.each<readonly [title: string, rule: Rule]>([
  ['names folders and code in kebab-case', nameInKebabCase],
  ['adds nothing to the top level', keepTheTopLevel],
  ['names no path of this machine and no package registry', nameNoMachine]
])('%s', (_title, rule) => {
  expect(rule(projectFiles())).toEqual([])
})

function documents(): readonly SourceText[] {
  return projectFiles().filter(({ path }) => path.endsWith('.md'))
}
