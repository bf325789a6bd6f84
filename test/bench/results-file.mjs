import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import os from 'node:os'

const path = new URL('./RESULTS.md', import.meta.url)

const OPENING = `# Measurements

Each section gives its date, command and machine. Machines differ: compare ratios of one run,
not times of different runs.
`

/** Writes a section of RESULTS.md: replaces the one with the same title, or appends it. */
export function keepResults(title, command, lines) {
  const old = existsSync(path) ? readFileSync(path, 'utf8') : OPENING
  const [opening, ...sections] = old.split(/^(?=## )/m)
  const made = `${new Date().toISOString().slice(0, 10)} · \`${command}\` · Node ${process.versions.node}, ${machine()}`
  const section = `## ${title}\n\n${made}\n\n${lines.join('\n')}\n`
  const at = sections.findIndex((text) => text.startsWith(`## ${title}\n`))
  if (at < 0) sections.push(section)
  else sections[at] = section
  writeFileSync(path, [opening.trimEnd(), ...sections.map((text) => text.trimEnd())].join('\n\n').concat('\n'))
}

/** Formats rows of cells as a Markdown table; the first row is its header. */
export function table([head, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)]
}

function machine() {
  const [cpu] = os.cpus()
  return `${os.cpus().length} × ${cpu?.model.trim() ?? 'unknown'}, ${os.platform()}`
}
