/** What bytes that are no snapshot look like, for the error's sake; undefined where they look like nothing known. */
export function sniff(bytes: Buffer): string | undefined {
  if (bytes.length === 0) return 'the file is empty'
  for (const [name, test] of LOOKS) if (test(bytes)) return name
  return undefined
}

const LOOKS: readonly (readonly [name: string, test: (bytes: Buffer) => boolean])[] = [
  ['it is compressed with gzip: unpack it first', begins([0x1f, 0x8b])],
  ['it is compressed with zstd: unpack it first', begins([0x28, 0xb5, 0x2f, 0xfd])],
  ['it is a ZIP archive: unpack it first', begins([0x50, 0x4b, 0x03, 0x04])],
  ['it is a SQLite database', (bytes) => bytes.toString('latin1', 0, 15) === 'SQLite format 3'],
  ['it is a PDF document', (bytes) => bytes.toString('latin1', 0, 5) === '%PDF-'],
  ['it is UTF-16 text: save it as UTF-8', begins([0xff, 0xfe])],
  ['it is UTF-16 text: save it as UTF-8', begins([0xfe, 0xff])],
  [
    'it begins with a git conflict marker: finish the merge first',
    (bytes) => conflictMarker(bytes, 0, bytes.length) !== undefined
  ],
  ['it has NUL bytes: perhaps UTF-16 text or a binary file', (bytes) => bytes.includes(0)]
]

function begins(magic: readonly number[]): (bytes: Buffer) => boolean {
  return (bytes) => magic.every((byte, i) => bytes[i] === byte)
}

/** The conflict marker that a line begins with, as git leaves it in a file that it could not merge. */
export function conflictMarker(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start < 7) return undefined
  const head = bytes.toString('latin1', start, start + 7)
  return /^(?:<{7}|={7}|>{7}|\|{7})$/.test(head) ? head : undefined
}
