import { EventEmitter } from 'node:events'
import { expect, test, vi } from 'vitest'
import { nodeBrowser } from '../../bin/node/node-browser.ts'

const ADDRESS = 'http://127.0.0.1:8787/'
const opener = vi.hoisted(() => ({ open: async (_address: string): Promise<unknown> => undefined }))
vi.mock('open', () => ({ default: (address: string) => opener.open(address) }))

/** Returns the reported error of an opener that ended with these events. */
function opened(exitCode: number | null, isOver: boolean) {
  const child = Object.assign(new EventEmitter(), { exitCode: isOver ? exitCode : null, signalCode: null })
  opener.open = async () => {
    if (!isOver) setImmediate(() => child.emit('exit', exitCode))
    return child
  }
  return nodeBrowser({ DISPLAY: ':0' }).open(ADDRESS)
}

test.each([true, false])(
  'reports the exit code of an opener that failed, and nothing if it succeeded (ended at once: %s)',
  async (isOver) => {
    expect(await opened(0, isOver)).toBeUndefined()
    expect(await opened(3, isOver)).toBe('the program that opens it exited with 3')
  }
)

test('reports a program that is missing or not executable', async () => {
  opener.open = () => Promise.reject(Object.assign(new Error('spawn'), { code: 'ENOENT' }))
  expect(await nodeBrowser({ DISPLAY: ':0' }).open(ADDRESS)).toBe('no program that opens a browser was found')
  opener.open = () => Promise.reject(Object.assign(new Error('spawn'), { code: 'EACCES' }))
  expect(await nodeBrowser({ DISPLAY: ':0' }).open(ADDRESS)).toBe('system error EACCES')
})

test('starts nothing on Linux without a display', async ({ skip }) => {
  skip(process.platform !== 'linux', 'other systems have no variable for it')
  opener.open = () => Promise.reject(new Error('it was started'))
  expect(await nodeBrowser({}).open(ADDRESS)).toContain('DISPLAY is not set')
})
