import type { Organization } from '#contract/organizations.ts'
import { OrganizationSettings } from '#contract/settings.ts'
import { Problem } from '#server/http/problem.ts'
import type { Store } from '#server/stores/state.ts'
import { findOrganization } from './find-organization.ts'

interface OrganizationChange {
  name?: string | undefined
  type?: Organization['type'] | undefined
  settings?: Record<string, unknown> | undefined
}

/**
 * Changes name, type or settings of an organization in the Scope. Omitted settings are retained.
 * @throws Problem `validation_error` that names unknown or invalid settings.
 */
export async function changeOrganization(
  store: Store,
  id: string,
  change: OrganizationChange,
): Promise<Organization> {
  const current = await findOrganization(store, id)
  const parsedSettings = OrganizationSettings.strict().safeParse({ ...current.settings, ...change.settings })
  if (!parsedSettings.success) {
    const issues = parsedSettings.error.issues.map((issue) => ({
      path: ['body', 'settings', ...issue.path].join('.'),
      message: issue.message,
    }))
    const message = issues.map((issue) => `${issue.path}: ${issue.message}`).join('; ')
    throw new Problem('validation_error', message, issues)
  }
  const { subscriptionStartDate: start, subscriptionEndDate: end } = parsedSettings.data
  if (start && end && end < start)
    throw new Problem(
      'validation_error',
      'body.settings.subscriptionEndDate: The subscription ends before it starts.',
    )
  await store
    .updateTable('organization')
    .set({
      name: change.name ?? current.name,
      type: change.type ?? current.type,
      settings: JSON.stringify(parsedSettings.data),
    })
    .where('organization_id', '=', id)
    .execute()
  return findOrganization(store, id)
}
