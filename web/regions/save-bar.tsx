import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#web/data/api-error.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { changedText } from './changed-text.ts'
import type { ChangedField } from './organization-draft.ts'
import styles from './save-bar.module.css'

interface Props {
  /** What is not saved yet, and what was saved last. */
  changed: readonly ChangedField[]
  saved: readonly ChangedField[]
  error: ApiError | null
  isPending: boolean
  onUndo: () => void
}

/** At the foot of a long form, in sight wherever one is in it. */
export function SaveBar({ changed, saved, error, isPending, onUndo }: Props) {
  const { t } = useTranslation()
  const told = saved.length
    ? t('regions:saved.done', { fields: saved.map((each) => changedText(t, each)).join('; ') })
    : null
  return (
    <div className={styles['bar']}>
      {error ? <FailedState error={error} title={t('regions:organizationFailed')} /> : null}
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text
          role="status"
          size="sm"
          className={styles['told'] ?? ''}
          data-saved={saved.length > 0 || undefined}
        >
          {changed.length
            ? t('regions:saved.changed', { count: changed.length })
            : (told ?? t('regions:saved.nothing'))}
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
