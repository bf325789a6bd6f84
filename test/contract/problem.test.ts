import { expect, test } from 'vitest'
import { reportFailure } from '../../src/cli/program/report-failure.ts'
import { FAULTS, Fault, type FaultCode } from '../../src/contract/faults.ts'
import { FailureLine, Problem } from '../../src/contract/problem.ts'
import type { Output } from '../../src/ports.ts'

const CODES = Object.keys(FAULTS) as FaultCode[]

function outputTo(written: string[]): Output {
  const write = async (text: string | Uint8Array): Promise<void> => void written.push(String(text))
  return { isTerminal: false, columns: 80, rows: 24, colors: false, closed: false, write }
}

test.each(CODES)('writes a %s fault to stderr in the documented form', async (code) => {
  const written: string[] = []
  const fault = new Fault(code, 'it failed', { hint: 'mend it', next: ['memctl help'] })
  const exit = await reportFailure(fault, outputTo(written), { json: true, debug: false, colors: false })
  const [line = '', ...more] = written.join('').trimEnd().split('\n')
  expect(more).toEqual([])
  expect(FailureLine.parse(JSON.parse(line)).error).toMatchObject({ code, exit_code: exit, hint: 'mend it' })
})

test('rejects a failure line with an unknown code', () => {
  const error = { message: '', hint: null, exit_code: 1, http_status: 500, retryable: false, next: [] }
  expect(FailureLine.safeParse({ error: { ...error, code: 'internal' } }).success).toBe(true)
  expect(FailureLine.safeParse({ error: { ...error, code: 'unheard_of' } }).success).toBe(false)
})

test('requires the detail and the code of problem details, and accepts more members', () => {
  const problem = { type: 'about:blank', title: 'Not found', status: 404, detail: 'no such memory', code: 'not_found' }
  expect(Problem.parse({ ...problem, instance: '/v1/memories' })).toMatchObject(problem)
  expect(Problem.safeParse({ ...problem, detail: undefined }).success).toBe(false)
  expect(Problem.safeParse({ ...problem, status: 200 }).success).toBe(false)
})
