import type { ComponentProps } from 'react'
import { EntryField } from './entry-field.tsx'

const length = 6

/** A code of digits: other characters are removed while it is typed or pasted. */
export function CodeField({
  onFill,
  ...props
}: Omit<ComponentProps<typeof EntryField>, 'type' | 'inputMode' | 'autoComplete'>) {
  return (
    <EntryField
      {...props}
      type="text"
      inputMode="numeric"
      autoComplete="one-time-code"
      onFill={(text) => onFill?.(text.replace(/\D/g, '').slice(0, length))}
    />
  )
}
