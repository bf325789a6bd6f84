/** A fault on the command line: its code and the exit code of the process. */
export type ShownFault = { code: string; exit: number }

/** Returns what the README's table of faults lacks, contradicts or invents. */
export function wrongInReadme(readme: string, faults: readonly ShownFault[]): string[] {
  const rows = faultRows(readme)
  const missing = faults.filter(({ code }) => !rows.some((row) => row.code === code))
  return [
    ...(rows.length === 0
      ? ['no table with the columns code and exit code under a heading about exit codes or faults']
      : []),
    ...missing.map(({ code }) => `${code} is missing`),
    ...rows.flatMap((row, at) => wrongInRow(row, rows.slice(0, at), faults))
  ]
}

function wrongInRow(row: ShownFault, before: readonly ShownFault[], faults: readonly ShownFault[]): string[] {
  const fault = faults.find(({ code }) => code === row.code)
  if (!fault) return [`${row.code} is no fault`]
  if (before.some(({ code }) => code === row.code)) return [`${row.code} stands there twice`]
  return fault.exit === row.exit ? [] : [`${row.code} has exit code ${fault.exit}, not ${row.exit}`]
}

/** Returns the rows of tables with these columns, in sections whose heading mentions exit codes or faults. */
function faultRows(readme: string): ShownFault[] {
  const sections = readme.split(/^(?=#+ )/m).filter((section) => /^#+ .*\b(exit codes?|faults?)\b/i.test(section))
  return sections.flatMap(tablesOf).flatMap((table) => {
    const names = (table[0] ?? []).map((name) => name.toLowerCase())
    const code = names.findIndex((name) => /^`?(code|fault)s?`?$/.test(name))
    const exit = names.findIndex((name) => /^exit( code)?$/.test(name))
    if (code < 0 || exit < 0) return []
    return table.slice(2).map((cells) => ({ code: bare(cells[code]), exit: Number(bare(cells[exit]) || Number.NaN) }))
  })
}

/** Parses tables as rows of cells. The first row has the names, the second the dashes. */
function tablesOf(section: string): string[][][] {
  const blocks = section.match(/(?:^[ \t]*\|.*(?:\n|$))+/gm) ?? []
  return blocks.map((block) => block.trim().split('\n').map(cellsOf))
}

function cellsOf(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => cell.trim())
}

function bare(cell: string | undefined): string {
  return (cell ?? '').replace(/[`*]/g, '').trim()
}
