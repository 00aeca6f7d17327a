import { Badge } from '@mantine/core'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { listRegions } from '#contract/regions.ts'
import { type Backup, getServerStatus, type ServerStatus } from '#contract/server-status.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatBytes, formatDateTime, formatInteger, formatPercent } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Problem } from './work-columns.tsx'
import { WorkSection } from './work-section.tsx'

const refreshMs = 15_000
/** A disk is nearly full above this used share. */
const fullShare = 0.8

type PartState = 'ok' | 'warning' | 'failed'

/** The process, a store or a disk, as a row of the status. */
interface Part {
  key: string
  name: string
  state: PartState
  text: string
}

const tones: Record<PartState, string> = { ok: 'green', warning: 'amber', failed: 'red' }

/** Returns the server, its stores and disks as rows of one table. */
function getParts(t: TFunction, status: ServerStatus, timezone: string): Part[] {
  return [
    {
      key: 'server',
      name: t('derived:server.process'),
      state: status.status === 'ready' ? 'ok' : 'failed',
      text: t('derived:server.processText', {
        version: status.version,
        node: status.node_version,
        started: formatDateTime(status.started, timezone),
        memory: formatBytes(status.memory_bytes),
        zones: status.time_zone_data,
      }),
    },
    ...status.stores.map(
      ({ store, ok, problem, pending, version, bytes, is_embedded: isEmbedded, migrations }): Part => ({
        key: store,
        name: t(`derived:server.store.${store}`),
        state: ok ? 'ok' : 'failed',
        text:
          problem ??
          (pending.length
            ? t('derived:server.pending', { names: pending.join(', ') })
            : t(`derived:server.${isEmbedded ? 'embeddedText' : 'serverText'}`, {
                version,
                size: formatBytes(bytes),
                migrations: formatInteger(migrations),
              })),
      }),
    ),
    ...status.volumes.map(({ volume, free_bytes: free, total_bytes: total }): Part => {
      const usedShare = free === null || total === null ? null : 1 - free / total
      return {
        key: `volume-${volume}`,
        name: t(`derived:server.volume.${volume}`),
        state: usedShare !== null && usedShare > fullShare ? 'warning' : 'ok',
        text: t('derived:server.volumeText', {
          free: formatBytes(free),
          total: formatBytes(total),
          used: formatPercent(usedShare),
        }),
      }
    }),
  ]
}

const getPartColumns = (t: TFunction): TableColumn<Part>[] => [
  column('name', t('derived:server.part'), ({ name }) => name, { width: 180 }),
  column('state', t('derived:server.state'), ({ state }) => t(`derived:server.states.${state}`), {
    width: 130,
    renderCell: ({ state }) => (
      <Badge c={`var(--${tones[state]})`} bg={`var(--${tones[state]}-wash)`}>
        {t(`derived:server.states.${state}`)}
      </Badge>
    ),
  }),
  column('text', t('derived:server.details'), ({ text }) => text),
]

type Feed = ServerStatus['feeds'][number]

const getFeedColumns = (
  t: TFunction,
  timezone: string,
  regions: ReadonlyMap<string, string>,
): TableColumn<Feed>[] => [
  column('region', t('derived:data.region'), ({ region_id: id }) => regions.get(id) ?? id, { width: 150 }),
  column('operator', t('derived:feeds.operator'), ({ operator }) => operator ?? '–', { width: 150 }),
  column('name', t('derived:feeds.name'), ({ name, kind }) => name || kind, { width: 180 }),
  column('success', t('derived:feeds.success'), (feed) => feed.last_success, {
    width: 180,
    renderCell: (feed) => (feed.last_success ? formatDateTime(feed.last_success, timezone) : '–'),
  }),
  column('record', t('derived:feeds.record'), (feed) => feed.newest_record, {
    width: 180,
    renderCell: (feed) => (feed.newest_record ? formatDateTime(feed.newest_record, timezone) : '–'),
  }),
  column('problem', t('derived:data.lastProblem'), ({ problem }) => problem, {
    width: 240,
    renderCell: ({ problem }) => <Problem text={problem} />,
  }),
]

const getBackupColumns = (t: TFunction, timezone: string): TableColumn<Backup>[] => [
  column('name', t('derived:backups.name'), ({ name }) => name, { width: 250 }),
  column('ended', t('derived:backups.ended'), ({ ended }) => ended, {
    width: 180,
    renderCell: ({ ended }) => formatDateTime(ended, timezone),
  }),
  column('bytes', t('derived:backups.bytes'), ({ bytes }) => bytes, {
    width: 110,
    isNumber: true,
    renderCell: ({ bytes }) => formatBytes(bytes),
  }),
  column('rows', t('derived:backups.rows'), ({ rows }) => rows, { width: 130, isNumber: true }),
  column(
    'encrypted',
    t('derived:backups.encrypted'),
    (backup) => t(`derived:backups.${backup.is_encrypted ? 'yes' : 'no'}`),
    { width: 110 },
  ),
  column('verified', t('derived:backups.verified'), ({ verified }) => verified, {
    width: 230,
    renderCell: ({ verified, verify_problem: problem }) =>
      problem ? (
        <Problem text={problem} time={verified} timezone={timezone} />
      ) : verified ? (
        formatDateTime(verified, timezone)
      ) : (
        t('derived:backups.notVerified')
      ),
  }),
]

/** Stores, disks, feeds and backups of the server, with versions and memory. */
export function ServerStatusSections({ timezone }: { timezone: string }) {
  const { t } = useTranslation()
  const regions = useEndpointQuery(listRegions, { query: { size: 300 } }).data?.items ?? []
  const regionNames = new Map(regions.map(({ regionId, text }) => [regionId, text]))
  const status = useEndpointQuery(getServerStatus, {}, { staleTime: 0, refetchInterval: refreshMs })
  return (
    <>
      <WorkSection name="server">
        <Loaded query={status} dim={false}>
          {(data) => (
            <Table
              label={t('derived:server.title')}
              rows={getParts(t, data, timezone)}
              columns={getPartColumns(t)}
              rowKey={({ key }) => key}
              hasTools={false}
              isWrapped
            />
          )}
        </Loaded>
      </WorkSection>
      <WorkSection name="backups">
        <Loaded query={status} dim={false}>
          {({ backups }) => (
            <Table
              label={t('derived:backups.title')}
              rows={backups.items}
              columns={getBackupColumns(t, timezone)}
              rowKey={({ name }) => name}
              empty={t(`derived:backups.${backups.scheduled_hour === null ? 'notScheduled' : 'none'}`)}
              isWrapped
            />
          )}
        </Loaded>
      </WorkSection>
      <WorkSection name="feeds">
        <Loaded query={status} dim={false}>
          {({ feeds }) => (
            <Table
              label={t('derived:feeds.title')}
              rows={feeds}
              columns={getFeedColumns(t, timezone, regionNames)}
              rowKey={({ feed_id: id }) => id}
              empty={t('derived:feeds.none')}
              isWrapped
            />
          )}
        </Loaded>
      </WorkSection>
    </>
  )
}
