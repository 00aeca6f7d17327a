import { Input, SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HeatPlace } from '#web/map-page/by-shape/map-search.ts'
import type { MapMode } from '#web/map-page/by-shape/map-mode.ts'

interface Props {
  mode: MapMode
  value: HeatPlace | undefined
  onChange: (value: HeatPlace | undefined) => void
}

/** Chooses the points of a heat map, or shows values instead; nothing on maps without heat. */
export function HeatField({ mode, value, onChange }: Props) {
  const { t } = useTranslation()
  const places = mode.heat?.places ?? []
  if (places.length === 0) return null
  const data = ['off', ...places].map((place) => ({ value: place, label: t(`evaluation:heat.${place}`) }))
  return (
    <div role="group" aria-label={t('evaluation:heat.label')}>
      <Input.Label component="div" aria-hidden="true">
        {t('evaluation:heat.label')}
      </Input.Label>
      <SegmentedControl
        fullWidth
        mt={4}
        size="sm"
        data={data}
        value={value ?? 'off'}
        aria-label={t('evaluation:heat.label')}
        onChange={(selected) => onChange(places.find((place) => place === selected))}
      />
      <Input.Description mt={4}>{t(`evaluation:heat.hint.${mode.key}`)}</Input.Description>
    </div>
  )
}
