import type { Read } from '../read-document.ts'
import { decodeText } from './decode-text.ts'

/**
 * Markdown as it stands, without pictures: an export of Google Docs holds them at its end, whole and as text. What is escaped for Markdown's
 * sake outside of blocks of code (https://spec.commonmark.org/0.31.2/#backslash-escapes), as such exports do with every full stop and dash, is
 * written as people would.
 */
export function readMarkdown(bytes: Uint8Array): Read {
  const lines: string[] = []
  let isCode = false
  for (const line of decodeText(bytes, 'plain').split('\n')) {
    if (/^\s{0,3}(```|~~~)/.test(line)) isCode = !isCode
    if (isCode) lines.push(line)
    else if (!PICTURE.test(line)) lines.push(plainLine(line))
  }
  return { text: lines.join('\n') }
}

/** A definition of a link whose target is a picture's bytes. */
const PICTURE = /^\s{0,3}\[[^\]]{1,200}\]:\s*<?data:/

function plainLine(line: string): string {
  return line.replace(/!\[([^\]]{0,1000})\](\[[^\]]{0,200}\]|\(data:[^)\s]*\))/g, '$1').replace(/\\([-.!+=#&~])/g, '$1')
}
