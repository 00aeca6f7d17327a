import type { z } from 'zod'
import type { FeatureFlag } from '#contract/identity.ts'
import { featureKeys, OrganizationSettings } from '#contract/settings.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'

/** Flags that are the same for every organization. */
const sharedFlags = { profileSettings: true }

/** The feature flags of the Scope's organization, then the shared ones. */
export async function featureFlags(state: State, scope: Scope): Promise<z.infer<typeof FeatureFlag>[]> {
  const row = await state.as(scope).selectFrom('organization').select('settings').executeTakeFirstOrThrow()
  const settings = OrganizationSettings.parse(row.settings)
  return [
    ...featureKeys.map((key) => ({ key, enabled: settings[key] })),
    ...Object.entries(sharedFlags).map(([key, enabled]) => ({ key, enabled })),
  ]
}
