import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeFiles } from '../../bin/node/node-files.ts'
import { Fault } from '../../src/contract/faults.ts'
import type { Device } from '../../src/device/device.ts'
import { bench } from './device-kit.ts'
import { type Scene, steps } from './file-steps.ts'
import { tickedFiles } from './ticked-files.ts'

const RUNS = process.env.SLOW ? 400 : 3

const QUERIES = ['apple river', 'winter music in the garden', 'stone']

test('answers like a new device after any change of file and cache', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.boolean(), async (happenings, keepsTimes) => {
      const ticked = tickedFiles(nodeFiles)
      const { folder, path, cache, device, another } = await bench(ticked)
      const scene: Scene = { path, cache, device, versions: [readFileSync(path)] }
      for (const { run } of happenings) {
        if (await run(scene)) ticked.touched(path, keepsTimes ? 'mtime' : undefined)
        const fresh = await lastAnswer(another({ cache: join(folder, randomUUID()) }))
        expect(await answerOf(device)).toEqual(fresh)
        expect(await lastAnswer(another())).toEqual(fresh)
      }
      device.close()
    }),
    { numRuns: RUNS }
  )
})

/** Searches on a device opened for one call. */
async function lastAnswer(device: Device): Promise<unknown> {
  try {
    return await answerOf(device)
  } finally {
    device.close()
  }
}

/** Returns the result of a search without its notes about index and cache. */
async function answerOf(device: Device): Promise<unknown> {
  const answers: unknown[] = []
  for (const query of QUERIES) {
    try {
      const { response, damaged } = await device.search(query, { explain: true })
      answers.push({ response, damaged })
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      answers.push(error.message)
    }
  }
  return answers
}
