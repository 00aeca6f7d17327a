import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { tripAggregations, type TripAggregation } from '#contract/evaluation.ts'
import { aggregationName } from '../aggregation-name.ts'

interface Props {
  value: TripAggregation
  /** Name of the selected shape: then each aggregation is of the trips whose other end is there. */
  shapeName: string | null
  onChange: (value: TripAggregation) => void
}

export function AggregationField({ value, shapeName, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('evaluation:aggregationLabel')} allowDeselect={false} value={value} maxDropdownHeight={360} data={tripAggregations.map((each) => ({ value: each, label: aggregationName(t, each, shapeName) }))}
      onChange={(chosen) => onChange(tripAggregations.find((each) => each === chosen) ?? value)}
    />
  )
}
