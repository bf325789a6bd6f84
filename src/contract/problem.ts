import * as z from 'zod'
import { FAULTS, type FaultCode } from './faults.ts'
import { Flag, Text, TextList, TextOrNull } from './plain-shapes.ts'
import { PROBLEM_CODES } from './problem-code.ts'

/** The form in which a fault leaves the program: as one line of the command line, or as the body of a reply. */

const Code = z.enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]])

/** The line that the command line writes to stderr when it fails in JSON mode. */
export const FailureLine = z.strictObject({
  error: z.strictObject({
    code: Code,
    message: Text,
    hint: TextOrNull,
    exit_code: z.int().min(1).max(255),
    http_status: z.int().min(200).max(599).nullable(),
    retryable: Flag,
    /** Commands that may follow. */
    next: TextList
  })
})

/** Problem details (RFC 9457), the body of every reply that reports an error: `application/problem+json`. */
export const Problem = z.looseObject({
  type: z.string().meta({ description: 'A link to the description of the code, relative to the server.' }),
  title: Text,
  status: z.int().min(400).max(599),
  detail: z.string().meta({ description: 'What failed and why, for a person.' }),
  code: z.enum(PROBLEM_CODES).meta({ description: 'Stable; programs can rely on it.' }),
  hint: z.string().optional().meta({ description: 'How to fix the problem, often a command.' }),
  errors: z
    .array(z.object({ path: Text, message: Text }))
    .optional()
    .meta({ description: 'The errors in the input, the first ones ordered by path, as in `grants[0].permission`.' }),
  instance: z.string().optional().meta({ description: 'A URN that ends with the id of the request.' })
})

export type FailureLine = z.infer<typeof FailureLine>
export type Problem = z.infer<typeof Problem>
