import * as z from 'zod'

// Schemas that many others use, each created once.

export const Text = z.string()

export const TextOrNull = Text.nullable()

export const Flag = z.boolean()

export const Count = z.int().min(0)

export const TextList = z.array(Text)

/** An id of memctl. New ids are UUIDv7 (RFC 9562); on input, any 8-4-4-4-12 hex digits are accepted. */
export const Guid = z.guid().toLowerCase()

/** A name that a person gives to something. */
export const Name = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => !/\p{Cc}/u.test(name), 'must not contain control characters')
  .meta({ examples: ['notes'] })
