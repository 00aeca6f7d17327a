import { Button, Group, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxBufferMeters } from '#contract/map-names.ts'
import { toMarginMeters, toMarginUnit } from '#web/kit/format.ts'
import { formatMargin } from '#web/map-page/by-shape/format-value.ts'

interface Props {
  /** Meters that the layer offers. */
  offered: readonly number[]
  /** Meters. */
  value: number
  /** Whether meters are shown, otherwise feet. */
  isMetric: boolean
  onChange: (value: number) => void
}

/** The buffer around areas: a distance that the layer offers, or a typed one. */
export function BufferField({ offered, value, isMetric, onChange }: Props) {
  const { t } = useTranslation()
  const [typedDistance, setTypedDistance] = useState<number | string | null>(null)
  const applyTypedDistance = (): void => {
    if (typedDistance === null) return
    setTypedDistance(null)
    const meters = Math.round(toMarginMeters(Number(typedDistance) || 0, isMetric))
    onChange(Math.min(maxBufferMeters, Math.max(0, meters)))
  }
  const formatDistance = (meters: number): string => formatMargin(meters, isMetric)
  const choices = [...new Set([0, ...offered])].toSorted((a, b) => a - b)
  return (
    <div>
      <NumberInput
        label={t('evaluation:buffer.label')}
        description={
          value > 0
            ? t('evaluation:buffer.hint', { distance: formatDistance(value) })
            : t('evaluation:buffer.none')
        }
        suffix={isMetric ? ' m' : ' ft'}
        min={0}
        max={toMarginUnit(maxBufferMeters, isMetric)}
        step={10}
        allowDecimal={false}
        clampBehavior="blur"
        thousandSeparator=","
        value={typedDistance ?? toMarginUnit(value, isMetric)}
        onChange={setTypedDistance}
        onBlur={applyTypedDistance}
        onKeyDown={(event) => {
          if (event.key === 'Enter') applyTypedDistance()
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
                setTypedDistance(null)
                onChange(meters)
              }}
            >
              {formatDistance(meters)}
            </Button>
          ))}
        </Group>
      ) : null}
    </div>
  )
}
