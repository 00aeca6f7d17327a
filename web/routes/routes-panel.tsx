import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { FilterFields } from '#web/filters/filter-fields.tsx'
import { useOptionCounts } from '#web/filters/option-counts.ts'
import { selectedPeriod } from '#web/filters/period.ts'
import { dataColors } from '#web/kit/theme.ts'
import { useMapScheme } from '#web/map/use-map-scheme.ts'
import { type RoutesSearch, shownDirections } from './routes-search.ts'
import { RoutesStatistics } from './routes-statistics.tsx'
import type { RoutesState } from './use-routes.ts'

interface Props {
  region: Region
  today: LocalDay
  search: RoutesSearch
  change: (changes: Partial<RoutesSearch>) => void
  routes: RoutesState
}

/** The filters of the routes map, and statistics of the matching trips. */
export function RoutesPanel({ region, today, search, change, routes }: Props) {
  const { t } = useTranslation()
  const scheme = useMapScheme()
  const counts = useOptionCounts(region.regionId, 'trips', selectedPeriod(search, today), search)
  return (
    <>
      <FilterFields
        filters={[
          { kind: 'period', today },
          { kind: 'weekdays' },
          { kind: 'hours' },
          // Only operators that report routes are offered.
          { kind: 'operators', operators: routes.operators, counts },
          { kind: 'vehicleTypes', present: routes.vehicleTypes, counts },
          {
            kind: 'choice',
            key: 'direction',
            label: t('routes:direction.label'),
            defaultValue: 'both',
            options: shownDirections.map((value) => ({ value, text: t(`routes:direction.${value}`) })),
          },
          { kind: 'colors', palettes: dataColors[scheme].lines },
        ]}
        state={search}
        onChange={change}
      />
      {routes.statistics ? (
        <RoutesStatistics
          statistics={routes.statistics}
          isMetric={region.isMetric}
          onSelect={(route) => change({ route })}
        />
      ) : null}
    </>
  )
}
