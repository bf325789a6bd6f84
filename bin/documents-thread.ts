/** What the thread of documents runs. */
import { documentsMain } from './documents-main.ts'
import { serveThread } from './node/serve-thread.ts'

serveThread(documentsMain)
