// A server limited to 1 GiB of memory, if the system allows it, reads documents that unpack to many times that. It
// keeps running, each of them fails alone with a reason, and the documents of another connection are read meanwhile.
// Then it reads one hostile file of each kind after another, and the report gives the peak memory of the child for each.
import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateSync } from 'node:zlib'
import { startServer } from '../bench/load/server-process.mjs'
import { makeCollection } from '../bench/load/service.mjs'
import { hostileFiles, remember } from './kit/hostile-contents.mjs'
import { ensureBuilt, makeHome } from './kit/program.mjs'
import { createReport, options } from './kit/report.mjs'
import { startSandbox } from './kit/sandbox-process.mjs'
import { change, connectFolder, itemsOf, newFolder, runsOf, syncOnce } from './kit/syncing.mjs'

const MB = 2 ** 20
const MEMORY_MB = 1024
const ORDINARY = 5

/** How many documents are read at once. With fewer, only some kinds of hostile files follow. */
const COUNT = 30
const LOOK_MS = 20

/** The memory that a child may allocate is limited; its resident memory includes the program. */
const CHILD_MB_MAX = 512
const PDF = 'application/pdf'

/** Packs spaces of this many megabytes. Each length is packed once, because that takes seconds. */
const packedOnce = remember((megabytes) => deflateSync(Buffer.alloc(megabytes * MB, ' '), { level: 9 }))

const { count } = options(COUNT)
const report = createReport(`${count} hostile documents in ${MEMORY_MB} MiB`)
ensureBuilt()
const { env } = makeHome()
const sandbox = await startSandbox(env)
const server = await startServer({ env, settings: { ...sandbox.environment, MEMCTL_RETRY_BACKOFF: '1h,1h,1h' } })
const group = limitMemory(server.pid)
const peaks = watchPeaks(server.pid)
try {
  await read()
  await readOneByOne()
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
    report.case('told why', /^(unpacked|reading it takes|a part of it is|it(s| is))/.test(error) ? undefined : error)
  const [run] = await runsOf(server, second)
  report.case('others', run.created === ORDINARY ? undefined : JSON.stringify(run))
  report.case('up', server.pid && isAlive(server.pid) ? undefined : 'the server is gone')
}

/** Syncs the hostile files one after another, and reports the peak memory of the child that read each. */
async function readOneByOne() {
  const folder = await newFolder(sandbox, 'one by one')
  await change(sandbox, 'cloud_drive add_file', { parent: folder, name: 'first.txt', text: 'The first file.' })
  const connection = await connectFolder(server, { collectionId: await makeCollection(server, 'one by one'), folder })
  const step = Math.max(1, Math.round(COUNT / count))
  for (const { fails, ...file } of samples().filter((_, n) => n % step === 0)) {
    peaks.restart()
    const { id } = await change(sandbox, 'cloud_drive add_file', { parent: folder, ...file })
    await syncOnce(server, connection)
    const item = (await itemsOf(server, connection)).find((one) => one.id === id)
    const mb = Math.round(peaks.now() / 1024)
    const outcome = item?.status ?? 'unknown'
    report.case(file.name, !fails || outcome === 'failed' ? undefined : `it is ${outcome}`)
    report.case(file.name, mb <= CHILD_MB_MAX ? undefined : `${mb} MiB`)
    report.note(file.name, `${outcome}, ${mb === 0 ? 'no child read it' : `${mb} MiB`}`)
  }
}

/** Lists the hostile files that a child reads, and the PDF files of this script. */
function samples() {
  const kinds = /\.(docx|xlsx|pptx|od[tsp]|epub|eml|rtf|html|csv|pdf|ts|js|json)$/
  return [
    ...hostileFiles({ isWhole: false }).filter(({ name }) => kinds.test(name)),
    { name: 'packed.pdf', fails: true, mimeType: PDF, base64: pdf(packed(400, 1), 1) },
    { name: 'packed twice.pdf', fails: true, mimeType: PDF, base64: pdf(packed(400, 2), 2) },
    { name: 'hidden.pdf', fails: true, mimeType: PDF, base64: hiddenPdf(600) }
  ]
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
  let bytes = packedOnce(megabytes)
  for (let n = 1; n < times; n++) bytes = deflateSync(bytes, { level: 9 })
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

/**
 * Watches the children of a process. `end` returns the largest resident memory of any child so far, in KiB, `now` the
 * largest one since `restart`.
 */
function watchPeaks(pid) {
  let peak = 0
  let recent = 0
  const look = () => {
    for (const { status } of childrenOf(pid))
      recent = Math.max(recent, Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0))
    peak = Math.max(peak, recent)
  }
  const timer = setInterval(look, LOOK_MS)
  return {
    now() {
      look()
      return recent
    },
    restart() {
      look()
      for (const { child } of childrenOf(pid)) forgetPeak(child)
      recent = 0
    },
    end() {
      clearInterval(timer)
      return peak
    }
  }
}

function childrenOf(pid) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((child) => ({ child, status: statusOf(child) }))
    .filter(({ status }) => Number(/^PPid:\s+(\d+)/m.exec(status)?.[1]) === pid)
}

/** Resets the peak of a process to its present memory (proc_pid_clear_refs(5)). */
function forgetPeak(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, '5')
  } catch {
    // It ended, or the system does not allow this: its peak is then that of all its files.
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
