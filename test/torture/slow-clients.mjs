// Ten thousand connections that send almost nothing: the server keeps answering others, closes the slow ones after a
// time, and its memory stays bounded.
import { connect } from 'node:net'
import { ensureDescriptors } from '../bench/load/descriptors.mjs'
import { requestBytes } from '../bench/load/http-connection.mjs'
import { percentile, probe } from '../bench/load/run-load.mjs'
import { startServer } from '../bench/load/server-process.mjs'
import { callService, makeCollection } from '../bench/load/service.mjs'
import { ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options, PATIENCE } from './kit/report.mjs'

const { count } = options(10_000)
const OPENED_AT_ONCE = 250
/** Time limit of a probe meanwhile, which checks for blocking rather than speed. */
const ANSWER_MS_MAX = 2000 * PATIENCE
const MEMORY_MB_MAX = 512
/** Time limit for closing all connections without a complete request. */
const LET_GO_MS_MAX = 120_000 * PATIENCE

ensureDescriptors(count + 1000)
const report = createReport(`${count} slow connections`)
ensureBuilt()
const home = makeHome()
const server = await startServer({ env: home.env })
const { hostname, port } = new URL(server.origin)
const id = await makeCollection(server, 'slow')
const sockets = []
let gone = 0
for (let n = 0; n < count; n += OPENED_AT_ONCE) {
  const more = Math.min(OPENED_AT_ONCE, count - n)
  await Promise.all(Array.from({ length: more }, (_, i) => openSlow(n + i)))
}
const stopProbe = await probe({
  origin: server.origin,
  request: requestBytes({ ...server, method: 'GET', path: '/healthz' }),
  pauseMs: 20
})
const body = { collection_id: id, raw_text: 'The others are slow.' }
for (let n = 0; n < 20; n++) {
  await callService(server, { path: '/v1/memories', body }).then(
    () => report.case('stores meanwhile'),
    (error) => report.case('stores meanwhile', error.message)
  )
}
const times = await stopProbe()
const worst = percentile(times, 100)
report.case('health meanwhile', worst > ANSWER_MS_MAX ? `${Math.round(worst)} ms` : undefined)
report.note('health meanwhile', `p99 ${percentile(times, 99).toFixed(1)} ms, worst ${worst.toFixed(0)} ms`)
const mb = server.memoryMb()
report.case('memory', mb > MEMORY_MB_MAX ? `${mb.toFixed(0)} MB` : undefined)
report.note('memory', `${mb.toFixed(0)} MB with ${sockets.length - gone} connections`)
const started = performance.now()
while (gone < sockets.length && performance.now() - started < LET_GO_MS_MAX) {
  await new Promise((resolve) => setTimeout(resolve, 200))
}
report.case('let go', gone < sockets.length ? `${sockets.length - gone} are still held` : undefined)
report.note('let go', `after ${((performance.now() - started) / 1000).toFixed(0)} s`)
const { code } = await server.stop()
report.case('stopped', code === 0 || code === 143 ? undefined : `exit ${code}`)
report.finish()

/**
 * Opens a slow connection, in turn: nothing at all, half a request line, half of the headers, a body that never
 * arrives.
 */
function openSlow(n) {
  const starts = [
    '',
    'POST /v1/mem',
    `POST /v1/memories HTTP/1.1\r\nhost: ${hostname}:${port}\r\nx-a: `,
    `POST /v1/memories HTTP/1.1\r\nhost: ${hostname}:${port}\r\nauthorization: Bearer ${server.key}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{"`
  ]
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) })
    const leave = () => {
      gone++
      resolve()
    }
    socket.once('connect', () => {
      socket.write(starts[n % starts.length])
      resolve()
    })
    // Read the data, so that the end is noticed.
    socket.resume()
    socket.on('error', () => undefined)
    socket.once('close', leave)
    sockets.push(socket)
  })
}
