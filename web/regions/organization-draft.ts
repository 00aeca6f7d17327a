import type { Organization } from '#contract/organizations.ts'
import type { OrganizationSettings } from '#contract/settings.ts'

/** State of the organization form. */
export interface OrganizationDraft {
  name: string
  type: Organization['type']
  settings: OrganizationSettings
}

/** A changed field with its new value. */
export interface ChangedField {
  field: 'name' | 'type' | keyof OrganizationSettings
  value: boolean | string | readonly string[] | null
}

/** The body of the request that saves changes: fields that are left out stay as they are. */
export interface OrganizationPatch {
  name?: string
  type?: Organization['type']
  settings?: Partial<OrganizationSettings>
}

/** Returns the editable fields of an organization. */
export const toOrganizationDraft = ({ name, type, settings }: Organization): OrganizationDraft => ({
  name,
  type,
  settings,
})

/** Compares values; lists as sets, because the order of their items has no meaning. */
const isSameValue = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((item) => b.includes(item))
    : a === b

/** Lists the fields in which a draft differs from the saved organization. */
export function listChangedFields(saved: OrganizationDraft, draft: OrganizationDraft): ChangedField[] {
  const name = draft.name.trim()
  const settings = (Object.keys(draft.settings) as (keyof OrganizationSettings)[]).filter(
    (key) => !isSameValue(saved.settings[key], draft.settings[key]),
  )
  return [
    ...(name === saved.name ? [] : [{ field: 'name' as const, value: name }]),
    ...(draft.type === saved.type ? [] : [{ field: 'type' as const, value: draft.type }]),
    ...settings.map((field) => ({ field, value: draft.settings[field] })),
  ]
}

/** Returns the request body that saves the changed fields. */
export function toOrganizationPatch(changed: readonly ChangedField[]): OrganizationPatch {
  const topLevelFields = changed
    .filter(({ field }) => field === 'name' || field === 'type')
    .map(({ field, value }) => [field, value])
  const settingsFields = changed
    .filter(({ field }) => field !== 'name' && field !== 'type')
    .map(({ field, value }) => [field, value])
  return {
    ...Object.fromEntries(topLevelFields),
    ...(settingsFields.length ? { settings: Object.fromEntries(settingsFields) } : {}),
  } as OrganizationPatch
}
