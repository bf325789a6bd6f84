import { masked, readMask } from '../google-mask.ts'
import { invalidFields } from './google-error.ts'

/** A reply with the members that were asked for, or the usual ones. */
export function partial(query: URLSearchParams, value: unknown, usual: string): Response {
  const fields = query.get('fields') ?? usual
  const mask = fields === '*' ? 'all' : readMask(fields)
  return mask === undefined ? invalidFields(fields) : Response.json(masked(value, mask))
}

/** How many are wanted; undefined where that is out of bounds. */
export function sizeOf(query: URLSearchParams, { usual, most }: { usual: number; most: number }): number | undefined {
  const said = query.get('pageSize')
  if (said === null) return usual
  const size = /^\d{1,5}$/.test(said) ? Number(said) : 0
  return size >= 1 && size <= most ? size : undefined
}
