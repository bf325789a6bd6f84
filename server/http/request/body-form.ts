import type { Body } from '../../../src/contract/endpoint.ts'
import { Fault } from '../../../src/contract/faults.ts'

export type BodyForm = 'json' | 'lines' | 'form'

const FORM = 'application/x-www-form-urlencoded'
const LINES = ['application/jsonl', 'application/x-ndjson', 'application/ndjson']

/**
 * Chooses one of the forms of a row for a body, by its headers.
 *
 * @throws Fault `unsupported_media` if the row does not accept the form of the body.
 */
export function chooseForm(headers: Headers, row: Body): BodyForm {
  const encoding = headers.get('content-encoding')?.trim().toLowerCase() ?? 'identity'
  if (encoding !== 'identity')
    throw makeUnsupportedFault('the body has a Content-Encoding, which is not supported', row)
  const { type, charset } = parseMediaType(headers.get('content-type') ?? '')
  if (type === '') throw makeUnsupportedFault('the request has no Content-Type', row)
  if (charset !== undefined && charset !== 'utf-8')
    throw makeUnsupportedFault('the charset of the body is not UTF-8', row)
  if (row.json && type === 'application/json') return 'json'
  if (row.form && type === FORM) return 'form'
  if (row.lines && LINES.includes(type)) return 'lines'
  throw makeUnsupportedFault('the Content-Type of the body is not supported here', row)
}

/** Returns whether a caller prefers lines to JSON. */
export function prefersLines(headers: Headers): boolean {
  const wanted = (headers.get('accept') ?? '').split(',').map(parseAccepted)
  const lines = Math.max(0, ...wanted.filter(({ type }) => LINES.includes(type)).map(({ weight }) => weight))
  const json = Math.max(0, ...wanted.filter(({ type }) => type === 'application/json').map(({ weight }) => weight))
  return lines > 0 && lines >= json
}

function parseMediaType(text: string): { type: string; charset: string | undefined } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))
  return { type, charset: charset?.slice('charset='.length).replaceAll('"', '') }
}

function parseAccepted(text: string): { type: string; weight: number } {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return { type, weight: weight === undefined ? 1 : Number(weight.slice(2)) || 0 }
}

function makeUnsupportedFault(message: string, row: Body): Fault {
  const types = [
    ...(row.json ? ['application/json'] : []),
    ...(row.form ? [FORM] : []),
    ...(row.lines ? ['application/jsonl'] : [])
  ]
  return new Fault('unsupported_media', message, {
    hint: `send an unencoded body with Content-Type: ${types.join(' or ')}`
  })
}
