import { FAULTS } from '../../../contract/faults.ts'
import type { Context } from '../../command/context.ts'
import type { ListView } from '../../output/result-writer.ts'

/** An exit code with a fault that gives it. */
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

/** Exit codes with the faults that give them, from the table of faults. */
export function exitCodeRows(): ExitCodeRow[] {
  const faults = Object.entries(FAULTS).map(([code, row]): ExitCodeRow => {
    return { exit_code: row.exit, code, http_status: row.status, retryable: row.retryable, means: row.means }
  })
  const success = {
    exit_code: 0,
    code: 'success',
    http_status: null,
    retryable: false,
    means: 'done; an empty result is success too'
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
  json: (row) => row
}
