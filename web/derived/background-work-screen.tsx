import { useTranslation } from 'react-i18next'
import { getServerWork, listJobs } from '#contract/server-work.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { JobTable } from './job-table.tsx'
import { ServerStatusSections } from './server-status.tsx'
import { getDerivedColumns, getQueryColumns } from './work-columns.tsx'
import { WorkSection } from './work-section.tsx'

const refreshMs = 5000
const queryOptions = { staleTime: 0, refetchInterval: refreshMs } as const

/** Status, jobs, derived data and queries of the server, for administrators. */
export function BackgroundWorkScreen() {
  const { t } = useTranslation()
  const timezone = useCityZone()
  const jobs = useEndpointQuery(listJobs, {}, queryOptions)
  const work = useEndpointQuery(getServerWork, {}, queryOptions)
  return (
    <AdminPage page="work" context={t('derived:context')} timezone={timezone}>
      <ServerStatusSections timezone={timezone} />
      <WorkSection name="jobs">
        <Loaded query={jobs} dim={false}>
          {({ items }) => <JobTable jobs={items} timezone={timezone} />}
        </Loaded>
      </WorkSection>
      <WorkSection name="data">
        <Loaded query={work} dim={false}>
          {({ derived }) => (
            <Table
              label={t('derived:data.title')}
              rows={derived.flatMap(({ regions, product }) =>
                regions.map((region) => ({ product, ...region })),
              )}
              columns={getDerivedColumns(t, timezone)}
              rowKey={({ product, region_id }) => `${product} ${region_id}`}
              empty={t('derived:data.none')}
              isWrapped
            />
          )}
        </Loaded>
      </WorkSection>
      <WorkSection name="queries">
        <Loaded query={work} dim={false}>
          {({ queries }) => (
            <Table
              label={t('derived:queries.title')}
              rows={queries}
              columns={getQueryColumns(t)}
              rowKey={({ caller }) => caller}
              defaultSort="-msPerMinute"
              empty={t('derived:queries.none')}
            />
          )}
        </Loaded>
      </WorkSection>
    </AdminPage>
  )
}
