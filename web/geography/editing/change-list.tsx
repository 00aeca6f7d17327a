import { ActionIcon, Text, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { DraftChange } from '../draft/draft.ts'
import styles from './editing.module.css'

interface Props {
  changes: readonly DraftChange[]
  /** What the server said against a shape. */
  faults: ReadonlyMap<string, string>
  /** Shapes with a geometry that cannot be saved. */
  wrong: ReadonlySet<string>
  onSelect: (id: string) => void
  onRevert: (id: string) => void
}

/** What will be saved, each to be looked at or taken back. */
export function ChangeList({ changes, faults, wrong, onSelect, onRevert }: Props) {
  const { t } = useTranslation()
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('geography:changes.none')}
      </Text>
    )
  return (
    <ul className={styles['changes']} aria-label={t('geography:changes.title')}>
      {changes.map(({ id, name, kind, parts }) => {
        const what =
          kind === 'changed'
            ? parts.map((part) => t(`geography:part.${part}`)).join(', ')
            : t(`geography:act.${kind}`)
        const fault = faults.get(id) ?? (wrong.has(id) ? t('geography:problem.short') : null)
        return (
          <li key={id} data-kind={kind}>
            <div className={styles['change']}>
              {kind === 'deleted' ? (
                <span className={styles['gone']}>{name}</span>
              ) : (
                <UnstyledButton className={styles['link'] ?? ''} onClick={() => onSelect(id)}>
                  {name}
                </UnstyledButton>
              )}
              <Text size="xs" c="dimmed">
                {what}
              </Text>
              {fault ? (
                <Text size="xs" c="var(--red)">
                  {fault}
                </Text>
              ) : null}
            </div>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('geography:changes.revert', { name })}
              onClick={() => onRevert(id)}
            >
              <IconArrowBackUp size={18} />
            </ActionIcon>
          </li>
        )
      })}
    </ul>
  )
}
