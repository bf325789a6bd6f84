import { jsonText } from '../output/json-text.ts'
import { pickFields } from '../output/pick-fields.ts'
import { toPlainText } from '../output/to-plain-text.ts'

export type ReplyTextOptions = { fields: readonly string[] | undefined; indent: number }

/**
 * Formats the body of a reply so that it cannot control a terminal: indents JSON and keeps only the given fields; removes control
 * characters from other text.
 */
export function replyText(text: string, { fields, indent }: ReplyTextOptions): string {
  const json = parseReply(text)
  if (json !== undefined)
    return `${jsonText(fields === undefined ? json.value : pickMembers(json.value, fields), indent)}\n`
  return text === '' ? '' : `${toPlainText(text).trimEnd()}\n`
}

function parseReply(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function pickMembers(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => pickMembers(one, fields))
  return typeof value === 'object' && value !== null ? pickFields({ ...value }, fields) : value
}
