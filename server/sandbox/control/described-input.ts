import type { z } from 'zod'
import { ControlFlaw } from './control-flaw.ts'

/**
 * What was sent, as its schema describes it.
 *
 * @throws ControlFlaw 422, naming the first thing that is wrong
 */
export function describedInput<S extends z.ZodType>(input: unknown, schema: S, hint: string): z.output<S> {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : issue.path.join('.')
  throw new ControlFlaw(422, `${where}: ${issue?.message ?? 'it is not as it has to be'}`, hint)
}
