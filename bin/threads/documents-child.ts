import { isMainThread } from 'node:worker_threads'
import { serveChild, watchOver } from '../node/threads/serve-child.ts'

/** What the child processes that read documents run, and in them the thread that watches over each. */
if (isMainThread) serveChild((await import('./documents-main.ts')).documentsMain)
else watchOver()
