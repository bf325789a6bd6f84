import { execFile } from 'node:child_process'
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build, transform } from 'esbuild'
import { lightenPackages, writeEnglishModel } from './lighten-packages.mjs'
import { mergeChunks } from './merge-chunks.mjs'
import { packageNotices } from './package-notices.mjs'
import { LEXICAL_PACKAGES, relatedTermsFile } from './related-terms/related-terms-file.mjs'

/**
 * Builds `dist`, completely or not at all: the files that `package.json` names under `bin` and `exports` with their
 * packages bundled, SQLite's WebAssembly, the related terms and word vectors, the English model, the manual, the type declarations, and
 * the licenses of what was bundled. Everything is built in a separate folder that replaces `dist` at the end.
 */

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const DIST = path.join(ROOT, 'dist')

/**
 * The command line, the library, the module that makes every use of the network throw in a process that imports it, and
 * the programs of threads and child processes.
 */
const ENTRIES = [
  'bin/run-memctl.ts',
  'bin/device.ts',
  'bin/client.ts',
  'bin/library/create-memory-tools.ts',
  'bin/library/memctl-store.ts',
  'bin/library/create-memory-handlers.ts',
  'bin/offline.ts',
  'bin/threads/survey-thread.ts',
  'bin/threads/engine-thread.ts',
  'bin/threads/storage-thread.ts',
  'bin/threads/documents-child.ts',
  'bin/threads/index-child.ts'
]

/**
 * Modules of the command line that are loaded together, whose chunks are merged. The start comes first; each run needs
 * one of the commands.
 */
const TOGETHER = {
  start: /^bin\/run-memctl\.ts$/,
  client: /^bin\/client-module\.ts$/,
  device: /^bin\/device-module\.ts$/,
  words: /^src\/cli\/program\/parse-command\.ts$/,
  commands: /^src\/cli\/commands\//
}

/**
 * Packages that are not bundled: one has native code, one loads parts of itself by name, and one belongs to the program
 * that uses `memctl/langgraph`.
 */
const EXTERNAL = ['libsql', 'pg', '@langchain/langgraph-checkpoint']

const COMMAND = 'memctl.js'
const MANUAL = 'memctl.1'

/** The native compiler, which takes a quarter of the processor time of `typescript`. The latter has an API. */
const COMPILER = path.join(ROOT, 'node_modules/@typescript/native/bin/tsc')
const DECLARATIONS = path.join(ROOT, 'bin/declarations.json')

const FOLDER_NAME = 'const __dirname = import.meta.dirname'

/** Names that CommonJS packages expect and ES modules lack. */
const COMMONJS_WORLD = [
  "import { createRequire as createRequireOfNode } from 'node:module'",
  'const require = createRequireOfNode(import.meta.url)',
  'const __filename = import.meta.filename',
  FOLDER_NAME
].join('\n')

/**
 * Names stay readable for stack traces; removing whitespace makes the start slightly faster. Node prints the source
 * line of an uncaught error, so lines are limited to about one screen. Patterns with `\p{L}` stay literals: the bundler
 * would write `new RegExp(…)` in their place, because newer versions of Unicode change such classes, and a constructor
 * inside a function takes five times as long.
 */
const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  format: 'esm',
  platform: 'node',
  external: EXTERNAL,
  target: 'node20',
  supported: { 'regexp-unicode-property-escapes': true },
  minifyWhitespace: true,
  minifySyntax: true,
  lineLimit: 200,
  legalComments: 'none',
  logLevel: 'warning'
}

await main().catch((error) => {
  // The bundler has already printed its errors.
  if (!error.errors) console.error(error.message)
  process.exitCode = 1
})

async function main() {
  await removeLeftovers()
  const target = path.join(ROOT, `dist.new-${process.pid}`)
  try {
    const inputs = await bundle(target)
    await copyFile(
      createRequire(import.meta.url).resolve('sql.js/dist/sql-wasm.wasm'),
      path.join(target, 'sql-wasm.wasm')
    )
    await copyFile(await relatedTermsFile(), path.join(target, 'related-terms.bin'))
    await copyFile(path.join(ROOT, 'bin/word-vectors/word-vectors.bin'), path.join(target, 'word-vectors.bin'))
    await writeEnglishModel({ packages: path.join(ROOT, 'node_modules'), folder: target })
    const notices = await packageNotices(ROOT, [...packageFolders(inputs), ...LEXICAL_PACKAGES])
    const vectorNotice = await readFile(path.join(ROOT, 'bin/word-vectors/NOTICE.txt'), 'utf8')
    await writeFile(path.join(target, 'THIRD_PARTY_NOTICES.txt'), `${notices}\n${vectorNotice}`)
    await makeExecutable(path.join(target, COMMAND))
    await writeFile(path.join(target, MANUAL), await manual(path.join(target, COMMAND)))
    await declare(path.join(target, 'types'))
    await takePlaceOfDist(target)
  } finally {
    await rm(target, { recursive: true, force: true })
  }
  if (!process.argv.includes('--quiet')) console.log('built dist')
}

