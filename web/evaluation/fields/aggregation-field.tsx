import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SpatialAggregation } from '#contract/spatial.ts'
import type { TFunction } from 'i18next'

/** What an aggregation is called: where a selected shape filters the map, it tells of the trips whose other end is there. */
export const aggregationName = (
  t: TFunction,
  aggregation: SpatialAggregation,
  shapeName: string | null,
): string =>
  shapeName === null
    ? t(`evaluation:aggregation.${aggregation}.name`)
    : t([`evaluation:aggregation.${aggregation}.of`, `evaluation:aggregation.${aggregation}.name`], {
        shape: shapeName,
      })

interface Props {
  offered: readonly SpatialAggregation[]
  value: SpatialAggregation
  /** Name of the selected shape where it filters the map: then each aggregation is of the trips whose other end is there. */
  shapeName: string | null
  onChange: (value: SpatialAggregation) => void
}

export function AggregationField({ offered, value, shapeName, onChange }: Props) {
  const { t } = useTranslation()
  return (
    <Select
      label={t('evaluation:aggregationLabel')}
      allowDeselect={false}
      value={value}
      maxDropdownHeight={360}
      data={offered.map((each) => ({ value: each, label: aggregationName(t, each, shapeName) }))}
      onChange={(chosen) => onChange(offered.find((each) => each === chosen) ?? value)}
    />
  )
}
