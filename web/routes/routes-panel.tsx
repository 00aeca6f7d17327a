import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { ColorField } from '#web/filters/color-field.tsx'
import { HoursField } from '#web/filters/hours-field.tsx'
import { PeriodField } from '#web/filters/period-field.tsx'
import { VehicleTypeField } from '#web/filters/vehicle-type-field.tsx'
import { WeekdaysField } from '#web/filters/weekdays-field.tsx'
import { chosenPeriod, periodState } from '#web/filters/period.ts'
import type { Scheme } from '#web/kit/theme.ts'
import { DirectionField } from './direction-field.tsx'
import { RoutesOperatorField } from './routes-operator-field.tsx'
import type { RoutesSearch } from './routes-search.ts'
import { RoutesStatistics } from './routes-statistics.tsx'
import type { useRoutes } from './use-routes.ts'
import { Anchor } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { getRoutePublishing, setRoutePublishing } from '#contract/routes.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { SettingSwitch } from '#web/kit/setting-switch.tsx'
import { useMe } from '#web/shell/me.tsx'

/** Switches the public map on and off, for those who may; others see where it is, if it is on. */
function PublishField({ regionId }: { regionId: string }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const asked = { params: { region_id: regionId } }
  const { data } = useEndpointQuery(getRoutePublishing, asked)
  const change = useEndpointMutation(setRoutePublishing, [getRoutePublishing])
  if (!data || (!data.published && !can('publish_to_public_map'))) return null
  return (
    <div>
      {can('publish_to_public_map') ? (
        <SettingSwitch
          label={t('routes:publish.label')}
          description={t('routes:publish.text')}
          checked={data.published}
          disabled={change.isPending}
          error={change.isError ? t('routes:publish.failed') : null}
          onChange={(event) => change.mutate({ ...asked, body: { published: event.currentTarget.checked } })}
        />
      ) : null}
      {data.published ? (
        <Anchor href={`/${regionId}/public/routes`} target="_blank" size="sm">
          {t('routes:publish.open')}
        </Anchor>
      ) : null}
    </div>
  )
}

interface Props {
  region: Region
  today: LocalDay
  scheme: Scheme
  search: RoutesSearch
  change: (part: Partial<RoutesSearch>) => void
  routes: ReturnType<typeof useRoutes>
}

/** The filters of the routes map, and the statistics of what they let through. */
export function RoutesPanel({ region, today, scheme, search, change, routes }: Props) {
  return (
    <>
      <PeriodField
        value={chosenPeriod(search, today)}
        today={today}
        onChange={(period) => change(periodState(period, today))}
      />
      <WeekdaysField value={search.days ?? []} onChange={(days) => change({ days })} />
      <HoursField value={search.hours ?? [0, 24]} onChange={(hours) => change({ hours })} />
      <RoutesOperatorField
        known={routes.operators}
        value={search.operators ?? []}
        onChange={(operators) => change({ operators })}
      />
      <VehicleTypeField
        present={routes.vehicleTypes}
        value={search.vehicle_type}
        onChange={(vehicle_type) => change({ vehicle_type })}
      />
      <DirectionField value={search.direction ?? 'both'} onChange={(direction) => change({ direction })} />
      <ColorField scheme={scheme} value={search.colors ?? 'tide'} onChange={(colors) => change({ colors })} />
      {routes.statistics ? (
        <RoutesStatistics
          statistics={routes.statistics}
          isMetric={region.isMetric}
          onSelect={(route) => change({ route })}
        />
      ) : null}
      <PublishField regionId={region.regionId} />
    </>
  )
}
