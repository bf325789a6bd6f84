import { isMainThread } from 'node:worker_threads'
import { serveChild, watchOver } from '../node/threads/serve-child.ts'

/** The program of child processes that read documents, and of the thread in each that watches over it. */
if (isMainThread) serveChild((await import('./documents-main.ts')).documentsMain)
else watchOver()
