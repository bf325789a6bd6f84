import { expect, test } from 'vitest'
import {
  classifyVerbForm,
  mayBeParticiple,
  toPastParticiple,
  toVerbBase
} from '../../../src/memory/language/verb-forms.ts'

test.each([
  ['went', 'past'],
  ['seen', 'participle'],
  ['built', 'either'],
  ['painted', 'either'],
  ['painting', 'ing'],
  ['paints', 'present'],
  ['paint', 'base'],
  ['retook', 'past'],
  ['need', 'base'],
  ['sing', 'base']
])('classifies %s as %s', (word, form) => {
  expect(classifyVerbForm(word)).toBe(form)
})

test.each([
  ['went', 'go'],
  ['seen', 'see'],
  ['stopped', 'stop'],
  ['lived', 'live'],
  ['carries', 'carry'],
  ['carried', 'carry'],
  ['watches', 'watch'],
  ["'m", 'be'],
  ['has', 'have']
])('returns the base form of %s: %s', (word, base) => {
  expect(toVerbBase(word)).toBe(base)
})

test.each([
  ['write', 'written'],
  ['stop', 'stopped'],
  ['inspire', 'inspired'],
  ['carry', 'carried'],
  ['help', 'helped']
])('returns the participle of %s: %s', (base, participle) => {
  expect(toPastParticiple(base)).toBe(participle)
})

test('accepts the base form of unchanging verbs as a participle', () => {
  expect(mayBeParticiple('put')).toBe(true)
  expect(mayBeParticiple('walk')).toBe(false)
})
