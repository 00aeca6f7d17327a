import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { vehicleTypeTexts, type VehicleType } from '#contract/mobility.ts'

interface Props {
  /** The types that the region's facts have. */
  present: readonly VehicleType[]
  value: VehicleType | undefined
  onChange: (value: VehicleType | undefined) => void
}

const all = 'all'
const every = Object.keys(vehicleTypeTexts) as VehicleType[]

export function VehicleTypeField({ present, value, onChange }: Props) {
  const { t } = useTranslation()
  const types = every.filter((type) => present.length === 0 || present.includes(type) || type === value)
  return (
    <Select
      label={t('filters:vehicleType.label')}
      allowDeselect={false}
      value={value ?? all}
      data={[
        { value: all, label: t('filters:vehicleType.all') },
        ...types.map((type) => ({ value: type, label: vehicleTypeTexts[type] })),
      ]}
      onChange={(chosen) => onChange(every.find((type) => type === chosen))}
    />
  )
}
