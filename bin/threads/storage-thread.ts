/** What the thread of the storage runs. */
import { serveThread } from '../node/threads/serve-thread.ts'
import { storageMain } from './storage-main.ts'

serveThread(storageMain)
