import fc from 'fast-check'
import { expect, test } from 'vitest'
import { soundObject } from '../../../server/oauth/wire/sound-object.ts'
import { plainWords } from '../../../server/providers/port/plain-words.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

test('parses an object without duplicate names like JSON.parse', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(soundObject(bytesOf(text))).toEqual(JSON.parse(text))
    })
  )
})

test('rejects a duplicate name at any depth and in any notation', () => {
  fc.assert(
    fc.property(fc.string(), fc.tuple(fc.jsonValue(), fc.jsonValue()), fc.nat(5), (name, [one, two], depth) => {
      const key = JSON.stringify(name)
      const escaped = `"${[...name].map(escapedCharacter).join('')}"`
      const inner = `{${key}:${JSON.stringify(one)},"":{},${escaped} : ${JSON.stringify(two)}}`
      const text = `${'{"a":['.repeat(depth)}${inner}${']}'.repeat(depth)}`
      expect(soundObject(bytesOf(text))).toBeUndefined()
    })
  )
})

test('accepts a value that looks like a name, and equal names in different objects', () => {
  const text = '{"a":"a","b":{"a":1},"c":[{"a":"}"},{"a":"\\",\\"a\\":"}],"d":"{\\"a\\":1,\\"a\\":2}"}'
  expect(soundObject(bytesOf(text))).toEqual(JSON.parse(text))
})

test('accepts a name from the prototype', () => {
  const text = '{"__proto__":1,"constructor":2,"toString":3}'
  expect(Object.entries(soundObject(bytesOf(text)) ?? {})).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
    ['toString', 3]
  ])
})

test('handles a megabyte of brackets without crashing', () => {
  expect(soundObject(bytesOf('['.repeat(1_000_000)))).toBeUndefined()
  const deep = `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
  expect(() => soundObject(bytesOf(deep))).not.toThrow()
})

test('turns external text into one line without control characters and echoed secrets', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ minLength: 8, maxLength: 50 }), (text, secret) => {
      const words = plainWords(`${text}${secret}${text}`, [secret])
      expect(words).toMatch(/^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u)
      expect(words.length).toBeLessThanOrEqual(201)
      expect(words.includes(secret) && !'[secret]'.includes(secret)).toBe(false)
    })
  )
})

function escapedCharacter(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('')
}
