import { childrenOf, type DriveContent, type DriveNode, isTrashed } from './content.ts'

/** A query of files that was understood: who may match at all, if few, and who does. */
export type FileQuery = {
  candidates(content: DriveContent): Set<string> | undefined
  matches(content: DriveContent, node: DriveNode): boolean
}

/**
 * The part of the query language that programs which only read need
 * (https://developers.google.com/workspace/drive/api/guides/ref-search-terms); undefined for everything else, which is refused.
 */
export function readQuery(text: string): FileQuery | undefined {
  const words = text.match(/'(?:\\.|[^'\\])*'|!=|=|\(|\)|[A-Za-z]+/g) ?? []
  const plain = (letters: string) => letters.replace(/\s/g, '')
  if (plain(words.join('')) !== plain(text)) return undefined
  const reader = { words, at: 0 }
  const query = readEither(reader)
  return reader.at === words.length ? query : undefined
}

type Reader = { words: string[]; at: number }

function readEither(reader: Reader): FileQuery | undefined {
  const all = readChain(reader, { word: 'or', read: readBoth })
  if (all === undefined || all.length === 1) return all?.[0]
  return {
    candidates(content) {
      const found = all.map((one) => one.candidates(content))
      return found.every((set) => set !== undefined) ? new Set(found.flatMap((set) => [...set])) : undefined
    },
    matches: (content, node) => all.some((one) => one.matches(content, node))
  }
}

function readBoth(reader: Reader): FileQuery | undefined {
  const all = readChain(reader, { word: 'and', read: readTerm })
  if (all === undefined || all.length === 1) return all?.[0]
  return {
    candidates: (content) => all.map((one) => one.candidates(content)).find((set) => set !== undefined),
    matches: (content, node) => all.every((one) => one.matches(content, node))
  }
}

function readChain(
  reader: Reader,
  { word, read }: { word: string; read: (reader: Reader) => FileQuery | undefined }
): FileQuery[] | undefined {
  const all: FileQuery[] = []
  for (;;) {
    const one = read(reader)
    if (one === undefined) return undefined
    all.push(one)
    if (reader.words[reader.at]?.toLowerCase() !== word) return all
    reader.at += 1
  }
}

function readTerm(reader: Reader): FileQuery | undefined {
  if (reader.words[reader.at] !== '(') return readComparison(reader)
  reader.at += 1
  const inner = readEither(reader)
  if (reader.words[reader.at] !== ')') return undefined
  reader.at += 1
  return inner
}

function readComparison(reader: Reader): FileQuery | undefined {
  const [left = '', operator = '', right = ''] = reader.words.slice(reader.at, reader.at + 3)
  reader.at += 3
  if (left.startsWith("'") && operator === 'in' && right === 'parents') return inParents(textOf(left))
  return COMPARISONS[`${left} ${operator}`]?.(right.startsWith("'") ? textOf(right) : right)
}

function inParents(id: string): FileQuery {
  const idIn = (content: DriveContent) => (id === 'root' ? content.root : id)
  return {
    candidates: (content) => childrenOf(content, idIn(content)),
    matches: (content, node) => node.parent === idIn(content)
  }
}

const COMPARISONS: Readonly<Record<string, (value: string) => FileQuery | undefined>> = {
  'mimeType =': (value) => test((_, node) => node.mimeType === value),
  'mimeType !=': (value) => test((_, node) => node.mimeType !== value),
  'name =': (value) => test((_, node) => node.name === value),
  'name contains': (value) => test((_, node) => node.name.toLowerCase().includes(value.toLowerCase())),
  'trashed =': (value) => test((content, node) => String(isTrashed(content, node)) === value),
  'sharedWithMe =': (value) => test((content, node) => String(isShared(content, node)) === value)
}

function test(matches: FileQuery['matches']): FileQuery {
  return { candidates: () => undefined, matches }
}

function isShared({ root }: DriveContent, { id, parent, driveId }: DriveNode): boolean {
  return id !== root && parent === undefined && driveId === undefined
}

function textOf(quoted: string): string {
  return quoted.slice(1, -1).replace(/\\(.)/g, '$1')
}
