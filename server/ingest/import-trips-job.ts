import { randomUUID } from 'node:crypto'
import type { Log } from '#server/jobs/log.ts'
import type { Job } from '#server/jobs/runner.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { State } from '#server/stores/state.ts'
import { nextImport } from './next-import.ts'
import { runImport } from './run-import.ts'

export const importTrips = { name: 'import-trips' }

/** Imports every file that waits, the oldest first; a failure is written to the import, never lost. */
export const importTripsJob = (state: State, facts: Facts, log: Log): Job<object> => {
  const importing = { state, facts, log, owner: randomUUID(), now: () => new Date() }
  return {
    ...importTrips,
    async run(_task, stop) {
      for (let next = await nextImport(state, importing.now()); next && !stop.aborted; next = await nextImport(state, importing.now())) if (!(await runImport(importing, next, stop))) return
    },
  }
}
