import { Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { truncateText, maxTagLength } from './truncate-text.ts'
import styles from './tag-list.module.css'
import { TagText } from './tag-text.tsx'

export interface Tag {
  key: string
  text: string
}

interface Props {
  /** Accessible name of the list. */
  label: string
  tags: readonly Tag[]
  /** Maximum number of characters per tag. */
  maxLength?: number
  /** Without it, tags cannot be removed. */
  onRemove?: (key: string) => void
}

/** A list of short names. */
export function TagList({ label, tags, maxLength = maxTagLength, onRemove }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['tags']} aria-label={label}>
      {tags.map(({ key, text }) => (
        <li key={key} className={styles['tag']}>
          <TagText text={text} maxLength={maxLength} isReachable={onRemove === undefined} />
          {onRemove ? (
            <Tooltip label={text} disabled={truncateText(text, maxLength) === text}>
              <button
                type="button"
                className={styles['remove']}
                aria-label={t('kit:removeTag', { name: text })}
                onClick={() => onRemove(key)}
              >
                <IconX size={14} aria-hidden="true" />
              </button>
            </Tooltip>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
