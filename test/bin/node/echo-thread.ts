import { serveThread } from '../../../bin/node/threads/serve-thread.ts'
import { echoMain } from './echo-main.ts'

serveThread(echoMain)
