import { Group, Input, RangeSlider, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

export type Hours = [from: number, to: number]

interface Props {
  value: Hours
  onChange: (value: Hours) => void
}

const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`
const marks = [0, 6, 12, 18, 24].map((value) => ({ value, label: String(value) }))

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
        <Text size="sm" c="dimmed" className="figures">
          {clock(shown[0])} – {clock(shown[1])}
        </Text>
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
    </div>
  )
}
