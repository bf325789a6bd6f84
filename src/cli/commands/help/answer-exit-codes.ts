import { FAULTS } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import { drawRows, type HelpRow } from '../../output/draw-help.ts'
import type { ListView } from '../../output/result-writer.ts'

/** An exit code with an error that causes it. */
export type ExitCodeRow = {
  exit_code: number
  code: string
  http_status: number | null
  retryable: boolean
  means: string
}

/** `memctl help exit-codes`. */
export async function answerExitCodes({ answer }: Context): Promise<void> {
  await answer.list(exitCodeRows(), VIEW)
}

/** Lists the exit codes with the errors that cause them, from the table of faults. */
export function exitCodeRows(): ExitCodeRow[] {
  const faults = Object.entries(FAULTS).map(([code, row]): ExitCodeRow => {
    return { exit_code: row.exit, code, http_status: row.status, retryable: row.retryable, means: row.means }
  })
  const success = {
    exit_code: 0,
    code: 'success',
    http_status: null,
    retryable: false,
    means: 'success; also with an empty result'
  }
  return [success, ...faults.toSorted((a, b) => a.exit_code - b.exit_code)]
}

const VIEW: ListView<ExitCodeRow> = {
  columns: [
    { name: 'exit_code', value: (row) => row.exit_code },
    { name: 'code', value: (row) => row.code },
    { name: 'http_status', value: (row) => row.http_status, pipeOnly: true },
    { name: 'retryable', value: (row) => row.retryable, format: (row) => (row.retryable ? 'yes' : 'no'), leaves: 1 },
    { name: 'means', value: (row) => row.means, flexible: true }
  ],
  json: (row) => row,
  lines: (rows, { columns }) => drawRows(rows.map(toHelpRow), columns).map((line) => [line])
}

function toHelpRow({ exit_code, code, means, retryable }: ExitCodeRow): HelpRow {
  return [`${String(exit_code).padStart(3)}  ${code}`, retryable ? `${means} (a retry may help)` : means]
}
