import { serveThread } from '../../../bin/node/serve-thread.ts'
import { echoMain } from './echo-main.ts'

serveThread(echoMain)
