import { PassThrough, Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { webStream } from '../../../bin/node/http/web-stream.ts'

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('returns all chunks in order, then the end', async () => {
  const body = webStream(Readable.from([Buffer.from('a'), Buffer.from('b'), Buffer.from('é')], { objectMode: false }))
  expect(await new Response(body).text()).toBe('abé')
})

test('ends its source when cancelled, and ignores later chunks', async () => {
  const source = new PassThrough()
  const body = webStream(source)
  source.write('first')
  const reader = body.getReader()
  await reader.read()
  const pending = reader.read()
  source.write('under way')
  await reader.cancel()
  source.emit('data', Buffer.from('late'))
  source.emit('error', new Error('late, too'))
  await turns()
  expect([source.destroyed, (await pending).value?.length ?? 0]).toEqual([true, expect.any(Number)])
})

test('can be cancelled unread, and breaks silently', async () => {
  const [left, broken] = [new PassThrough(), new PassThrough()]
  left.write('x')
  await webStream(left).cancel()
  webStream(broken)
  broken.destroy(new Error('the connection broke'))
  await turns()
  expect(left.destroyed).toBe(true)
})

test('reports an error to the reader when it breaks off', async () => {
  const source = new PassThrough()
  const read = new Response(webStream(source)).text()
  source.write('half')
  await turns()
  source.destroy(new Error('the transfer ended'))
  await expect(read).rejects.toThrow('the transfer ended')
})
