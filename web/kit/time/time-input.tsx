import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { cleanTimeText, longestTimeText, readTime } from './read-time.ts'
import type { TimeOfDay } from './time-of-day.ts'
import { writeTime } from './write-time.ts'

interface Props {
  label: string
  value: TimeOfDay | null
  onChange: (value: TimeOfDay | null) => void
  /** Whole hours only: minutes become 00. */
  isHourOnly?: boolean
  description?: string
  error?: string | null
  required?: boolean
  disabled?: boolean
}

/** A time of the day as text; what was typed counts, and is written out, when the input is left or Enter pressed. */
export function TimeInput({
  label,
  value,
  onChange,
  isHourOnly = false,
  description,
  error,
  required,
  disabled,
}: Props) {
  const [typed, setTyped] = useState<string | null>(null)
  const take = (): void => {
    if (typed === null) return
    setTyped(null)
    const time = readTime(typed, isHourOnly)
    if (time?.hour !== value?.hour || time?.minute !== value?.minute) onChange(time)
  }
  return (
    <TextInput
      label={label}
      description={description}
      error={error}
      required={required}
      disabled={disabled}
      placeholder="00:00"
      maxLength={longestTimeText}
      inputMode="text"
      autoComplete="off"
      value={typed ?? (value === null ? '' : writeTime(value))}
      onChange={(event) => setTyped(cleanTimeText(event.currentTarget.value))}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}
