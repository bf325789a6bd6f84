import * as z from 'zod'

// What many shapes consist of, each made once.

export const Text = z.string()

export const TextOrNull = Text.nullable()

export const Flag = z.boolean()

export const Count = z.int().min(0)

export const TextList = z.array(Text)
