import type { LocalDay } from '#contract/period.ts'
import type { Region } from '#contract/regions.ts'
import { FilterFields } from '#web/filters/filter-fields.tsx'
import type { Scheme } from '#web/kit/theme.ts'
import { type RoutesSearch, shownDirections } from './routes-search.ts'
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
  const { t } = useTranslation()
  return (
    <>
      <FilterFields
        filters={[
          { kind: 'period', today },
          { kind: 'weekdays' },
          { kind: 'hours' },
          // Only operators that report routes are offered.
          { kind: 'operators', operators: routes.operators },
          { kind: 'vehicleTypes', present: routes.vehicleTypes },
          {
            kind: 'choice',
            key: 'direction',
            label: t('routes:direction.label'),
            usual: 'both',
            options: shownDirections.map((value) => ({ value, text: t(`routes:direction.${value}`) })),
          },
          { kind: 'colors', scheme },
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
      <PublishField regionId={region.regionId} />
    </>
  )
}
