import { Fault } from '../../contract/faults.ts'

/** Whether a text can be sent as a key: printable, without spaces, of a size that a header may have. */
export function isKey(text: string): boolean {
  return /^[\x21-\x7e]{1,512}$/.test(text)
}

/** A key as it was given, line end and spaces around it left out. Throws a usage fault that says where, never what. */
export function keyFrom(text: string, where: string): string {
  const key = text.trim()
  if (isKey(key)) return key
  throw new Fault('usage', `${where} ${key === '' ? 'gives no key' : 'gives something that is no key'}`, {
    hint: 'a key is one word, as memctl keys create prints it'
  })
}
