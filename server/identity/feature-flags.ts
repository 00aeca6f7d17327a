import type { z } from 'zod'
import type { FeatureFlag } from '#contract/identity.ts'
import { type FeatureKey, featureKeys, OrganizationSettings } from '#contract/settings.ts'
import { Problem } from '#server/http/problem.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'

/** Flags with the same value for every organization. */
const sharedFlags = { profileSettings: true }

/** Finds the feature flags of the Scope's organization, followed by the shared ones. */
export async function findFeatureFlags(store: Store): Promise<z.infer<typeof FeatureFlag>[]> {
  const row = await store.selectFrom('organization').select('settings').executeTakeFirstOrThrow()
  const settings = OrganizationSettings.parse(row.settings)
  return [
    ...featureKeys.map((key) => ({ key, enabled: settings[key] })),
    ...Object.entries(sharedFlags).map(([key, enabled]) => ({ key, enabled })),
  ]
}

/** Returns whether the organization has switched a feature on. */
export async function hasFeature(
  state: State,
  scope: Scope,
  organizationId: string,
  key: FeatureKey,
): Promise<boolean> {
  const row = await state
    .as(scope)
    .selectFrom('organization')
    .select('settings')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return OrganizationSettings.parse(row?.settings ?? {})[key]
}

/** Throws the Problem `not_found` if the organization has switched the feature off. */
export async function requireFeature(
  state: State,
  scope: Scope,
  organizationId: string,
  key: FeatureKey,
): Promise<void> {
  if (!(await hasFeature(state, scope, organizationId, key)))
    throw new Problem('not_found', `The organization has switched ${key} off.`)
}
