/** A fault on the command line: its code, the exit code of the process and its meaning. */
export type ShownFault = { code: string; exit: number; means: string }

/** Returns what is missing from a document's table of error codes, wrong in it, or unknown. */
export function findWrongCodes(document: string, faults: readonly ShownFault[]): string[] {
  const rows = faultRows(document)
  const missing = faults.filter(({ code }) => !rows.some((row) => row.code === code))
  return [
    ...(rows.length === 0
      ? ['no table with the columns code, exit and meaning under a heading about error codes']
      : []),
    ...missing.map(({ code }) => `${code} is missing`),
    ...rows.flatMap((row, at) => wrongInRow(row, rows.slice(0, at), faults))
  ]
}

function wrongInRow(row: ShownFault, before: readonly ShownFault[], faults: readonly ShownFault[]): string[] {
  const fault = faults.find(({ code }) => code === row.code)
  if (!fault) return [`${row.code} is unknown`]
  if (before.some(({ code }) => code === row.code)) return [`${row.code} is listed twice`]
  if (fault.exit !== row.exit) return [`${row.code} has exit code ${fault.exit}, not ${row.exit}`]
  return bare(fault.means) === row.means ? [] : [`${row.code} means '${fault.means}'`]
}

/** Returns the rows of tables with these columns, in sections whose heading mentions error codes. */
function faultRows(document: string): ShownFault[] {
  const sections = document.split(/^(?=#+ )/m).filter((section) => /^#+ .*\berror codes?\b/i.test(section))
  return sections.flatMap(tablesOf).flatMap((table) => {
    const names = (table[0] ?? []).map((name) => name.toLowerCase())
    const code = names.findIndex((name) => /^`?(code|fault)s?`?$/.test(name))
    const exit = names.findIndex((name) => /^exit( code)?$/.test(name))
    const means = names.indexOf('meaning')
    if (code < 0 || exit < 0 || means < 0) return []
    return table.slice(2).map((cells) => ({
      code: bare(cells[code]),
      exit: Number(bare(cells[exit]) || Number.NaN),
      means: bare(cells[means])
    }))
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
