import { Buffer } from 'node:buffer'
import { decodedBody, decodedWords, parameterOf } from './mime-words.ts'

/** A part of a message, as the tree of `format=full` has it before it is made JSON. */
export type MimePart = {
  /** As in `0.1`; empty for the message itself. */
  partId: string
  mimeType: string
  filename: string
  headers: readonly { name: string; value: string }[]
  /** Decoded; empty where it consists of parts. */
  bytes: Uint8Array
  parts: readonly MimePart[]
}

const DEPTH_MAX = 20
const PARTS_MAX = 200

/** The parts of a message, however broken it is: what makes no sense is a part of text. */
export function mimeTree(raw: Uint8Array): MimePart {
  return partOf(Buffer.from(raw).toString('latin1'), '', 0)
}

/** A part and all below it. */
export function allParts(part: MimePart): MimePart[] {
  return [part, ...part.parts.flatMap(allParts)]
}

/** The value of a header; the first one where there are several. */
export function headerOf({ headers }: Pick<MimePart, 'headers'>, name: string): string | undefined {
  return headers.find((header) => header.name.toLowerCase() === name)?.value
}

function partOf(text: string, partId: string, depth: number): MimePart {
  const { headers, body } = split(text)
  const type = headerOf({ headers }, 'content-type') ?? 'text/plain'
  const disposition = headerOf({ headers }, 'content-disposition') ?? ''
  const mimeType = /^\s*([\w.+-]+\/[\w.+-]+)/.exec(type)?.[1]?.toLowerCase() ?? 'text/plain'
  const filename = parameterOf(disposition, 'filename') ?? parameterOf(type, 'name') ?? ''
  const boundary = mimeType.startsWith('multipart/') ? parameterOf(type, 'boundary') : undefined
  const made = { partId, mimeType, filename, headers }
  if (boundary === undefined || depth >= DEPTH_MAX)
    return { ...made, bytes: decodedBody(body, headerOf({ headers }, 'content-transfer-encoding')), parts: [] }
  const parts = piecesOf(body, boundary).map((piece, at) =>
    partOf(piece, partId === '' ? `${at}` : `${partId}.${at}`, depth + 1)
  )
  return { ...made, bytes: new Uint8Array(), parts }
}

function split(text: string): { headers: MimePart['headers']; body: string } {
  const end = /\r?\n\r?\n/.exec(text)
  const head = end === null ? text : text.slice(0, end.index)
  const body = end === null ? '' : text.slice(end.index + end[0].length)
  if (/^\r?\n/.test(text)) return { headers: [], body: text.replace(/^\r?\n/, '') }
  const lines = head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)
  const headers = lines.flatMap((line) => {
    const found = /^([!-9;-~]{1,100}):[ \t]*(.*)$/.exec(line)
    return found === null ? [] : [{ name: found[1] ?? '', value: decodedWords(found[2] ?? '') }]
  })
  return { headers, body }
}

/** What stands between the boundaries of a multipart (RFC 2046 section 5.1.1). One that is never closed ends with the message. */
function piecesOf(body: string, boundary: string): string[] {
  const pieces: string[][] = []
  for (const line of body.split('\n')) {
    const bare = line.replace(/[ \t\r]+$/, '')
    if (bare === `--${boundary}--`) break
    if (bare === `--${boundary}`) {
      if (pieces.length === PARTS_MAX) break
      pieces.push([])
    } else pieces.at(-1)?.push(line)
  }
  return pieces.map((lines) => lines.join('\n').replace(/\r$/, ''))
}
