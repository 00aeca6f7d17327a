import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { MapName } from '#contract/regions.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { pageOfMap, pageTitle } from '#web/shell/pages.ts'
import type { ChangedField } from './organization-draft.ts'
import styles from './save-bar.module.css'

function getFieldName(t: TFunction, { field }: ChangedField): string {
  if (field === 'name') return t('regions:field.text')
  return field === 'type' ? t('regions:field.type') : t(`regions:flag.${field}.name`)
}

function formatFieldValue(t: TFunction, { field, value }: ChangedField): string {
  if (typeof value === 'boolean') return t(value ? 'regions:saved.on' : 'regions:saved.off')
  if (value === null)
    return t(
      field === 'maps' || field === 'mobilityDashboards' ? 'regions:saved.all' : 'regions:saved.noDate',
    )
  if (typeof value !== 'string')
    return (
      value
        .map((name) =>
          t(field === 'maps' ? pageTitle(pageOfMap(name as MapName)) : `regions:dashboard.${name}`),
        )
        .join(', ') || t('regions:saved.none')
    )
  return field === 'type' ? t(`regions:type.${value}`) : value
}

/** Returns a changed field as text: `Curb Manager: off`. */
const describeChange = (t: TFunction, changed: ChangedField): string =>
  `${getFieldName(t, changed)}: ${formatFieldValue(t, changed)}`

interface Props {
  /** The unsaved changes. */
  changed: readonly ChangedField[]
  /** The last saved changes. */
  saved: readonly ChangedField[]
  error: ApiError | null
  isPending: boolean
  onUndo: () => void
}

/** The status and buttons of a long form; always visible at its end. */
export function SaveBar({ changed, saved, error, isPending, onUndo }: Props) {
  const { t } = useTranslation()
  const resultText = saved.length
    ? t('regions:saved.done', { fields: saved.map((field) => describeChange(t, field)).join('; ') })
    : null
  return (
    <div className={styles['bar']}>
      {error ? <FailedState error={error} title={t('regions:organizationFailed')} /> : null}
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text
          role="status"
          size="sm"
          className={styles['result'] ?? ''}
          data-saved={saved.length > 0 || undefined}
        >
          {changed.length
            ? t('regions:saved.changed', { count: changed.length })
            : (resultText ?? t('regions:saved.nothing'))}
        </Text>
        <Group gap="sm" wrap="nowrap">
          <Button variant="default" disabled={changed.length === 0 || isPending} onClick={onUndo}>
            {t('regions:saved.undo')}
          </Button>
          <Button type="submit" disabled={changed.length === 0} loading={isPending}>
            {t('kit:save')}
          </Button>
        </Group>
      </Group>
    </div>
  )
}
