import { tooLarge, utf8Text } from './read-file.ts'

/** No line of input is longer. In bytes. */
const LINE_BYTES_MAX = 16 << 20

const LF = 0x0a

/** Lines of a stream without their LF, each as soon as it is whole. They must be UTF-8. */
export async function* readLines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let parts: Uint8Array[] = []
  for await (const chunk of stream) {
    let rest = chunk
    for (let end = rest.indexOf(LF); end >= 0; end = rest.indexOf(LF)) {
      yield lineText([...parts, rest.subarray(0, end)])
      parts = []
      rest = rest.subarray(end + 1)
    }
    if (rest.length > 0) parts.push(rest)
    checkLength(parts)
  }
  if (parts.length > 0) yield lineText(parts)
}

function lineText(parts: readonly Uint8Array[]): string {
  checkLength(parts)
  return utf8Text(Buffer.concat(parts), 'stdin')
}

function checkLength(parts: readonly Uint8Array[]): void {
  const size = parts.reduce((sum, part) => sum + part.length, 0)
  if (size > LINE_BYTES_MAX) throw tooLarge('a line of stdin', LINE_BYTES_MAX)
}
