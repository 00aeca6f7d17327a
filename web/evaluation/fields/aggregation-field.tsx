import { Button, Group, Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SpatialAggregation } from '#contract/spatial.ts'
import type { TFunction } from 'i18next'
import type { MapSearch } from '../map-search.ts'

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

/** Aggregations of where trips start, with those of where they end. */
const ends: readonly (readonly [SpatialAggregation, SpatialAggregation])[] = [
  ['origins', 'destinations'],
  ['daily_origins', 'daily_destinations'],
  ['average_origin_distance', 'average_destination_distance'],
]

/** Which trips of the selected shape are shown: those from it, to it, from or to it, or through it. */
type TripFilter = 'from' | 'to' | 'either' | 'through'

/** The aggregation that shows where the trips from a shape end, or where those to it start. */
export function aggregationOfTrips(aggregation: SpatialAggregation, filter: TripFilter): SpatialAggregation {
  if (filter === 'either' || filter === 'through') return aggregation
  const [origin, destination] = ends.find((pair) => pair.includes(aggregation)) ?? ends[0]!
  return filter === 'from' ? destination : origin
}

const filtersOf = (aggregation: SpatialAggregation): readonly TripFilter[] =>
  aggregation === 'intersect'
    ? ['through', 'from', 'to']
    : aggregation === 'orig_or_dest'
      ? ['either', 'from', 'to']
      : ['from', 'to']

interface FilterProps {
  search: MapSearch
  change: (part: Partial<MapSearch>) => void
}

/** Buttons that filter the map by the selected shape; pressed again, one shows all trips. */
export function ShapeFilterButtons({
  search: { aggregation = 'origins', filter_by_shape: isOn },
  change,
}: FilterProps) {
  const { t } = useTranslation()
  return (
    <Group gap={4} mt={8}>
      {filtersOf(aggregation).map((filter) => {
        const target = aggregationOfTrips(aggregation, filter)
        const isShown = isOn === true && target === aggregation
        return (
          <Button
            key={filter}
            size="compact-xs"
            variant={isShown ? 'light' : 'default'}
            aria-pressed={isShown}
            onClick={() =>
              change(
                isShown ? { filter_by_shape: undefined } : { filter_by_shape: true, aggregation: target },
              )
            }
          >
            {t(`evaluation:shapeFilter.${filter}`)}
          </Button>
        )
      })}
    </Group>
  )
}
