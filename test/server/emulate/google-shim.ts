import { type Received, startShim } from './start-shim.ts'

type File = { id: string; size?: string; modifiedTime?: string } & Record<string, unknown>

/**
 * Starts a shim that adds what the emulator of Google lacks: the account and the changes of Drive, shared drives (none), new
 * content and the deletion of files, and the profile of Gmail. Files change only through the shim, so it knows all changes.
 */
export function startGoogleShim(emulator: string): Promise<string> {
  const drive: Drive = { changed: [], contents: new Map(), gone: new Set() }
  return startShim(emulator, (received) => {
    const { method, url } = received
    const route = ROUTES.find((one) => one.method === method && one.path.test(url.pathname))
    return route?.answer(received, drive)
  })
}

/** What the shim knows about files. */
type Drive = {
  /** Ids in the order of their changes. */
  changed: string[]
  /** Contents that replace those of the emulator. */
  contents: Map<string, { bytes: Buffer; at: string }>
  gone: Set<string>
}

type Route = { method: string; path: RegExp; answer: (received: Received, drive: Drive) => Promise<Response> }

const ROUTES: readonly Route[] = [
  { method: 'GET', path: /^\/drive\/v3\/about$/, answer: getAccount },
  { method: 'GET', path: /^\/drive\/v3\/drives$/, answer: async () => Response.json({ drives: [] }) },
  {
    method: 'GET',
    path: /^\/drive\/v3\/changes\/startPageToken$/,
    answer: async (_received, { changed }) => Response.json({ startPageToken: String(changed.length) })
  },
  { method: 'GET', path: /^\/drive\/v3\/changes$/, answer: listChanges },
  { method: 'GET', path: /^\/drive\/v3\/files$/, answer: listFiles },
  { method: 'GET', path: /^\/drive\/v3\/files\/[^/]+$/, answer: getFile },
  { method: 'POST', path: /^(\/upload)?\/drive\/v3\/files$/, answer: noteFile },
  { method: 'PATCH', path: /^\/drive\/v3\/files\/[^/]+$/, answer: noteFile },
  { method: 'PATCH', path: /^\/upload\/drive\/v3\/files\/[^/]+$/, answer: replaceContent },
  { method: 'DELETE', path: /^\/drive\/v3\/files\/[^/]+$/, answer: deleteFile },
  { method: 'GET', path: /^\/gmail\/v1\/users\/me\/profile$/, answer: getProfile },
  { method: 'GET', path: /^\/gmail\/v1\/users\/me\/(history|messages|messages\/[^/]+)$/, answer: readMail }
]

const idIn = ({ url }: Received): string => url.pathname.split('/').at(-1) ?? ''

const NOT_FOUND = { error: { code: 404, message: 'File not found.', errors: [{ reason: 'notFound' }] } }

type UserInfo = { sub: string; email: string; name: string }

async function getAccount({ forward }: Received): Promise<Response> {
  const reply = await forward({ path: '/oauth2/v2/userinfo' })
  if (!reply.ok) return reply
  const { sub, email, name } = (await reply.json()) as UserInfo
  return Response.json({ user: { permissionId: sub, emailAddress: email, displayName: name } })
}

async function getProfile({ forward }: Received): Promise<Response> {
  const reply = await forward({ path: '/oauth2/v2/userinfo' })
  if (!reply.ok) return reply
  const { email } = (await reply.json()) as UserInfo
  const history = await forward({ path: '/gmail/v1/users/me/history?startHistoryId=1' })
  const { historyId } = JSON.parse(withShortHistoryIds(await history.text())) as { historyId: string }
  return Response.json({ emailAddress: email, historyId })
}

/** Subtracted from the history ids of the emulator, which have 21 digits: those of Gmail are numbers of 64 bits. */
const HISTORY_BASE = BigInt(Date.now() - 24 * 3600 * 1000) * 100_000_000n

async function readMail({ url, forward }: Received): Promise<Response> {
  const asked = new URL(url)
  const since = asked.searchParams.get('startHistoryId')
  if (since !== null) asked.searchParams.set('startHistoryId', String(BigInt(since) + HISTORY_BASE))
  // The emulator takes operators that exclude, such as -in:draft, for words.
  asked.searchParams.delete('q')
  const reply = await forward({ path: `${asked.pathname}${asked.search}` })
  return new Response(withShortHistoryIds(await reply.text()), { status: reply.status, headers: JSON_TYPE })
}

const JSON_TYPE = { 'content-type': 'application/json' }

function withShortHistoryIds(json: string): string {
  return json.replace(/"(\d{21})"/g, (_quoted, id) => `"${BigInt(id) - HISTORY_BASE}"`)
}

async function listChanges({ url, forward }: Received, drive: Drive): Promise<Response> {
  const ids = new Set(drive.changed.slice(Number(url.searchParams.get('pageToken'))))
  const changes = await Promise.all([...ids].map((fileId) => describeChange(fileId, { forward, drive })))
  return Response.json({ changes, newStartPageToken: String(drive.changed.length) })
}

async function describeChange(fileId: string, { forward, drive }: Pick<Received, 'forward'> & { drive: Drive }) {
  if (drive.gone.has(fileId)) return { changeType: 'file', fileId, removed: true }
  const reply = await forward({ path: `/drive/v3/files/${fileId}` })
  return { changeType: 'file', fileId, removed: false, file: withContent((await reply.json()) as File, drive) }
}

/** The emulator ignores `sharedWithMe`; no file is shared. */
async function listFiles({ url, forward }: Received, drive: Drive): Promise<Response> {
  if (url.searchParams.get('q')?.includes('sharedWithMe')) return Response.json({ files: [] })
  const reply = await forward()
  if (!reply.ok) return reply
  const { files, ...more } = (await reply.json()) as { files: File[] }
  return Response.json({
    ...more,
    files: files.filter(({ id }) => !drive.gone.has(id)).map((file) => withContent(file, drive))
  })
}

async function getFile(received: Received, drive: Drive): Promise<Response> {
  const id = idIn(received)
  if (drive.gone.has(id)) return Response.json(NOT_FOUND, { status: 404 })
  const content = drive.contents.get(id)
  const wantsBytes = received.url.searchParams.get('alt') === 'media'
  if (content !== undefined && wantsBytes) return new Response(new Uint8Array(content.bytes))
  const reply = await received.forward()
  return wantsBytes || !reply.ok ? reply : Response.json(withContent((await reply.json()) as File, drive))
}

async function noteFile({ forward }: Received, { changed }: Drive): Promise<Response> {
  const reply = await forward()
  const file = (await reply.json()) as File
  if (reply.ok) changed.push(file.id)
  return Response.json(file, { status: reply.status })
}

async function replaceContent(received: Received, drive: Drive): Promise<Response> {
  const id = idIn(received)
  drive.contents.set(id, { bytes: received.body, at: new Date().toISOString() })
  drive.changed.push(id)
  return Response.json({ id })
}

async function deleteFile(received: Received, drive: Drive): Promise<Response> {
  const id = idIn(received)
  drive.gone.add(id)
  drive.changed.push(id)
  return new Response(null, { status: 204 })
}

function withContent(file: File, { contents }: Drive): File {
  const content = contents.get(file.id)
  return content === undefined ? file : { ...file, size: String(content.bytes.length), modifiedTime: content.at }
}
