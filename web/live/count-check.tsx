import { Checkbox } from '@mantine/core'
import type { CSSProperties } from 'react'
import { formatInteger } from '#web/kit/format.ts'
import styles from './count-check.module.css'

interface Props {
  label: string
  count: number
  /** Color of the swatch; absent if there is none. */
  color?: string | undefined
  isChecked: boolean
  onToggle: () => void
}

export function CountCheck({ label, count, color, isChecked, onToggle }: Props) {
  return (
    <Checkbox
      size="sm"
      checked={isChecked}
      onChange={onToggle}
      classNames={{
        body: styles['body'] ?? '',
        labelWrapper: styles['wrapper'] ?? '',
        label: styles['label'] ?? '',
      }}
      label={
        <>
          {color === undefined ? null : (
            <span
              className={styles['swatch']}
              aria-hidden="true"
              style={{ '--swatch': color } as CSSProperties}
            />
          )}
          <span className={styles['text']}>{label}</span>
          <span className={styles['count']}>{formatInteger(count)}</span>
        </>
      }
    />
  )
}