/** Removes folders of killed builds. Those of a running build stay. */
async function removeLeftovers() {
  for (const name of await readdir(ROOT)) {
    const pid = /^dist\.(?:new|old)-(\d+)$/.exec(name)?.[1]
    if (pid !== undefined && !isAlive(Number(pid))) await rm(path.join(ROOT, name), { recursive: true, force: true })
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Bundles the entries, with shared and lazily loaded code in separate chunks. Returns the paths of all inputs. */
async function bundle(target) {
  await bundleCommand(target)
  const { metafile } = await build({
    ...OPTIONS,
    entryPoints: ENTRIES,
    outdir: target,
    entryNames: '[name]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    banner: { js: COMMONJS_WORLD },
    plugins: [lightenPackages],
    metafile: true
  })
  await Promise.all(Object.keys(metafile.outputs).map((file) => leaveOutUnused(path.join(ROOT, file))))
  await Promise.all(largeForeign(metafile.outputs).map((file) => shortenNames(path.join(ROOT, file))))
  await mergeChunks({
    root: ROOT,
    outputs: metafile.outputs,
    options: OPTIONS,
    entries: ENTRIES,
    together: TOGETHER
  })
  return Object.values(metafile.outputs).flatMap((output) => Object.keys(output.inputs))
}

/** Returns the outputs of at least half a megabyte that contain only third-party packages. */
function largeForeign(outputs) {
  return Object.keys(outputs).filter((file) => {
    const inputs = Object.keys(outputs[file].inputs)
    return outputs[file].bytes > 500_000 && inputs.every((input) => /(^|\/)node_modules\//.test(input))
  })
}

/** Shortens local names, which makes the package about 30 kB smaller. Stack traces there are of no interest to us. */
async function shortenNames(file) {
  const { code } = await transform(await readFile(file, 'utf8'), {
    format: 'esm',
    target: OPTIONS.target,
    supported: OPTIONS.supported,
    legalComments: 'none',
    minifyWhitespace: true,
    minifySyntax: true,
    minifyIdentifiers: true
  })
  await writeFile(file, code)
}

/** Bundles the executable file by itself, because a start may need nothing else. */
async function bundleCommand(target) {
  const rest = {
    name: 'rest',
    setup: ({ onResolve }) =>
      onResolve({ filter: /run-memctl\.ts$/ }, () => ({ path: './run-memctl.js', external: true }))
  }
  await build({ ...OPTIONS, entryPoints: ['bin/memctl.ts'], outfile: path.join(target, COMMAND), plugins: [rest] })
}

/**
 * Removes the CommonJS names from a file that does not use them, since a start reads dozens of files. Some modules
 * define one of the names themselves, and it must not be declared twice.
 */
async function leaveOutUnused(file) {
  const text = await readFile(file, 'utf8')
  const rest = text.replace(`${COMMONJS_WORLD}\n`, '')
  if (!/\b(require|__filename|__dirname)\b/.test(rest)) await writeFile(file, rest)
  else if (/\b__dirname=(?!=)/.test(rest)) await writeFile(file, text.replace(`${FOLDER_NAME}\n`, ''))
}

/** Returns the folders of the packages that the inputs belong to. */
function packageFolders(inputs) {
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? [])
  return folders.map((folder) => path.join(ROOT, folder))
}

async function makeExecutable(file) {
  const text = await readFile(file, 'utf8')
  if (!text.startsWith('#!')) await writeFile(file, `#!/usr/bin/env node\n${text}`)
  await chmod(file, 0o755)
}

/** Returns the man(1) page, which the command generates from its help. */
async function manual(command) {
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'help', 'man'])
  return stdout
}

/**
 * Writes the declarations of the libraries, which declarations.json lists, and of everything that they import, under
 * their paths in the source. Checks no types, which `npm run check` does, because that takes most of the time.
 */
async function declare(outDir) {
  const all = `${outDir}.all`
  const options = ['--project', DECLARATIONS, '--outDir', all, '--singleThreaded']
  await promisify(execFile)(process.execPath, [COMPILER, ...options]).catch(({ stdout, message }) => {
    throw new Error(stdout || message)
  })
  const { files } = JSON.parse(await readFile(DECLARATIONS, 'utf8'))
  const found = new Set(files.map((file) => path.join('bin', declarationOf(file))))
  for (const file of found) {
    const text = await readFile(path.join(all, file), 'utf8')
    await mkdir(path.dirname(path.join(outDir, file)), { recursive: true })
    await writeFile(path.join(outDir, file), text)
    for (const [, imported] of text.matchAll(/\b(?:from|import)\b[ (]*["'](\..+?)["']/g))
      found.add(path.join(path.dirname(file), declarationOf(imported)))
  }
  await rm(all, { recursive: true })
}

function declarationOf(file) {
  return file.replace(/\.ts$/, '.d.ts')
}

async function takePlaceOfDist(target) {
  const old = path.join(ROOT, `dist.old-${process.pid}`)
  await rename(DIST, old).catch((error) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rename(target, DIST)
  await rm(old, { recursive: true, force: true })
}
