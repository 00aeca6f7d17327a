import type { ComponentProps } from 'react'
import { EntryField } from './entry-field.tsx'

const codeLength = 6

/** A field for a code of six digits: other characters are removed as they are typed or pasted. */
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
      onFill={(text) => onFill?.(text.replace(/\D/g, '').slice(0, codeLength))}
    />
  )
}
