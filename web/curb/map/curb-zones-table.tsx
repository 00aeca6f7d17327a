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
import { SearchField } from '#web/kit/search-field.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import type { CurbMapSearch } from './curb-map-search.ts'
import styles from './curb-map.module.css'
import type { CurbSource } from './curb-source.ts'
import type { toUserQuery } from './use-curb-map.ts'

interface Props {
  source: CurbSource
  search: CurbMapSearch
  at: number
  user: ReturnType<typeof toUserQuery>
  currency: string
  isMetric: boolean
  height: number
  onSearch: (text: string) => void
  onSelect: (id: string) => void
  onStateChange: (changes: Partial<CurbMapSearch>) => void
}

const pageSize = 300
const searchHeightPx = 80

/** The zones at the displayed instant (`at`, in ms), as a table that the server searches and pages. */
export function CurbZonesTable({
  source,
  search,
  at,
  user,
  currency,
  isMetric,
  height,
  onSearch,
  onSelect,
  onStateChange,
}: Props) {
  const { t } = useTranslation()
  const params = { region_id: source.regionId }
  const filters = { at, ...user, text: search.search ?? '', states: (search.states ?? []).join(',') }
  const size = search.size ?? pageSize
  const { data, error, refetch } = useEndpointQuery(
    source.endpoints.zones,
    { params, query: { ...filters, page: search.page ?? 1, size } },
    { placeholderData: keepPreviousData },
  )
  const formatState = (state: CurbState): string => t(`curb:map.state.${state}`)
  const columns: TableColumn<CurbZoneAt>[] = [
    column('street_name', t('curb:map.table.street'), (row) => row.street_name || t('curb:map.card.unnamed')),
    column(
      'street_side',
      t('curb:map.table.side'),
      (row) => (row.street_side ? t(`curb:map.side.${row.street_side}`) : null),
      { width: 120 },
    ),
    column('state', t('curb:map.table.state'), (row) => formatState(row.state), { width: 165 }),
    column('max_stay', t('curb:map.table.maxStay'), (row) => row.max_stay, {
      isNumber: true,
      width: 120,
      renderCell: (row) => (row.max_stay === null ? '' : formatSpan(row.max_stay * 60)),
    }),
    column(
      'first_hour',
      t('curb:map.table.price'),
      (row) => (row.first_hour === null ? null : toMajor(row.first_hour, currency)),
      {
        isNumber: true,
        width: 120,
        renderCell: (row) =>
          row.first_hour === null ? '' : formatMoney(toMajor(row.first_hour, currency), currency),
      },
    ),
    column('length_m', t('curb:map.table.length'), (row) => row.length_m, {
      isNumber: true,
      width: 110,
      renderCell: (row) => formatDistance(row.length_m, isMetric),
    }),
    column('capacity', t('curb:map.table.spaces'), (row) => row.capacity, {
      isNumber: true,
      width: 90,
      renderCell: (row) => (row.capacity === null ? '' : formatInteger(row.capacity)),
    }),
  ]
  return (
    <>
      <div className={styles['search']}>
        <SearchField label={t('curb:map.table.search')} value={search.search ?? ''} onSearch={onSearch} />
      </div>
      {error ? (
        <FailedState error={error} onRetry={() => void refetch()} />
      ) : (
        <Table
          label={t('curb:map.table.label')}
          rows={data?.items}
          columns={columns}
          rowKey={(row) => row.curb_zone_id}
          state={search}
          onStateChange={(changes) => onStateChange(changes as Partial<CurbMapSearch>)}
          pageSize={pageSize}
          height={height - searchHeightPx}
          selected={search.zone}
          onSelect={onSelect}
          fileName={`curb-zones-${source.regionId}`}
          server={{
            total: data?.total ?? 0,
            sortKeys: [],
            loadAll: (onProgress) =>
              fetchAll(
                source.endpoints.zones,
                { params, query: filters },
                { getKey: (row) => row.curb_zone_id, onProgress },
              ),
          }}
          empty={t('curb:map.table.empty')}
        />
      )}
    </>
  )
}
