/** What a thread of the engine runs. */
import { engineMain } from './engine-main.ts'
import { serveThread } from './node/serve-thread.ts'

serveThread(engineMain)
