import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { type TimeOfDay, minutesPerDay, formatTime } from './time-of-day.ts'

const maxTimeTextLength = 5

/** Removes characters that a time cannot contain. */
export const cleanTimeText = (text: string): string =>
  text.replaceAll(/[^\d:]/g, '').slice(0, maxTimeTextLength)

/**
 * Parses a typed time: `9`, `9:30`, `930`; null without a digit. 24:00 is valid; other times past the end of
 * the day wrap around to 0.
 */
export function parseTime(text: string, isHourOnly = false): TimeOfDay | null {
  if (!/\d/.test(text)) return null
  const [hours, minutes] = splitTimeText(text.trim())
  const hour = Number(hours.replaceAll(/\D/g, ''))
  const minute = isHourOnly ? 0 : Number(minutes.replaceAll(/\D/g, ''))
  if (hour === 24 && minute === 0) return { hour, minute }
  const total = (hour * 60 + minute) % minutesPerDay
  return { hour: Math.floor(total / 60), minute: total % 60 }
}

/**
 * Splits a typed time into hours and minutes. Without a colon, the last two of more than two digits are the
 * minutes.
 */
function splitTimeText(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon !== -1) return [text.slice(0, colon), text.slice(colon + 1)]
  return text.length > 2 ? [text.slice(0, -2), text.slice(-2)] : [text, '']
}

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

/** A time of day as text. The typed text is parsed and formatted on blur or Enter. */
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
  const commit = (): void => {
    if (typed === null) return
    setTyped(null)
    const time = parseTime(typed, isHourOnly)
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
      maxLength={maxTimeTextLength}
      inputMode="text"
      autoComplete="off"
      value={typed ?? (value === null ? '' : formatTime(value))}
      onChange={(event) => setTyped(cleanTimeText(event.currentTarget.value))}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}
