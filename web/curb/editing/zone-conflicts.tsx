import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import styles from '#web/map-page/editing/editing.module.css'
import { Warning } from '#web/kit/warning.tsx'
import type { Conflict } from './edit-state.ts'
import { fieldsChanged, toForm } from './zone-draft.ts'
import { zoneName } from './zone-name.ts'

interface Props {
  conflicts: readonly Conflict[]
  onResolve: (id: string, keep: 'mine' | 'theirs') => void
}

/** Zones that other users saved during editing, with a choice for each. */
export function ZoneConflicts({ conflicts, onResolve }: Props) {
  const { t } = useTranslation()
  return (
    <Warning title={t('curb:editing.conflict.title', { count: conflicts.length })}>
      <Text size="sm">{t('curb:editing.conflict.text')}</Text>
      {conflicts.map(({ id, mine, theirs }) => {
        const form = mine ?? theirs
        const name = form ? zoneName(t, form) : id
        const fields = mine && theirs ? fieldsChanged(toForm(theirs), mine) : []
        return (
          <section key={id} className={styles['part']} aria-label={name}>
            <h3 className={styles['title']}>{name}</h3>
            <Text size="sm">
              {theirs === null
                ? t('curb:editing.conflict.ended')
                : mine === null
                  ? t('curb:editing.conflict.deleted')
                  : t('curb:editing.conflict.differ', {
                      fields: fields.map((field) => t(`curb:editing.field.${field}`)).join(', '),
                    })}
            </Text>
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
