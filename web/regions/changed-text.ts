import type { TFunction } from 'i18next'
import type { ChangedField } from './organization-draft.ts'

const nameOf = (t: TFunction, { field }: ChangedField): string =>
  field === 'name'
    ? t('regions:field.text')
    : field === 'type'
      ? t('regions:field.type')
      : t(`regions:flag.${field}.name`)

function valueOf(t: TFunction, { field, value }: ChangedField): string {
  if (typeof value === 'boolean') return t(value ? 'regions:saved.on' : 'regions:saved.off')
  if (value === null)
    return t(
      field === 'maps' || field === 'mobilityDashboards' ? 'regions:saved.all' : 'regions:saved.noDate',
    )
  if (typeof value !== 'string')
    return (
      value.map((each) => t(`regions:${field === 'maps' ? 'map' : 'dashboard'}.${each}`)).join(', ') ||
      t('regions:saved.none')
    )
  return field === 'type' ? t(`regions:type.${value}`) : value
}

/** A changed field as it is read: `Curb Manager: off`. */
export const changedText = (t: TFunction, changed: ChangedField): string =>
  `${nameOf(t, changed)}: ${valueOf(t, changed)}`
