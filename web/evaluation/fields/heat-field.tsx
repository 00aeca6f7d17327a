import { Input, SegmentedControl } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { heatPlaces } from '../trips-search.ts'

type HeatPlace = (typeof heatPlaces)[number]

interface Props {
  value: HeatPlace | undefined
  onChange: (value: HeatPlace | undefined) => void
}

export function HeatField({ value, onChange }: Props) {
  const { t } = useTranslation()
  const data = ['off', ...heatPlaces].map((each) => ({ value: each, label: t(`evaluation:heat.${each}`) }))
  return (
    <div role="group" aria-label={t('evaluation:heat.label')}>
      <Input.Label component="div" aria-hidden="true">{t('evaluation:heat.label')}</Input.Label>
      <SegmentedControl fullWidth mt={4} size="sm" data={data} value={value ?? 'off'} aria-label={t('evaluation:heat.label')} onChange={(chosen) => onChange(heatPlaces.find((each) => each === chosen))} />
      <Input.Description mt={4}>{t('evaluation:heat.hint')}</Input.Description>
    </div>
  )
}
