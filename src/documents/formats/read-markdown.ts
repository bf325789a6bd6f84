import type { DocumentText } from '../port/document-reader.ts'
import { decodeText } from './decode-text.ts'

/**
 * Reads Markdown as it is, without pictures: an export of Google Docs has them at its end, encoded as text. Backslash escapes outside of
 * blocks of code (https://spec.commonmark.org/0.31.2/#backslash-escapes) are removed: such exports escape every full stop and dash.
 */
export function readMarkdown(bytes: Uint8Array): DocumentText {
  const lines: string[] = []
  let isCode = false
  for (const line of decodeText(bytes, 'plain').split('\n')) {
    if (/^\s{0,3}(```|~~~)/.test(line)) isCode = !isCode
    if (isCode) lines.push(line)
    else if (!PICTURE.test(line)) lines.push(plainLine(line))
  }
  return { text: lines.join('\n'), cut: false }
}

/** A link definition whose target is the bytes of a picture. */
const PICTURE = /^\s{0,3}\[[^\]]{1,200}\]:\s*<?data:/

function plainLine(line: string): string {
  return line.replace(/!\[([^\]]{0,1000})\](\[[^\]]{0,200}\]|\(data:[^)\s]*\))/g, '$1').replace(/\\([-.!+=#&~])/g, '$1')
}
