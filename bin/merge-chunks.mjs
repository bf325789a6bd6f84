import { readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build } from 'esbuild'

/** Chunks up to this size that several groups need are loaded faster as part of a larger file than separately. */
const SMALL_BYTES = 4096

/**
 * Merges chunks that are loaded together. The bundler creates a small chunk for each set of entries that share code,
 * and finding, reading and linking each takes about a millisecond of a start. Without it (`node test/bench/bench.mjs
 * start`, relative to bare Node), `--help` was measured at 1.64x instead of 1.38x, where the limit is 1.5x, and
 * `connections list` at 2.0x instead of 1.75x, where it is 2x. `dist` had 200 code files instead of 123.
 *
 * `outputs` are those of the bundler, by path from `root`. `together` names groups, with the modules of each that are
 * entries or loaded by `import()`. Everything that the first group needs becomes one file, even if other groups need it
 * too. The rest becomes one file for each set of groups that needs it, so that no group loads another's code. `entries`
 * keep their files.
 */
export async function mergeChunks({ root, outputs, together, entries, options }) {
  const classes = groupChunks(outputs, together)
  const onlyModules = findOnlyModules(outputs, { together, classes, entries })
  const merging = { root, outputs, options }
  const merged = await Promise.all(
    [...classes].map(([name, chunks]) => mergeText({ name, chunks, onlyModule: onlyModules.get(name) }, merging))
  )
  const filled = merged.filter(([, text]) => text.trim() !== '')
  const places = new Map()
  for (const [name, chunks] of classes)
    for (const [number, chunk] of chunks.entries())
      places.set(path.basename(chunk), { name, number, isEmpty: filled.every(([one]) => one !== name) })
  for (const file of [...[...classes.values()].flat(), ...onlyModules.values()]) await rm(path.join(root, file))

  const folder = path.join(root, path.dirname(Object.keys(outputs)[0]))
  const inside = new Set(onlyModules.values())
  const left = Object.keys(outputs).filter((file) => !places.has(path.basename(file)) && !inside.has(file))
  const texts = await Promise.all(left.map((file) => readFile(path.join(root, file), 'utf8')))
  const files = [...left.map((file, at) => [path.basename(file), texts[at]]), ...filled]
  const redirect = (text) => [...onlyModules].reduce(redirectModule, redirectImports(text, places))
  await Promise.all(files.map(([file, text]) => writeFile(path.join(folder, file), redirect(text))))
}

/**
 * Returns the modules that are loaded only by `import()`, by the name of the file that contains them and their
 * dependencies.
 */
function findOnlyModules(outputs, { together, classes, entries }) {
  const onlyModules = Object.entries(together).map(([name, modules]) => {
    return [`chunk-${name}.js`, listEntries(modules, outputs)]
  })
  const isOnlyModule = ([name, [onlyModule, ...others]]) =>
    classes.has(name) && others.length === 0 && !entries.includes(outputs[onlyModule].entryPoint)
  return new Map(onlyModules.filter(isOnlyModule).map(([name, [onlyModule]]) => [name, onlyModule]))
}

/** Groups chunks by the name of their merged file. */
function groupChunks(outputs, together) {
  const reached = Object.entries(together).map(([name, modules]) => {
    const entries = listEntries(modules, outputs)
    if (entries.length === 0) throw new Error(`no loaded module matches ${modules}`)
    return { name, files: listReachable(entries, outputs) }
  })
  const first = reached[0].name
  const classes = new Map()
  for (const chunk of Object.keys(outputs).sort()) {
    if (outputs[chunk].entryPoint !== undefined) continue
    const by = reached.filter(({ files }) => files.has(chunk)).map((one) => one.name)
    if (by.length === 0) continue
    const isFirst = by.includes(first) || (by.length > 1 && outputs[chunk].bytes <= SMALL_BYTES)
    const name = `chunk-${isFirst ? first : by.join('-')}.js`
    classes.set(name, [...(classes.get(name) ?? []), chunk])
  }
  return classes
}

/** Returns the outputs whose entry point is one of the modules. */
function listEntries(modules, outputs) {
  return Object.keys(outputs).filter((file) => modules.test(outputs[file].entryPoint ?? ''))
}

/** Returns all files that are loaded together with one of the given files. */
function listReachable(entries, outputs) {
  const reached = new Set(entries)
  for (const file of reached)
    for (const { path: next, kind, external } of outputs[file].imports)
      if (kind === 'import-statement' && external !== true) reached.add(next)
  return reached
}

/** Merges chunks into one module with all of their exports. Each chunk has its own names, so its number is appended. */
async function mergeText({ name, chunks, onlyModule }, { root, outputs, options }) {
  const lines = chunks.map((chunk, number) => {
    const names = outputs[chunk].exports.map((one) => `${one} as ${makeExportName(one, number)}`)
    return `export { ${names.join(', ')} } from './${path.basename(chunk)}'`
  })
  if (onlyModule !== undefined)
    lines.push(`export { ${outputs[onlyModule].exports.join(', ')} } from './${path.basename(onlyModule)}'`)
  const inside = new Set(
    [...chunks, ...(onlyModule === undefined ? [] : [onlyModule])].map((file) => `./${path.basename(file)}`)
  )
  const elsewhere = {
    name: 'elsewhere',
    setup: ({ onResolve }) =>
      onResolve({ filter: /./ }, (asked) =>
        inside.has(asked.path) && asked.kind === 'import-statement' ? undefined : { path: asked.path, external: true }
      )
  }
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: lines.join('\n'), resolveDir: path.join(root, path.dirname(chunks[0])) },
    plugins: [elsewhere],
    write: false
  })
  return [name, outputFiles[0].text]
}

function makeExportName(name, number) {
  return `${name}$${number}`
}

/** Static imports of merged chunks, as the bundler writes them without whitespace. */
const IMPORT = /import(?:\{([^}]*)\}from)?"\.\/(chunk-[A-Z0-9]+\.js)";/g

/** Replaces the imports of merged chunks in a text by one import of each merged file. */
function redirectImports(text, places) {
  const wanted = new Map()
  const rest = text.replaceAll(IMPORT, (whole, names, chunk) => {
    const place = places.get(chunk)
    if (place === undefined) return whole
    if (place.isEmpty) return ''
    const found = names === undefined ? [] : names.split(',').map((one) => renameImport(one, place.number))
    wanted.set(place.name, [...(wanted.get(place.name) ?? []), ...found])
    return ''
  })
  const imports = [...wanted].map(([name, names]) =>
    names.length === 0 ? `import"./${name}";` : `import{${names.join(',')}}from"./${name}";`
  )
  // An executable file begins with the line for its interpreter.
  const start = /^(?:#![^\n]*\n)?/.exec(rest)[0]
  return `${start}${imports.join('')}${rest.slice(start.length)}`
}

function redirectModule(text, [name, onlyModule]) {
  return text.replaceAll(`import("./${path.basename(onlyModule)}")`, `import("./${name}")`)
}

function renameImport(name, number) {
  const [theirs, ours = theirs] = name.split(' as ')
  return `${makeExportName(theirs, number)} as ${ours}`
}
