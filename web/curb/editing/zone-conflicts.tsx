import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import styles from '#web/map-page/editing/editing.module.css'
import { Warning } from '#web/kit/warning.tsx'
import type { Conflict } from './edit-state.ts'
import { findChangedFields, toForm } from './zone-draft.ts'
import { formatZoneName } from './zone-name.ts'

interface Props {
  conflicts: readonly Conflict[]
  onResolve: (id: string, choice: 'mine' | 'theirs') => void
}

/** Formats which fields differ, or which side no longer has the zone. */
function formatDifference(t: TFunction, { mine, theirs }: Conflict): string {
  if (theirs === null) return t('curb:editing.conflict.ended')
  if (mine === null) return t('curb:editing.conflict.deleted')
  const fields = findChangedFields(toForm(theirs), mine).map((field) => t(`curb:editing.field.${field}`))
  return t('curb:editing.conflict.differ', { fields: fields.join(', ') })
}

/** Zones that other users saved during editing, with a choice for each. */
export function ZoneConflicts({ conflicts, onResolve }: Props) {
  const { t } = useTranslation()
  return (
    <Warning title={t('curb:editing.conflict.title', { count: conflicts.length })}>
      <Text size="sm">{t('curb:editing.conflict.text')}</Text>
      {conflicts.map((conflict) => {
        const { id, mine, theirs } = conflict
        const form = mine ?? theirs
        const name = form ? formatZoneName(t, form) : id
        return (
          <section key={id} className={styles['part']} aria-label={name}>
            <h3 className={styles['title']}>{name}</h3>
            <Text size="sm">{formatDifference(t, conflict)}</Text>
            <Group gap={4}>
              <Button size="xs" onClick={() => onResolve(id, 'theirs')}>
                {t('curb:editing.conflict.theirs')}
              </Button>
              <Button size="xs" variant="default" onClick={() => onResolve(id, 'mine')}>
                {t('curb:editing.conflict.mine')}
              </Button>
            </Group>
          </section>
        )
      })}
    </Warning>
  )
}
