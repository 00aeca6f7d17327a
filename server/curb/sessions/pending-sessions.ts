import { listDirty } from '#server/derived/dirty-spans.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { curbSessions } from '../product-names.ts'
import { readSpan } from './queries/sessions.ts'

/** Maximum number of batches that are examined. If there are more, sessions are assumed to be pending. */
const maxBatches = 5000

/** Whether there are events of a time span (ms) that are stored but not derived yet. */
export async function areSessionsPending(
  state: Pick<State, 'as'>,
  { scope, regionId }: { scope: Scope; regionId: string },
  { from, until }: { from: number; until: number },
): Promise<boolean> {
  const batches = await listDirty(state, scope, { product: curbSessions, regionId }, { limit: maxBatches })
  return (
    batches.length === maxBatches ||
    batches.map(({ span }) => readSpan(span)).some((batch) => batch.from < until && batch.until >= from)
  )
}
