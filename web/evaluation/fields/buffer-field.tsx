import { Button, Group, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxBufferMeters } from '#contract/map-names.ts'
import { marginMeters, toMarginUnit } from '#web/kit/format.ts'
import { formatMargin } from '#web/map-page/by-shape/format-value.ts'

interface Props {
  /** Meters that the layer offers. */
  offered: readonly number[]
  /** Meters. */
  value: number
  isMetric: boolean
  onChange: (value: number) => void
}

/** The buffer around areas: a distance that the layer offers, or a typed one. */
export function BufferField({ offered, value, isMetric, onChange }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<number | string | null>(null)
  const apply = (): void => {
    if (typed === null) return
    setTyped(null)
    const meters = Math.round(marginMeters(Number(typed) || 0, isMetric))
    onChange(Math.min(maxBufferMeters, Math.max(0, meters)))
  }
  const distance = (meters: number): string => formatMargin(meters, isMetric)
  const choices = [...new Set([0, ...offered])].toSorted((a, b) => a - b)
  return (
    <div>
      <NumberInput
        label={t('evaluation:buffer.label')}
        description={
          value > 0 ? t('evaluation:buffer.hint', { distance: distance(value) }) : t('evaluation:buffer.none')
        }
        suffix={isMetric ? ' m' : ' ft'}
        min={0}
        max={toMarginUnit(maxBufferMeters, isMetric)}
        step={10}
        allowDecimal={false}
        clampBehavior="blur"
        thousandSeparator=","
        value={typed ?? toMarginUnit(value, isMetric)}
        onChange={setTyped}
        onBlur={apply}
        onKeyDown={(event) => {
          if (event.key === 'Enter') apply()
        }}
      />
      {choices.length > 1 ? (
        <Group gap={4} mt={4}>
          {choices.map((meters) => (
            <Button
              key={meters}
              size="compact-xs"
              variant={meters === value ? 'light' : 'subtle'}
              aria-pressed={meters === value}
              onClick={() => {
                setTyped(null)
                onChange(meters)
              }}
            >
              {distance(meters)}
            </Button>
          ))}
        </Group>
      ) : null}
    </div>
  )
}
