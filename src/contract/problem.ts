import * as z from 'zod'
import { FAULTS, type FaultCode } from './faults.ts'
import { Flag, Text, TextList, TextOrNull } from './plain-shapes.ts'

/** How a fault looks where it leaves the program: one line of the command line, or the body of a reply. */

const Code = z.enum(Object.keys(FAULTS) as [FaultCode, ...FaultCode[]])

/** What the command line says on stderr, in one line, when it fails in JSON mode. */
export const FailureLine = z.strictObject({
  error: z.strictObject({
    code: Code,
    message: Text,
    hint: TextOrNull,
    exit_code: z.int().min(1).max(255),
    http_status: z.int().min(200).max(599).nullable(),
    retryable: Flag,
    /** Commands to go on with. */
    next: TextList
  })
})

/** Problem details (RFC 9457), the body of every reply that reports an error: `application/problem+json`. */
export const Problem = z.looseObject({
  type: z.string().meta({ description: 'Where the code is told of, relative to the server.' }),
  title: Text,
  status: z.int().min(400).max(599),
  detail: z.string().meta({ description: 'What failed, on what and why, for a person.' }),
  code: Code.meta({ description: 'Stable, for programs.' }),
  hint: z.string().optional().meta({ description: 'What mends it.' }),
  errors: z
    .array(z.object({ path: Text, message: Text }))
    .optional()
    .meta({ description: 'What is wrong with the input, the first ones by path, as in `grants[0].permission`.' }),
  instance: z.string().optional().meta({ description: 'A URN that ends with the id of the request.' })
})

export type FailureLine = z.infer<typeof FailureLine>
export type Problem = z.infer<typeof Problem>
