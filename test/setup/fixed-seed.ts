import { configureGlobal } from 'fast-check'

/** Property tests try the same inputs in every run, so that none fails because of a change elsewhere. `SLOW=1` draws others. */
if (!process.env.SLOW) configureGlobal({ seed: 1 })
