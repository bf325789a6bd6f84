// A server limited to 1 GiB of memory, if the system allows it, reads documents that unpack to many times that. It
// keeps running, each of them fails alone with a reason, and the documents of another connection are read meanwhile.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { startServer } from '../bench/load/server-process.mjs'
import { makeCollection } from '../bench/load/service.mjs'
import { hostileFiles } from './kit/hostile-contents.mjs'
import { ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'
import { startSandbox } from './kit/sandbox-process.mjs'
import { change, connectFolder, itemsOf, newFolder, runsOf } from './kit/syncing.mjs'

const MB = 2 ** 20
const MEMORY_MB = 1024
const ORDINARY = 5
const LOOK_MS = 20
const PDF = 'application/pdf'

const { count } = options(30)
const report = createReport(`${count} hostile documents in ${MEMORY_MB} MiB`)
ensureBuilt()
const { env } = makeHome()
const sandbox = await startSandbox(env)
const server = await startServer({ env, settings: { ...sandbox.environment, MEMCTL_RETRY_BACKOFF: '1h,1h,1h' } })
const group = limitMemory(server.pid)
const peaks = watchPeaks(server.pid)
try {
  await read()
} finally {
  report.note('peak', `server ${Math.round(server.peakMb())} MiB, largest child ${Math.round(peaks.end() / 1024)} MiB`)
  report.note('limit', group.told())
  const { code } = await server.stop()
  report.case('stopped', code === 0 ? undefined : `exit ${code}: ${server.said().slice(-300)}`)
  await sandbox.end()
  group.remove()
}
report.finish()

async function read() {
  const hostile = await newFolder(sandbox, 'hostile')
  for (const file of documents()) await change(sandbox, 'cloud_drive add_file', { parent: hostile, ...file })
  const ordinary = await newFolder(sandbox, 'ordinary')
  for (let n = 0; n < ORDINARY; n++) {
    const html = Buffer.from(`<p>Ordinary page ${n}.`).toString('base64')
    const file = { name: `page ${n}.html`, mimeType: 'text/html', base64: html }
    await change(sandbox, 'cloud_drive add_file', { parent: ordinary, ...file })
  }
  const [one, other] = [await makeCollection(server, 'hostile'), await makeCollection(server, 'ordinary')]
  const [first, second] = await Promise.all([
    connectFolder(server, { collectionId: one, folder: hostile }),
    connectFolder(server, { collectionId: other, folder: ordinary })
  ])
  const failed = await itemsOf(server, first, '&status=failed')
  report.case('failed alone', failed.length === count ? undefined : `${failed.length} of ${count} failed`)
  for (const { error } of failed)
    report.case('told why', /^(unpacked|reading it takes|it(s| is))/.test(error) ? undefined : error)
  const [run] = await runsOf(server, second)
  report.case('others', run.created === ORDINARY ? undefined : JSON.stringify(run))
  report.case('up', server.pid && isAlive(server.pid) ? undefined : 'the server is gone')
}

/**
 * Generates in turn: content packed once to three times, the same behind a filter that is not checked, and packages.
 */
function documents() {
  const packages = hostileFiles({ isWhole: false }).filter(
    ({ fails, name }) => fails && /^(bomb|liar|laughs)/.test(name)
  )
  const kinds = [
    ...[1, 2, 3].map((times) => ({ mimeType: PDF, base64: pdf(packed(400, times), times) })),
    { mimeType: PDF, base64: hiddenPdf(600) },
    ...packages.map(({ fails: _, name: __, ...file }) => file)
  ]
  return Array.from({ length: count }, (_, n) => ({ ...kinds[n % kinds.length], name: `hostile ${n}` }))
}

function packed(megabytes, times) {
  let bytes = Buffer.alloc(megabytes * MB, ' ')
  for (let n = 0; n < times; n++) bytes = deflateSync(bytes, { level: 9 })
  return bytes
}

function hiddenPdf(megabytes) {
  return pdf(Buffer.from(`${packed(megabytes, 1).toString('hex')}>`), 1, '/ASCIIHexDecode')
}

function pdf(content, times, before = '') {
  const filter = `[${before} ${'/FlateDecode '.repeat(times)}]`
  const head = `%PDF-1.4
1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R >>\nendobj
4 0 obj\n<< /Filter ${filter} /Length ${content.length} >>\nstream\n`
  const tail = '\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n'
  return Buffer.concat([Buffer.from(head), content, Buffer.from(tail)]).toString('base64')
}

/** Moves a process and its children into a separate memory group. If that is refused, its memory is only observed. */
function limitMemory(pid) {
  for (const [root, limit, peak] of [
    ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes', 'memory.max_usage_in_bytes'],
    ['/sys/fs/cgroup', 'memory.max', 'memory.peak']
  ]) {
    const folder = join(root, `memctl-${process.pid}`)
    try {
      mkdirSync(folder)
      writeFileSync(join(folder, limit), String(MEMORY_MB * MB))
      writeFileSync(join(folder, 'cgroup.procs'), String(pid))
    } catch {
      remove(folder)
      continue
    }
    const told = () =>
      `cgroup ${limit}; ${Math.round(Number(readFileSync(join(folder, peak), 'utf8')) / MB)} MiB at most`
    return { told, remove: () => remove(folder) }
  }
  return { told: () => 'no cgroup can be made here: observed only', remove: () => undefined }
}

function remove(folder) {
  try {
    rmdirSync(folder)
  } catch {
    // It was not created, or a process is still leaving it.
  }
}

/** Returns the largest resident memory of any child of a process, in KiB. */
function watchPeaks(pid) {
  let peak = 0
  const timer = setInterval(() => {
    for (const child of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const status = statusOf(child)
      if (Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) !== pid) continue
      peak = Math.max(peak, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    }
  }, LOOK_MS)
  return {
    end() {
      clearInterval(timer)
      return peak
    }
  }
}

function statusOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
