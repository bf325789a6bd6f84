import type { Tag, Token } from './token.ts'

/** A token of a sentence with the tags as far as they are mended. */
export type Place = { tokens: readonly Token[]; tags: Tag[]; i: number }

/** Gives the right tag of a token, or undefined where it has nothing to say. */
export type TagRule = (place: Place) => Tag | undefined

/** The word so many places on, in lower case; empty outside the sentence. */
export function word({ tokens, i }: Place, offset = 0): string {
  return tokens[i + offset]?.lower ?? ''
}

/** The tag so many places on. */
export function tag({ tags, i }: Place, offset = 0): Tag | undefined {
  return tags[i + offset]
}
