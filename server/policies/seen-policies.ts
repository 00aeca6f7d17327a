import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { policyColumns } from './policy-row.ts'

/** The revisions that a Scope may read. Drafts are the city's: who sees some operators only, sees what was published. */
export const seenPolicies = (state: State, scope: Scope) => {
  const all = state.as(scope).selectFrom('policy').select(policyColumns)
  return scope.operators ? all.where('published_time', 'is not', null) : all
}
