import type { z } from 'zod'
import type { FeatureFlag } from '#contract/identity.ts'
import { featureKeys, OrganizationSettings } from '#contract/settings.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Flags of this deployment, the same for every organization. */
const deployment = { profileSettings: true }

/** What is on for the Scope's organization: its own switches, then the deployment's. */
export async function featureFlags(state: State, scope: Scope): Promise<z.infer<typeof FeatureFlag>[]> {
  const row = await state.as(scope).selectFrom('organization').select('settings').executeTakeFirstOrThrow()
  const settings = OrganizationSettings.parse(row.settings)
  return [
    ...featureKeys.map((key) => ({ key, enabled: settings[key] })),
    ...Object.entries(deployment).map(([key, enabled]) => ({ key, enabled })),
  ]
}
