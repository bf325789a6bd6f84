import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/**
 * The copyright lines of packages under the MIT licence that come without its text, with those of what they took over: as
 * their repositories have them.
 */
const COPYRIGHTS = {
  // https://github.com/cfworker/cfworker: LICENSE.md, THIRD_PARTY_NOTICES.md
  '@cfworker/json-schema': [
    'Copyright (c) 2020 Jeremy Danyow',
    'Copyright (c) 2015-2021 Evgeny Poberezkin (ajv: format.ts)',
    'Copyright Mathias Bynens <https://mathiasbynens.be/> (punycode.js: ucs2-length.ts)'
  ]
}

/** The licence texts of packages, which are named by their folders. One of which there is none stops the build. `root` has our own. */
export async function packageNotices(root, folders) {
  const own = await readFile(path.join(root, 'LICENSE'), 'utf8')
  const sections = await Promise.all([...new Set(folders)].sort().map((folder) => notice(folder, own)))
  return `memctl contains the following packages.\n\n${sections.join('\n')}`
}

async function notice(folder, own) {
  const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'))
  const texts = await licencesIn(folder)
  if (texts.length === 0 && license === 'MIT' && COPYRIGHTS[name]) texts.push(mitLicence(COPYRIGHTS[name], own))
  if (texts.length === 0) throw new Error(`${name} is bundled but has no licence`)
  return `${'='.repeat(80)}\n${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`
}

async function licencesIn(folder) {
  const all = await readdir(folder)
  const files = all.filter((file) => /^(licen[cs]e|copying|notice)/i.test(file)).sort()
  if (files.length > 0) return await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')))
  const readme = all.find((file) => /^readme/i.test(file))
  return readme === undefined ? [] : licenceIn(await readFile(path.join(folder, readme), 'utf8'))
}

/** The last part of a readme, where that is the licence as a whole and not just its name. */
function licenceIn(readme) {
  const part = /^#+ *Licen[cs]e *$\s*([^#]*)$(?![\s\S])/im.exec(readme)?.[1] ?? ''
  return part.includes('Permission is hereby granted') ? [part] : []
}

/** Our own licence is the same one, but for whose it is. */
function mitLicence(copyrights, own) {
  if (!/^MIT License\n\nCopyright /.test(own))
    throw new Error('LICENSE is no longer that of the MIT: its text is needed here')
  return own.replace(/^Copyright .*$/m, copyrights.join('\n'))
}
