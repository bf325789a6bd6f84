import { Buffer } from 'node:buffer'
import type { z } from 'zod'
import { parseJson } from './parse-value.ts'

/** What the interface of providers allows (`PageFrom`). */
export const CURSOR_BYTES_MAX = 64 * 1024

/** What the text of a cursor says; undefined where it is too long, or none that fits the schema. */
export function readCursorText<S extends z.ZodType>(text: string, schema: S): z.output<S> | undefined {
  const bytes = Buffer.from(text)
  return bytes.length > CURSOR_BYTES_MAX ? undefined : schema.safeParse(parseJson(bytes)).data
}
