import { Tooltip } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import styles from './tag-list.module.css'

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

interface TagTextProps {
  text: string
  maxLength?: number
  /** Focusable, so that keyboard users can read the full text in the tooltip. */
  isReachable?: boolean
}

/** Text of a tag, truncated if it is long; the full text is in the tooltip and read by screen readers. */
export function TagText({ text, maxLength = maxTagLength, isReachable = false }: TagTextProps) {
  const truncatedText = truncateText(text, maxLength)
  if (truncatedText === text) return <span>{text}</span>
  return (
    <Tooltip label={text}>
      <span tabIndex={isReachable ? 0 : undefined}>
        <span aria-hidden="true">{truncatedText}</span>
        <span className="visually-hidden">{text}</span>
      </span>
    </Tooltip>
  )
}

export const maxTagLength = 20

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Truncates a text to a number of characters (graphemes) and appends an ellipsis. */
export function truncateText(text: string, maxLength: number = maxTagLength): string {
  const characters = [...segmenter.segment(text)].map(({ segment }) => segment)
  return characters.length <= maxLength ? text : `${characters.slice(0, maxLength).join('').trimEnd()}…`
}
