import { Button, Group, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Scheme } from '#web/kit/theme.ts'
import { Warning } from '#web/kit/warning.tsx'
import { getComparedStyle } from '#web/map/layers/geography-shapes.ts'
import styles from '#web/map-page/editing/editing.module.css'
import type { Conflict } from '../draft/conflicts.ts'
import { findChangedParts } from '../draft/draft.ts'

interface Props {
  conflicts: readonly Conflict[]
  scheme: Scheme
  onShow: (id: string) => void
  onResolve: (id: string, keep: 'mine' | 'theirs', thenEdit: boolean) => void
}

/** Shapes that other users saved during editing: the difference, and the choice. */
export function ConflictList({ conflicts, scheme, onShow, onResolve }: Props) {
  const { t } = useTranslation()
  return (
    <Warning title={t('geography:conflict.title', { count: conflicts.length })}>
      <Text size="sm">{t('geography:conflict.text')}</Text>
      <ul className={styles['legend']} aria-label={t('geography:conflict.legend')}>
        {(['base', 'theirs', 'mine'] as const).map((role) => {
          const { color, dash } = getComparedStyle(scheme, role)
          return (
            <li key={role}>
              <svg width={32} height={6} aria-hidden="true">
                <line
                  x1={0}
                  y1={3}
                  x2={32}
                  y2={3}
                  stroke={color}
                  strokeWidth={3}
                  {...(dash[1] > 0 ? { strokeDasharray: dash.map((length) => length * 3).join(' ') } : {})}
                />
              </svg>
              {t(`geography:conflict.${role}`)}
            </li>
          )
        })}
      </ul>
      {conflicts.map((conflict) => {
        const { id, base, mine, theirs } = conflict
        const name = (mine ?? theirs ?? base).name
        return (
          <section key={id} className={styles['part']} aria-label={name}>
            <h3 className={styles['title']}>{name}</h3>
            <Text size="sm">
              {t('geography:conflict.mineDid', { what: formatConflictChange(t, base, mine) })}
            </Text>
            <Text size="sm">
              {t('geography:conflict.theirsDid', { what: formatConflictChange(t, base, theirs) })}
            </Text>
            {theirs && theirs.name !== name ? (
              <Text size="sm">{t('geography:conflict.theirName', { name: theirs.name })}</Text>
            ) : null}
            <Group gap={4}>
              <Button size="xs" onClick={() => onResolve(id, 'theirs', false)}>
                {t('geography:conflict.keepTheirs')}
              </Button>
              <Button size="xs" variant="default" onClick={() => onResolve(id, 'mine', false)}>
                {t('geography:conflict.keepMine')}
              </Button>
              {mine ? (
                <Button size="xs" variant="default" onClick={() => onResolve(id, 'mine', true)}>
                  {t('geography:conflict.editOn')}
                </Button>
              ) : null}
              {conflicts.length > 1 ? (
                <Button size="xs" variant="subtle" onClick={() => onShow(id)}>
                  {t('geography:conflict.show')}
                </Button>
              ) : null}
            </Group>
          </section>
        )
      })}
    </Warning>
  )
}

type Translate = ReturnType<typeof useTranslation>['t']

const formatConflictChange = (t: Translate, base: Conflict['base'], now: Conflict['mine']): string =>
  now === null
    ? t('geography:act.deleted')
    : findChangedParts(base, now)
        .map((part) => t(`geography:part.${part}`))
        .join(', ') || t('geography:conflict.nothing')
