import { Button, Group, Input, NumberInput, RangeSlider } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

export type Hours = [from: number, to: number]

interface Props {
  value: Hours
  onChange: (value: Hours) => void
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
const marks = [0, 6, 12, 18, 24].map((value) => ({ value, label: String(value) }))

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

/** A whole hour; it counts once it is complete. */
function HourInput({ label, value, min, max, onType }: HourInputProps) {
  const [typed, setTyped] = useState<number | string | null>(null)
  const take = (): void => {
    if (typed === null) return
    setTyped(null)
    const hour = Number(typed)
    if (typed !== '' && hour !== value) onType(Math.min(max, Math.max(min, Math.round(hour))))
  }
  return (
    <NumberInput
      size="xs"
      w={58}
      aria-label={label}
      value={typed ?? value}
      min={0}
      max={24}
      allowDecimal={false}
      hideControls
      suffix=":00"
      onChange={setTyped}
      onBlur={take}
      onKeyDown={(event) => {
        if (event.key === 'Enter') take()
      }}
    />
  )
}

/** Hours of the local day; asked when the slider is let go, not at every step. */
export function HoursField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const [moving, setMoving] = useState<Hours | null>(null)
  const shown = moving ?? value
  return (
    <div role="group" aria-label={t('filters:hours.label')}>
      <Group justify="space-between" wrap="nowrap">
        <Input.Label component="div" aria-hidden="true">
          {t('filters:hours.label')}
        </Input.Label>
        <Group gap={4} wrap="nowrap">
          <HourInput
            label={t('filters:hours.typeFrom')}
            value={shown[0]}
            min={0}
            max={shown[1] - 1}
            onType={(hour) => onChange([hour, shown[1]])}
          />
          <span aria-hidden="true">–</span>
          <HourInput
            label={t('filters:hours.typeTo')}
            value={shown[1]}
            min={shown[0] + 1}
            max={24}
            onType={(hour) => onChange([shown[0], hour])}
          />
        </Group>
      </Group>
      <RangeSlider
        min={0}
        max={24}
        step={1}
        minRange={1}
        label={null}
        marks={marks}
        value={shown}
        mt={8}
        mb={20}
        mx={8}
        thumbSize={20}
        size={6}
        thumbFromLabel={t('filters:hours.from')}
        thumbToLabel={t('filters:hours.to')}
        thumbValueText={clock}
        onChange={setMoving}
        onChangeEnd={(next) => {
          setMoving(null)
          onChange(next)
        }}
      />
      <Group gap={0} justify="space-between">
        {dayParts.map(([part, hours]) => {
          const isShown = shown[0] === hours[0] && shown[1] === hours[1]
          return (
            <Button
              key={part}
              size="compact-xs"
              px={4}
              variant={isShown ? 'light' : 'subtle'}
              aria-pressed={isShown}
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
