import * as z from 'zod'

// What many shapes consist of, each made once.

export const Text = z.string()

export const TextOrNull = Text.nullable()

export const Flag = z.boolean()

export const Count = z.int().min(0)

export const TextList = z.array(Text)

/** An id of ours. New ones are UUIDv7 (RFC 9562); on input any 8-4-4-4-12 hex digits will do. */
export const Guid = z.guid().toLowerCase()

/** What a person calls something. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !/\p{Cc}/u.test(name), 'must have no control characters')
  .meta({ examples: ['notes'] })
