import fc from 'fast-check'
import { expect, test } from 'vitest'
import { soundObject } from '../../../server/oauth/wire/sound-object.ts'
import { plainWords } from '../../../server/providers/port/plain-words.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

test('an object that says nothing twice is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent)
      expect(soundObject(bytesOf(text))).toEqual(JSON.parse(text))
    })
  )
})

test('whatever is said twice, at any depth and however it is written, is no sound object', () => {
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

test('a value that looks like a name, and equal names in different objects, are nothing twice', () => {
  const text = '{"a":"a","b":{"a":1},"c":[{"a":"}"},{"a":"\\",\\"a\\":"}],"d":"{\\"a\\":1,\\"a\\":2}"}'
  expect(soundObject(bytesOf(text))).toEqual(JSON.parse(text))
})

test('a name out of the prototype is a name', () => {
  const text = '{"__proto__":1,"constructor":2,"toString":3}'
  expect(Object.entries(soundObject(bytesOf(text)) ?? {})).toEqual([
    ['__proto__', 1],
    ['constructor', 2],
    ['toString', 3]
  ])
})

test('a megabyte of brackets is answered, not fallen over', () => {
  expect(soundObject(bytesOf('['.repeat(1_000_000)))).toBeUndefined()
  const deep = `{"a":${'['.repeat(400_000)}${']'.repeat(400_000)}}`
  expect(() => soundObject(bytesOf(deep))).not.toThrow()
})

test('words from elsewhere become one line that steers nothing, without the secrets that they repeat', () => {
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
