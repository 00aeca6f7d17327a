import { systemScope } from '#server/identity/scope.ts'
import type { Runner } from '#server/jobs/runner.ts'
import type { State } from '#server/stores/state.ts'
import { wakeImports } from './manage-imports.ts'
import { nextImport } from './next-import.ts'

/**
 * Takes up every import that was cut off: those that wait or ran in a process that is gone. `alone`: this process owns the
 * stores, so that every lease is a dead one. Answers whether there was any.
 */
export async function resumeImports(state: State, runner: Pick<Runner, 'send'>, alone: boolean, at: Date): Promise<boolean> {
  const store = state.as(systemScope)
  if (alone) await store.updateTable('import').set({ lease_owner: null, lease_until: null }).where('status', 'in', ['queued', 'running']).execute()
  if (!(await nextImport(state, at))) return false
  await wakeImports({ runner })
  return true
}
