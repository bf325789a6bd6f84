import { Buffer } from 'node:buffer'

/** Tags of elements: whether one ends, and whether it is empty. */
const TAG = /<(\/?)[^<>!?/][^<>]*?(\/?)>/g

/** How deep elements of XML stand in each other at most, by their tags alone. */
export function xmlDepth(xml: Uint8Array): number {
  const text = Buffer.from(xml.buffer, xml.byteOffset, xml.length).toString('latin1')
  let depth = 0
  let most = 0
  for (const [, end, empty] of text.matchAll(TAG)) {
    if (end !== '') depth -= 1
    else if (empty === '') depth += 1
    if (depth > most) most = depth
  }
  return most
}
