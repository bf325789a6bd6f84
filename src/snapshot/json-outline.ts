const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a

/** Follows brackets and quotes to where a value ends. Whether what stands inside is JSON is for the judge to say. */
export type JsonOutline = {
  /** Takes the next byte. True when the value ended before it. */
  isOver(byte: number): boolean
}

/** An outline that stands before the first byte of a value. */
export function createJsonOutline(): JsonOutline {
  let depth = 0
  let inString = false
  let escaped = false
  let done = false

  const inside = (byte: number): void => {
    if (escaped) escaped = false
    else if (byte === BACKSLASH) escaped = true
    else if (byte === QUOTE) {
      inString = false
      done = depth === 0
    }
  }

  return {
    isOver(byte) {
      if (done) return true
      if (inString) {
        inside(byte)
        return false
      }
      if (byte === QUOTE) inString = true
      else if (isOpening(byte)) depth++
      else if (isClosing(byte)) {
        if (depth === 0) return true
        depth--
        done = depth === 0
      } else return depth === 0 && isDelimiter(byte)
      return false
    }
  }
}

function isOpening(byte: number): boolean {
  return byte === 0x7b || byte === 0x5b
}

function isClosing(byte: number): boolean {
  return byte === 0x7d || byte === 0x5d
}

function isDelimiter(byte: number): boolean {
  return byte === COMMA || byte === COLON || byte <= 0x20
}
