import { Buffer } from 'node:buffer'
import type { z } from 'zod'
import { parseJson } from './parse-value.ts'

/** The limit of the provider interface (`PageFrom`). */
export const CURSOR_BYTES_MAX = 64 * 1024

/** Parses the text of a cursor, or returns undefined if it is too long or does not match the schema. */
export function readCursorText<S extends z.ZodType>(text: string, schema: S): z.output<S> | undefined {
  const bytes = Buffer.from(text)
  return bytes.length > CURSOR_BYTES_MAX ? undefined : schema.safeParse(parseJson(bytes)).data
}
