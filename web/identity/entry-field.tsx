import { useId, type ComponentProps, type ReactNode } from 'react'
import styles from './entry-field.module.css'

interface Props extends Omit<ComponentProps<'input'>, 'id' | 'className' | 'value' | 'onChange'> {
  label: string
  value: string
  onFill?: (value: string) => void
  hint?: string
  error?: string | null
  /** A button inside the field. */
  aside?: ReactNode
}

/** A text field for the pages before sign-in. Plain HTML: Mantine's fields would add 8 kB to them. */
export function EntryField({ label, value, onFill, hint, error, aside, ...input }: Props) {
  const id = useId()
  const descriptionIds = [hint ? `${id}-hint` : null, error ? `${id}-error` : null].filter(Boolean).join(' ')
  return (
    <div className={styles['field']}>
      <label htmlFor={id} className={styles['label']}>
        {label}
      </label>
      <div className={styles['box']}>
        <input
          {...input}
          id={id}
          className={styles['input']}
          value={value}
          aria-invalid={error ? true : undefined}
          aria-describedby={descriptionIds || undefined}
          onChange={(event) => onFill?.(event.currentTarget.value)}
        />
        {aside}
      </div>
      {hint ? (
        <p id={`${id}-hint`} className={styles['hint']}>
          {hint}
        </p>
      ) : null}
      {error ? (
        <p id={`${id}-error`} className={styles['error']} role="alert">
          {error}
        </p>
      ) : null}
    </div>
  )
}
