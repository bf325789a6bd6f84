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
])('%s is a form of kind %s', (word, form) => {
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
])('the base form of %s is %s', (word, base) => {
  expect(toVerbBase(word)).toBe(base)
})

test.each([
  ['write', 'written'],
  ['stop', 'stopped'],
  ['inspire', 'inspired'],
  ['carry', 'carried'],
  ['help', 'helped']
])('the participle of %s is %s', (base, participle) => {
  expect(toPastParticiple(base)).toBe(participle)
})

test('verbs that never change may be participles in their base form', () => {
  expect(mayBeParticiple('put')).toBe(true)
  expect(mayBeParticiple('walk')).toBe(false)
})
