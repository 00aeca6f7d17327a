import { Button, Group } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { SpatialAggregation } from '#contract/spatial.ts'
import type { MapSearch } from '#web/map-page/by-shape/map-search.ts'

/** Aggregations by origin, each with its counterpart by destination. */
const endPairs: readonly (readonly [SpatialAggregation, SpatialAggregation])[] = [
  ['origins', 'destinations'],
  ['daily_origins', 'daily_destinations'],
  ['average_origin_distance', 'average_destination_distance'],
]

/** Trips from, to, from or to, or through the selected shape. */
type TripFilter = 'from' | 'to' | 'either' | 'through'

/** Returns the aggregation that a filter shows: trips from a shape by destinations, to it by origins. */
export function aggregationOfTrips(aggregation: SpatialAggregation, filter: TripFilter): SpatialAggregation {
  if (filter === 'either' || filter === 'through') return aggregation
  const [origin, destination] = endPairs.find((pair) => pair.includes(aggregation)) ?? endPairs[0]!
  return filter === 'from' ? destination : origin
}

function getFilters(aggregation: SpatialAggregation): readonly TripFilter[] {
  if (aggregation === 'intersect') return ['through', 'from', 'to']
  return aggregation === 'orig_or_dest' ? ['either', 'from', 'to'] : ['from', 'to']
}

interface FilterProps {
  search: MapSearch
  change: (changes: Partial<MapSearch>) => void
}

/** Buttons that filter the map by the selected shape; pressing an active button shows all trips. */
export function ShapeFilterButtons({
  search: { aggregation = 'origins', filter_by_shape: isFiltered },
  change,
}: FilterProps) {
  const { t } = useTranslation()
  return (
    <Group gap={4} mt={8}>
      {getFilters(aggregation).map((filter) => {
        const filteredAggregation = aggregationOfTrips(aggregation, filter)
        const isActive = isFiltered === true && filteredAggregation === aggregation
        return (
          <Button
            key={filter}
            size="compact-xs"
            variant={isActive ? 'light' : 'default'}
            aria-pressed={isActive}
            onClick={() =>
              change(
                isActive
                  ? { filter_by_shape: undefined }
                  : { filter_by_shape: true, aggregation: filteredAggregation },
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
