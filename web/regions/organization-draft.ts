import type { Organization } from '#contract/organizations.ts'
import type { OrganizationSettings } from '#contract/settings.ts'

export interface OrganizationDraft {
  name: string
  type: Organization['type']
  settings: OrganizationSettings
}

/** A field that was changed, and what it is now. */
export interface ChangedField {
  field: 'name' | 'type' | keyof OrganizationSettings
  value: boolean | string | readonly string[] | null
}

/** What the server is asked to change; what is left out stays. */
export interface OrganizationChange {
  name?: string
  type?: Organization['type']
  settings?: Partial<OrganizationSettings>
}

export const organizationDraftOf = ({ name, type, settings }: Organization): OrganizationDraft => ({
  name,
  type,
  settings,
})

const same = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b)
    ? a.length === b.length && a.every((each) => b.includes(each))
    : a === b

/** The fields in which a draft differs from what is saved. */
export function changedFields(saved: OrganizationDraft, draft: OrganizationDraft): ChangedField[] {
  const name = draft.name.trim()
  const settings = (Object.keys(draft.settings) as (keyof OrganizationSettings)[]).filter(
    (key) => !same(saved.settings[key], draft.settings[key]),
  )
  return [
    ...(name === saved.name ? [] : [{ field: 'name' as const, value: name }]),
    ...(draft.type === saved.type ? [] : [{ field: 'type' as const, value: draft.type }]),
    ...settings.map((field) => ({ field, value: draft.settings[field] })),
  ]
}

/** Changed fields as one ask. */
export function changeOf(changed: readonly ChangedField[]): OrganizationChange {
  const own = changed
    .filter(({ field }) => field === 'name' || field === 'type')
    .map(({ field, value }) => [field, value])
  const settings = changed
    .filter(({ field }) => field !== 'name' && field !== 'type')
    .map(({ field, value }) => [field, value])
  return {
    ...Object.fromEntries(own),
    ...(settings.length ? { settings: Object.fromEntries(settings) } : {}),
  } as OrganizationChange
}
