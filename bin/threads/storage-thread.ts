/** The program of the storage thread. */
import { serveThread } from '../node/threads/serve-thread.ts'
import { storageMain } from './storage-main.ts'

serveThread(storageMain)
