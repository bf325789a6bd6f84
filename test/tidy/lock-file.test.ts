import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  type LockFile,
  type Manifest,
  missingFromLock,
  missingIntegrity,
  scriptsAtInstall,
  unsupportedEngines
} from './lock-file.ts'
import { projectRoot } from './project-files.ts'

const json = (file: string): unknown => JSON.parse(readFileSync(path.join(projectRoot, file), 'utf8'))

test('locks the packages of every platform', () => {
  expect(missingFromLock(json('package-lock.json') as LockFile)).toEqual([])
})

test('locks only packages that run on the oldest Node.js in package.json', () => {
  const { engines } = json('package.json') as { engines: { node: string } }
  const oldest = `${engines.node.replace('>=', '')}.0`
  expect(unsupportedEngines(json('package-lock.json') as LockFile, oldest)).toEqual([])
  const newer = { packages: { 'node_modules/newer': { engines: { node: '^20.20.0 || >=22' } } } }
  expect(unsupportedEngines(newer, oldest)).toEqual(['node_modules/newer: ^20.20.0 || >=22'])
})

test('locks the hash of every package', () => {
  expect(missingIntegrity(json('package-lock.json') as LockFile)).toEqual([])
})

test('runs no script when memctl is installed', () => {
  expect(scriptsAtInstall(json('package.json') as Manifest)).toEqual([])
})

test('finds a missing platform, beside its package and further out', () => {
  const packages = {
    'node_modules/tool': {
      version: '1.0.0',
      optionalDependencies: { 'tool-a': '1.0.0', 'tool-b': '1.0.0', 'tool-c': '1.0.0' }
    },
    'node_modules/tool-a': { version: '1.0.0' },
    'node_modules/tool/node_modules/tool-b': { version: '1.0.0' },
    'node_modules/tool-c': { optional: true }
  }
  expect(missingFromLock({ packages })).toEqual(['tool-c, which node_modules/tool may need'])
})

test('finds a package without a hash, but not the project itself or a link', () => {
  const packages = {
    '': { version: '0.1.0' },
    'node_modules/linked': { link: true },
    'node_modules/tool': { version: '1.0.0', integrity: `sha512-${'a'.repeat(86)}==` },
    'node_modules/tool-a': { version: '1.0.0', optional: true },
    'node_modules/tool-b': { version: '1.0.0', integrity: 'sha1-deadbeef' }
  }
  expect(missingIntegrity({ packages })).toEqual(['node_modules/tool-a', 'node_modules/tool-b'])
})

test('finds a script that runs at install', () => {
  expect(scriptsAtInstall({ scripts: { test: 'vitest', postinstall: 'node fetch.js' } })).toEqual(['postinstall'])
})
