import { ActionIcon, Text, UnstyledButton } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './editing.module.css'

interface ChangeRow {
  id: string
  name: string
  kind: 'created' | 'changed' | 'deleted'
  /** Description of the change. */
  text: string
  /** Why it cannot be saved; null if it can. */
  problem: string | null
}

interface Props {
  changes: readonly ChangeRow[]
  onSelect: (id: string) => void
  onRevert: (id: string) => void
}

/** The unsaved changes; each can be selected and reverted. */
export function ChangeList({ changes, onSelect, onRevert }: Props) {
  const { t } = useTranslation()
  if (changes.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {t('map:editing.changes.none')}
      </Text>
    )
  return (
    <ul className={styles['changes']} aria-label={t('map:editing.changes.title')}>
      {changes.map(({ id, name, kind, text, problem: fault }) => (
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
              {text}
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
            aria-label={t('map:editing.changes.revert', { name })}
            onClick={() => onRevert(id)}
          >
            <IconArrowBackUp size={18} />
          </ActionIcon>
        </li>
      ))}
    </ul>
  )
}
