import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The copyright lines of MIT-licensed packages without a license text, including those of code they contain, from their
 * repositories.
 */
const COPYRIGHTS = {
  // https://github.com/cfworker/cfworker: LICENSE.md, THIRD_PARTY_NOTICES.md
  '@cfworker/json-schema': [
    'Copyright (c) 2020 Jeremy Danyow',
    'Copyright (c) 2015-2021 Evgeny Poberezkin (ajv: format.ts)',
    'Copyright Mathias Bynens <https://mathiasbynens.be/> (punycode.js: ucs2-length.ts)'
  ]
}

/**
 * Returns the license texts of packages, given by their folders. A package without one fails the build. `root` contains
 * our own license.
 */
export async function packageNotices(root, folders) {
  const own = await readFile(path.join(root, 'LICENSE'), 'utf8')
  const sections = await Promise.all([...new Set(folders)].sort().map((folder) => notice(folder, own)))
  return `memctl contains the following packages.\n\n${sections.join('\n')}`
}

async function notice(folder, own) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  const texts = await licencesIn(folder)
  if (texts.length === 0 && license === 'MIT' && COPYRIGHTS[name]) texts.push(mitLicence(COPYRIGHTS[name], own))
  if (texts.length === 0) throw new Error(`${name} is bundled but has no license text`)
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
}

async function licencesIn(folder) {
  const all = await readdir(folder)
  const files = all.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort()
  if (files.length > 0) return await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  const readme = all.find((file) => /^readme/i.test(file))
  return readme === undefined ? [] : licenceIn(await readFile(path.join(folder, readme), 'utf8'))
}

/** Returns the last section of a readme, if it contains the whole license and not only its name. */
function licenceIn(readme) {
  const part = /^#+ *Licen[cs]e *$\s*([^#]*)$(?![\s\S])/im.exec(readme)?.[1] ?? ''
  return part.includes('Permission is hereby granted') ? [part] : []
}

/** Derives an MIT license from our own by replacing the copyright lines. */
function mitLicence(copyrights, own) {
  if (!/^MIT License\n\nCopyright /.test(own))
    throw new Error('LICENSE is no longer the MIT license: add the license text here')
  return own.replace(/^Copyright .*$/m, copyrights.join('\n'))
}
