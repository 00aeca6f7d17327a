import { Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { cutText, tagLength } from './cut-text.ts'
import styles from './tag-list.module.css'
import { TagText } from './tag-text.tsx'

export interface Tag {
  key: string
  text: string
}

interface Props {
  /** What the tags are, for screen readers. */
  label: string
  tags: readonly Tag[]
  /** Characters of a label that are shown. */
  longest?: number
  /** Without it the tags only tell. */
  onRemove?: (key: string) => void
}

/** Names beside one another. */
export function TagList({ label, tags, longest = tagLength, onRemove }: Props) {
  const { t } = useTranslation()
  return (
    <ul className={styles['tags']} aria-label={label}>
      {tags.map(({ key, text }) => (
        <li key={key} className={styles['tag']}>
          <TagText text={text} longest={longest} isReachable={onRemove === undefined} />
          {onRemove ? (
            <Tooltip label={text} disabled={cutText(text, longest) === text}>
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
