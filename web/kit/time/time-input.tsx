import { Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import {
  type TimeOfDay,
  minutesPerDay,
  formatClock,
  formatHourOfDay,
  formatTimeOfDay,
} from './time-of-day.ts'

const maxTimeTextLength = 5

/** Removes characters that a time cannot contain. */
export const cleanTimeText = (text: string): string =>
  text.replaceAll(/[^\d:]/g, '').slice(0, maxTimeTextLength)

/** Parses a typed time: `9`, `9:30`, `930`; null without a digit. Times past 24:00 wrap around to 0. */
export function parseTime(text: string, isHourOnly = false): TimeOfDay | null {
  if (!/\d/.test(text)) return null
  const [hours, minutes] = splitTimeText(text.trim())
  const hour = Number(hours.replaceAll(/\D/g, ''))
  const minute = isHourOnly ? 0 : Number(minutes.replaceAll(/\D/g, ''))
  if (hour === 24 && minute === 0) return { hour, minute }
  const totalMinutes = (hour * 60 + minute) % minutesPerDay
  return { hour: Math.floor(totalMinutes / 60), minute: totalMinutes % 60 }
}

/** Splits a typed time into hours and minutes: without a colon, the last two of three or more digits. */
function splitTimeText(text: string): [string, string] {
  const colon = text.indexOf(':')
  if (colon !== -1) return [text.slice(0, colon), text.slice(colon + 1)]
  return text.length > 2 ? [text.slice(0, -2), text.slice(-2)] : [text, '']
}

/**
 * Returns the text of the input after typing. AM and PM, also just `a` and `p`, become 24 hours, because the input
 * only has room for these: `6:30 p` becomes `18:30`.
 */
export function toInputText(text: string): string {
  const halfDayLetter = /[ap]/i.exec(text)?.[0].toLowerCase()
  const time = halfDayLetter ? parseTime(cleanTimeText(text)) : null
  if (!time) return cleanTimeText(text)
  return formatClock({ hour: (time.hour % 12) + (halfDayLetter === 'p' ? 12 : 0), minute: time.minute })
}

/** Formats the time with AM or PM, as short as possible; null in languages that count to 24. */
function formatHalfDay(time: TimeOfDay): string | null {
  if (formatTimeOfDay(time) === formatClock(time)) return null
  return time.minute === 0 ? formatHourOfDay(time.hour) : formatTimeOfDay(time)
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

/**
 * A time of day in 24 hours as text (specification 1, "Time-of-day entry"), with the same time beside it in
 * languages with AM and PM. The typed text is parsed and formatted on blur or Enter.
 */
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
  const text = typed ?? (value === null ? '' : formatClock(value))
  const time = parseTime(text, isHourOnly)
  const halfDayText = time && formatHalfDay(time)
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
      value={text}
      rightSection={
        halfDayText ? (
          <Text span fz={11} c="dimmed" className="figures">
            {halfDayText}
          </Text>
        ) : null
      }
      rightSectionPointerEvents="none"
      rightSectionWidth={halfDayText ? halfDayText.length * 6 + 10 : 0}
      onChange={(event) => setTyped(toInputText(event.currentTarget.value))}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
        // The browser refuses further characters in a full input.
        if (!/^[ap]$/i.test(event.key) || event.ctrlKey || event.metaKey || event.altKey) return
        event.preventDefault()
        setTyped(toInputText(text + event.key))
      }}
    />
  )
}
