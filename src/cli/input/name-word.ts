import { Fault } from '../../contract/faults.ts'

/** The name that a command gives to something new. Throws a usage fault where it is empty, before anything is asked. */
export function nameWord([name = '']: readonly string[]): string {
  if (name !== '') return name
  throw new Fault('usage', 'the name is empty', { hint: 'give it one, to know it again by' })
}
