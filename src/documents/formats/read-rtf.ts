import { Buffer } from 'node:buffer'
import type { DocumentText } from '../port/document-reader.ts'
import { unreadableError } from '../port/unreadable-error.ts'
import { decodeWindows1252 } from './decode-text.ts'
import { TEXT_BYTES_MAX } from './limit-text.ts'

/*
 * The RTF packages on npm convert to HTML through a tree, have no limits, or are unmaintained. Only text is needed
 * here: groups without text are skipped, and every other control word is ignored.
 */

/** Groups may be nested this deep: far deeper than programs write them. */
const DEPTH_MAX = 2000

/** A brace, a control word with its number, a byte in hexadecimal, another control symbol, or plain text; line ends mean nothing. */
const TOKEN = /[{}]|\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|[^{}\\\r\n]+/gi

/** Destinations that contain no text of the document (RTF 1.9.1, "Destinations"). */
const HIDDEN = new Set(
  'fonttbl colortbl stylesheet listtable listoverridetable rsidtbl generator info pict object themedata colorschememapping datastore latentstyles header headerl headerr headerf footer footerl footerr footerf fldinst bkmkstart bkmkend annotation atnid atnauthor atndate xmlnstbl mmathPr pntext pntxta pntxtb nonshppict listtext revtbl filetbl'.split(
    ' '
  )
)

const SYMBOLS: Readonly<Record<string, string>> = {
  par: '\n\n',
  sect: '\n\n',
  page: '\n\n',
  line: '\n',
  tab: ' ',
  cell: ' | ',
  row: '\n',
  emdash: '—',
  endash: '–',
  emspace: ' ',
  enspace: ' ',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  '~': ' ',
  _: '-',
  '\r': '\n\n',
  '\n': '\n\n',
  '{': '{',
  '}': '}',
  '\\': '\\'
}

/**
 * `fallback`: the number of characters after a Unicode character that replace it in older programs. They are skipped.
 */
type Group = { isHidden: boolean; fallback: number }

type Reading = { groups: Group[]; group: Group; skip: number; output: Output }

/** Reads the text of an RTF file (Rich Text Format 1.9.1), without its header and footer, pictures and formatting. */
export function readRtf(bytes: Uint8Array): DocumentText {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
  if (!source.startsWith('{\\rtf')) throw unreadableError('it is not an RTF file')
  const output = createOutput()
  const reading: Reading = { groups: [], group: { isHidden: false, fallback: 1 }, skip: 0, output }
  const tokens = new RegExp(TOKEN)
  for (let token = tokens.exec(source); token !== null && !output.isFull(); token = tokens.exec(source)) {
    const [whole, word, number, hex, symbol] = token
    // The bytes of a picture are not text, whatever they look like.
    if (word === 'bin') tokens.lastIndex += Math.max(Number(number ?? 0), 0)
    else if (whole === '{' || whole === '}') changeGroup(reading, whole)
    else if (word !== undefined) applyWord(reading, word, number)
    else if (symbol === '*') reading.group.isHidden = true
    else if (!reading.group.isHidden) addCharacters(reading, { whole, hex, symbol })
  }
  return { text: output.join(), cut: output.isFull() }
}

function changeGroup(reading: Reading, brace: string): void {
  const { groups, group } = reading
  reading.skip = 0
  if (brace === '}') reading.group = groups.pop() ?? group
  else if (groups.push(group) > DEPTH_MAX) throw unreadableError('it is a damaged RTF file')
  else reading.group = { ...group }
}

function applyWord(reading: Reading, word: string, number: string | undefined): void {
  const { group, output } = reading
  if (word === 'ansicpg') output.setCodePage(Number(number))
  else if (word === 'uc') group.fallback = Math.max(Number(number ?? 1), 0)
  else if (HIDDEN.has(word)) group.isHidden = true
  else if (group.isHidden) return
  else if (word === 'u') {
    output.addText(String.fromCharCode(Number(number ?? 0) & 0xffff))
    reading.skip = group.fallback
  } else output.addText(SYMBOLS[word] ?? '')
}

type Characters = { whole: string; hex: string | undefined; symbol: string | undefined }

/** Adds characters, except those that are a fallback for a character given by its number. */
function addCharacters(reading: Reading, { whole, hex, symbol }: Characters): void {
  const { output, skip } = reading
  const isOne = hex !== undefined || symbol !== undefined
  const count = isOne ? 1 : whole.length
  reading.skip = Math.max(skip - count, 0)
  if (skip >= count) return
  if (hex !== undefined) output.addByte(Number.parseInt(hex, 16))
  else if (symbol !== undefined) output.addText(SYMBOLS[symbol] ?? '')
  else output.addPlain(whole.slice(skip))
}

type Output = ReturnType<typeof createOutput>

/** Collects text and bytes; bytes are decoded together, since a character may have two. */
function createOutput() {
  const parts: string[] = []
  let bytes: number[] = []
  let decode = decodeWindows1252
  let length = 0
  const flush = (): void => {
    if (bytes.length === 0) return
    parts.push(decode(Uint8Array.from(bytes)))
    bytes = []
  }
  const addText = (text: string): void => {
    flush()
    parts.push(text)
    length += text.length
  }
  const addByte = (byte: number): void => {
    bytes.push(byte)
    length += 1
  }
  return {
    addText,
    addByte,
    /** Adds text as it is in the file, which is ASCII as a rule. */
    addPlain(text: string): void {
      if (/^[\x20-\x7e]*$/.test(text)) addText(text)
      else for (const letter of text) addByte(letter.charCodeAt(0))
    },
    setCodePage(number: number): void {
      decode = createDecoder(number)
    },
    isFull: () => length > 2 * TEXT_BYTES_MAX,
    join(): string {
      flush()
      const lines = parts.join('').split('\n')
      return lines.map((line) => line.replace(/ \| *$/, '').trim()).join('\n')
    }
  }
}

const EAST_ASIAN: Readonly<Record<number, string>> = { 932: 'shift_jis', 936: 'gbk', 949: 'euc-kr', 950: 'big5' }

/** Creates the decoder of a code page of Windows; that of Western Europe if it is unknown. */
function createDecoder(codePage: number): (bytes: Uint8Array) => string {
  const name = EAST_ASIAN[codePage] ?? (codePage === 65_001 ? 'utf-8' : `windows-${codePage}`)
  try {
    if (codePage === 1252) return decodeWindows1252
    const decoder = new TextDecoder(name)
    return (bytes) => decoder.decode(bytes)
  } catch {
    return decodeWindows1252
  }
}
