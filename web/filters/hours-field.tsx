import { Button, Group, Input, RangeSlider, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatHourOfDay, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import styles from './hours-field.module.css'

/** A range of hours of the day, 0 to 24, end excluded. */
export type Hours = [from: number, to: number]

interface Props {
  value: Hours
  onChange: (value: Hours) => void
}

const formatHour = (hour: number): string => formatTimeOfDay({ hour, minute: 0 })
const markedHours = [0, 6, 12, 18, 24]

const hourPattern = /(?<digits>\d{1,2})(?::?\d\d)?\s*(?<meridiem>[ap])?/i

/** Parses a typed hour: `17`, `17:00`, `5 PM`; null without a digit. */
export function parseHour(typed: string): number | null {
  const { digits, meridiem } = hourPattern.exec(typed)?.groups ?? {}
  if (digits === undefined) return null
  const hour = Number(digits)
  if (meridiem === undefined || hour > 12) return hour
  return (hour % 12) + (meridiem.toLowerCase() === 'p' ? 12 : 0)
}

const dayParts: readonly (readonly [string, Hours])[] = [
  ['allDay', [0, 24]],
  ['morning', [6, 10]],
  ['midday', [10, 15]],
  ['evening', [15, 20]],
]

interface HourInputProps {
  label: string
  value: number
  min: number
  max: number
  onType: (hour: number) => void
}

/** An input for a whole hour; the typed text is applied on blur or Enter. */
function HourInput({ label, value, min, max, onType }: HourInputProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const commit = (): void => {
    if (typed === null) return
    setTyped(null)
    const hour = parseHour(typed)
    if (hour !== null && hour !== value) onType(Math.min(max, Math.max(min, hour)))
  }
  return (
    <TextInput
      size="xs"
      className={styles['hour'] ?? ''}
      aria-label={label}
      value={typed ?? formatHour(value)}
      autoComplete="off"
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit()
      }}
    />
  )
}

/** A range of hours of the local day. The slider applies it when it is released, not at every step. */
export function HoursField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const [draggedHours, setDraggedHours] = useState<Hours | null>(null)
  const shownHours = draggedHours ?? value
  const [from, to] = shownHours
  return (
    <div role="group" aria-label={t('filters:hours.label')}>
      <Group justify="space-between" wrap="nowrap" gap={8}>
        <Input.Label component="div" aria-hidden="true">
          {t('filters:hours.label')}
        </Input.Label>
        <Group gap={4} wrap="nowrap">
          <HourInput
            label={t('filters:hours.typeFrom')}
            value={from}
            min={0}
            max={to - 1}
            onType={(hour) => onChange([hour, to])}
          />
          <span aria-hidden="true">–</span>
          <HourInput
            label={t('filters:hours.typeTo')}
            value={to}
            min={from + 1}
            max={24}
            onType={(hour) => onChange([from, hour])}
          />
        </Group>
      </Group>
      <RangeSlider
        min={0}
        max={24}
        step={1}
        minRange={1}
        label={null}
        marks={markedHours.map((hour) => ({ value: hour, label: formatHourOfDay(hour) }))}
        value={shownHours}
        mt={8}
        mb={20}
        mx={8}
        thumbSize={20}
        size={6}
        thumbFromLabel={t('filters:hours.from')}
        thumbToLabel={t('filters:hours.to')}
        thumbValueText={formatHour}
        onChange={setDraggedHours}
        onChangeEnd={(next) => {
          setDraggedHours(null)
          onChange(next)
        }}
      />
      <Group gap={0} justify="space-between">
        {dayParts.map(([part, hours]) => {
          const isActive = from === hours[0] && to === hours[1]
          return (
            <Button
              key={part}
              size="compact-xs"
              px={4}
              variant={isActive ? 'light' : 'subtle'}
              aria-pressed={isActive}
              onClick={() => onChange([...hours])}
            >
              {t(`filters:hours.${part}`)}
            </Button>
          )
        })}
      </Group>
    </div>
  )
}
