import { expect, test } from 'vitest'
import { Fault } from '../../src/contract/faults.ts'
import { verifySnapshot } from '../../src/snapshot/verify-snapshot.ts'
import { forgetLine, headerOver, memory, memoryLine, sourceOf } from './builders.ts'

const LF = 0x0a

const parts = Array.from({ length: 6 }, (_, n) => ({ text: `memory ${n}: Zoë 👋`, speaker: 'Ada', position: n }))
const ids = parts.map((part) => memory(part).id as string)
const whole = Buffer.from(
  [headerOver(ids), ...parts.map(memoryLine), forgetLine(parts[0] ?? { text: '' }), ''].join('\n')
)
const lineStarts = [
  0,
  ...Array.from(whole.keys())
    .filter((at) => whole[at] === LF)
    .map((at) => at + 1)
]

test('detects every flipped bit, in its line', () => {
  const step = process.env.SLOW ? 1 : 29
  const missed: string[] = []
  for (let bit = 0; bit < whole.length * 8; bit += step) {
    const at = bit >> 3
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] as number) ^ (1 << (bit & 7))
    if (!isFound(bytes, at)) missed.push(`bit ${bit & 7} of byte ${at}`)
  }
  expect(missed).toEqual([])
})

/** A flip in the last LF leaves an unfinished tail, which is reported but not damage; its id counts as lost. */
function isFound(bytes: Buffer, at: number): boolean {
  const line = lineStarts.filter((start) => start <= at).length
  try {
    const { sound, reading, losses } = verifySnapshot(sourceOf(bytes))
    if (at === whole.length - 1) return reading.tail?.sound === false
    return !sound && (reading.damaged.some((damage) => damage.line === line) || losses.lost > 0)
  } catch (error) {
    return line === 1 && error instanceof Fault && error.exitCode === 10
  }
}

test('detects a flipped line feed, which joins two lines and loses both ids', () => {
  const bytes = Buffer.from(whole)
  const at = (lineStarts[3] as number) - 1
  bytes[at] = 0x0b
  const { reading, losses } = verifySnapshot(sourceOf(bytes))
  expect(reading.damaged.map(({ line }) => line)).toEqual([3])
  expect(losses.lost).toBe(2)
})
