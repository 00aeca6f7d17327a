import { listDirty } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { curbSessions } from './curb-sessions.ts'
import { readSpan } from './queries.ts'

/** Batches that are looked at; with more of them, sessions are pending anyway. */
const maxBatches = 5000

/** Whether events of a span (ms) are stored but not derived yet. */
export async function areSessionsPending(
  state: Pick<State, 'as'>,
  { scope, regionId }: { scope: Scope; regionId: string },
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const batches = await listDirty(state, scope, { product: curbSessions, regionId }, maxBatches)
  return (
    batches.length === maxBatches ||
    batches.map(({ span }) => readSpan(span)).some((batch) => batch.from < until && batch.until >= from)
  )
}
