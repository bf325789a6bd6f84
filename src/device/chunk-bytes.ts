import { Fault } from '../contract/faults.ts'

/** Makes bytes of what a stream gives, one chunk after another. */
export type ChunkBytes = {
  /** @throws Fault `invalid_input` for a chunk that is neither bytes nor a text that UTF-8 can hold. */
  take(chunk: unknown): Uint8Array
  /** The stream has ended. @throws Fault `invalid_input` where half a character is left. */
  end(): void
}

/** Bytes are taken as they are and texts as UTF-8. A character may be cut between two texts. */
export function createChunkBytes(): ChunkBytes {
  /** The first half of a surrogate pair, whose other half the next text begins with. */
  let half = ''
  return {
    take(chunk) {
      if (chunk instanceof Uint8Array && half === '') return chunk
      if (typeof chunk !== 'string') throw half === '' ? noChunk() : loneSurrogate()
      const text = half + chunk
      const end = text.length - (/[\ud800-\udbff]$/.test(text) ? 1 : 0)
      half = text.slice(end)
      const whole = text.slice(0, end)
      if (!whole.isWellFormed()) throw loneSurrogate()
      return Buffer.from(whole)
    },
    end() {
      if (half !== '') throw loneSurrogate()
    }
  }
}

function noChunk(): Fault {
  return new Fault('invalid_input', 'the stream of the batch gives what is neither bytes nor a text', {
    hint: 'a batch is JSON, one object a line: write each with JSON.stringify and a line feed'
  })
}

function loneSurrogate(): Fault {
  return new Fault('invalid_input', 'the stream of the batch has a lone surrogate, which UTF-8 cannot hold', {
    hint: 'cut no character in two, or give bytes'
  })
}
