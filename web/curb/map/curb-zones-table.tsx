import { keepPreviousData } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { CurbZoneAt } from '#contract/curb-map.ts'
import { toMajor } from '#contract/money.ts'
import type { CurbState } from '#contract/curb-rules.ts'
import { fetchAll } from '#web/data/fetch-all.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDistance, formatInteger, formatMoney } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import type { CurbMapSearch } from './curb-map-search.ts'
import type { CurbSource } from './curb-source.ts'
import type { userQuery } from './use-curb-map.ts'

interface Props {
  source: CurbSource
  search: CurbMapSearch
  at: number
  user: ReturnType<typeof userQuery>
  currency: string
  isMetric: boolean
  height: number
  onSelect: (id: string) => void
  onState: (part: Partial<CurbMapSearch>) => void
}

const pageSize = 300

/** The zones in force at the instant as a table, which the server pages. */
export function CurbZonesTable({
  source,
  search,
  at,
  user,
  currency,
  isMetric,
  height,
  onSelect,
  onState,
}: Props) {
  const { t } = useTranslation()
  const params = { region_id: source.regionId }
  const filters = { at, ...user, text: search.search ?? '', states: (search.states ?? []).join(',') }
  const size = search.size ?? pageSize
  const { data, error, refetch } = useEndpointQuery(
    source.zones,
    { params, query: { ...filters, page: search.page ?? 1, size } },
    { placeholderData: keepPreviousData },
  )
  if (error) return <FailedState error={error} onRetry={() => void refetch()} />
  const stateText = (state: CurbState): string => t(`curb:map.state.${state}`)
  const columns: TableColumn<CurbZoneAt>[] = [
    {
      key: 'street_name',
      title: t('curb:map.table.street'),
      value: (row) => row.street_name || t('curb:map.card.unnamed'),
    },
    {
      key: 'street_side',
      title: t('curb:map.table.side'),
      value: (row) => (row.street_side ? t(`curb:map.side.${row.street_side}`) : null),
      width: 120,
    },
    { key: 'state', title: t('curb:map.table.state'), value: (row) => stateText(row.state), width: 165 },
    {
      key: 'max_stay',
      title: t('curb:map.table.stay'),
      isNumber: true,
      width: 120,
      value: (row) => row.max_stay,
      renderCell: (row) => (row.max_stay === null ? '' : formatSpan(row.max_stay * 60)),
    },
    {
      key: 'first_hour',
      title: t('curb:map.table.price'),
      isNumber: true,
      width: 120,
      value: (row) => (row.first_hour === null ? null : toMajor(row.first_hour, currency)),
      renderCell: (row) =>
        row.first_hour === null ? '' : formatMoney(toMajor(row.first_hour, currency), currency),
    },
    {
      key: 'length_m',
      title: t('curb:map.table.length'),
      isNumber: true,
      width: 110,
      value: (row) => row.length_m,
      renderCell: (row) => formatDistance(row.length_m, isMetric),
    },
    {
      key: 'capacity',
      title: t('curb:map.table.spaces'),
      isNumber: true,
      width: 90,
      value: (row) => row.capacity,
      renderCell: (row) => (row.capacity === null ? '' : formatInteger(row.capacity)),
    },
  ]
  return (
    <Table
      label={t('curb:map.table.label')}
      rows={data?.items}
      columns={columns}
      rowKey={({ curb_zone_id: id }) => id}
      state={search}
      onState={(part) => onState(part as Partial<CurbMapSearch>)}
      pageSize={pageSize}
      height={height}
      selected={search.zone}
      onSelect={onSelect}
      fileName={`curb-zones-${source.regionId}`}
      server={{
        total: data?.total ?? 0,
        sortKeys: [],
        loadAll: (onProgress) =>
          fetchAll(source.zones, { params, query: filters }, ({ curb_zone_id: id }) => id, onProgress),
      }}
      empty={t('curb:map.table.empty')}
    />
  )
}
