import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { exportTableNames, exportTables } from '#contract/export-tables.ts'
import {
  countRawData,
  getRawData,
  listExports,
  maxExportDays,
  type RawDataTable,
  startExport,
} from '#contract/exports.ts'
import { listLayers } from '#contract/geography.ts'
import { listOperators } from '#contract/operators.ts'
import { localDay } from '#contract/period.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import type { Filter } from '#web/filters/filter.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { formatPeriod, presetPeriod } from '#web/filters/period.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatInteger } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { ColumnChoice } from './column-choice.tsx'
import { ExportList } from './export-list.tsx'
import {
  type ExportSearch,
  getFormat,
  getTableFormats,
  toRequest,
  readExportSearch,
  selectedTable,
} from './export-search.ts'
import { MonthlyZips } from './monthly-zips.tsx'
import { OperatorZips } from './operator-zips.tsx'

/** Export: raw data of a table as a file, the user's exports, and the monthly zips. */
export function ExportScreen() {
  const { t } = useTranslation()
  const region = useRegion()
  const { can } = useMe()
  const params = { region_id: region.regionId }
  const [now] = useState(() => new Date())
  const today = localDay(now, region.timezone)
  const { search, push, replace } = useSearchState(readExportSearch)
  const rawData = useEndpointQuery(getRawData, { params })
  return (
    <ReadingPage>
      <PageHeader
        title={t('reporting:pages.export')}
        context={t('exports:context', { region: region.text })}
      />
      <ExportFilters search={search} today={today} onChange={push} onType={replace} />
      <Loaded query={rawData}>
        {({ tables, is_exact: isExact }) => {
          const table = tables.find((table) => table.table === selectedTable(search))
          return (
            <Stack gap="md">
              {isExact ? null : <Text role="note">{t('exports:rounded')}</Text>}
              {table ? <ExportForm table={table} search={search} today={today} onChange={push} /> : null}
            </Stack>
          )
        }}
      </Loaded>
      <Title order={2} mt="xl" mb="sm">
        {t('exports:list.title')}
      </Title>
      <ExportList />
      {region.hasMonthlyZip ? <MonthlyZips today={today} /> : null}
      {can('is_admin') ? <OperatorZips /> : null}
    </ReadingPage>
  )
}

interface FiltersProps {
  search: ExportSearch
  today: string
  onChange: (changes: Partial<ExportSearch>) => void
  onType: (changes: Partial<ExportSearch>) => void
}

/** The filters that the selected table supports. */
function ExportFilters({ search, today, onChange, onType }: FiltersProps) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const table = selectedTable(search)
  const { filters: fields, time } = exportTables[table]
  const operators = useEndpointQuery(listOperators, { query: { region_id: regionId } })
  const layers = useEndpointQuery(
    listLayers,
    { params: { region_id: regionId } },
    { enabled: fields.includes('layer') },
  ).data?.items
  const { start_date: from, end_date: to } = presetPeriod('last_month', today)
  const filters: Filter[] = [
    {
      kind: 'choice',
      key: 'table',
      label: t('exports:table.label'),
      defaultValue: 'trips',
      options: exportTableNames.map((value) => ({ value, text: t(`exports:table.${value}`) })),
    },
    ...(time !== null || table === 'policies'
      ? [
          {
            kind: 'days',
            label: t('filters:period.label'),
            today,
            maxDays: maxExportDays,
            subject: table === 'issues' ? 'none' : 'fleet',
            ...(time === null ? {} : { defaultValue: { from, to } }),
          } as const,
        ]
      : []),
    ...(fields.includes('operators')
      ? [{ kind: 'operators', operators: operators.data?.items, error: operators.error?.message } as const]
      : []),
    ...(fields.includes('vehicle_types') ? [{ kind: 'vehicleTypes' } as const] : []),
    ...(fields.includes('layer')
      ? [
          {
            kind: 'choice',
            key: 'layer',
            label: t('exports:layer.label'),
            none: t('exports:layer.all'),
            options: (layers ?? []).map(({ shape_layer_uuid: value, layer_name: text }) => ({ value, text })),
          } as const,
        ]
      : []),
    {
      kind: 'choice',
      key: 'format',
      label: t('exports:format.label'),
      defaultValue: 'csv',
      options: getTableFormats(table).map((value) => ({ value, text: t(`exports:format.${value}`) })),
    },
  ]
  return (
    <FilterBar
      filters={filters}
      state={{ ...search, format: getFormat(search) === 'csv' ? undefined : search.format }}
      onChange={(changes) =>
        onChange('table' in changes ? { ...changes, without: undefined } : (changes as Partial<ExportSearch>))
      }
      onType={(changes) => onType(changes as Partial<ExportSearch>)}
    />
  )
}

interface FormProps {
  table: RawDataTable
  search: ExportSearch
  today: string
  onChange: (changes: Partial<ExportSearch>) => void
}

/** The table, format and filters of a new export. */
function ExportForm({ table, search, today, onChange }: FormProps) {
  const { t, i18n } = useTranslation()
  const { regionId } = useRegion()
  const params = { region_id: regionId, table: table.table }
  const columns = table.columns.map(({ name }) => name)
  const request = toRequest(search, columns, today)
  const count = useEndpointQuery(countRawData, {
    params,
    query: {
      start_date: request.start_date ?? undefined,
      end_date: request.end_date ?? undefined,
      operators: request.operators.join(','),
      vehicle_types: request.vehicle_types.join(','),
      shape_layer_uuid: request.shape_layer_uuid ?? undefined,
    },
  })
  const start = useEndpointMutation(startExport, [listExports])
  const hasColumns = columns.some((name) => !search.without?.includes(name))
  const { rows, days } = count.data ?? { rows: null, days: null }
  const formatEstimate = (): string => {
    if (rows === null) return ''
    if (days === null) return t('exports:estimate.rows', { count: rows, rows: formatInteger(rows) })
    return t('exports:estimate.days', { rows: formatInteger(rows), days: formatInteger(days) })
  }
  const noCoverage = table.has_period && table.days === 0 ? t('exports:noData') : ''
  const coverage =
    table.first_day !== null && table.last_day !== null
      ? t('exports:coverage', {
          count: table.days ?? 0,
          days: formatInteger(table.days),
          period: formatPeriod({ start_date: table.first_day, end_date: table.last_day }, i18n.language),
        })
      : noCoverage
  return (
    <Stack gap="md">
      <Text>
        {t(`exports:about.${table.table}`)} {coverage}
      </Text>
      <ColumnChoice
        table={table}
        without={search.without ?? []}
        onChange={(without) => onChange({ without: without.length ? without : undefined })}
      />
      {count.error ? <FailedState error={count.error} onRetry={() => void count.refetch()} /> : null}
      {rows === 0 ? (
        <EmptyState title={t('exports:empty.title')}>{t('exports:empty.text')}</EmptyState>
      ) : null}
      {start.error ? <FailedState error={start.error} /> : null}
      <Group gap="md">
        <Button
          loading={start.isPending}
          disabled={!hasColumns}
          onClick={() => start.mutate({ params, body: { ...request, format: getFormat(search) } })}
        >
          {t('exports:start')}
        </Button>
        <Text role="status" c="dimmed">
          {hasColumns ? formatEstimate() : t('exports:noColumns')}
        </Text>
      </Group>
    </Stack>
  )
}
