import { Anchor, Stack, Text } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import {
  type CurbFindingCode,
  type CurbImport,
  type CurbImportRow,
  curbOutcomes,
  curbRecordKinds,
  getCurbImport,
  listCurbImportRows,
  listCurbInventories,
} from '#contract/curb-imports.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime, formatInteger, formatPercent } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { translateServerText } from '#web/i18n/server-text.ts'
import { CurbImportActions } from './import-actions.tsx'
import { ImportMap } from './import-map.tsx'
import { ImportRowDetails, OutcomeBadge } from './import-row-details.tsx'
import { StatusBadge } from './imports-screen.tsx'
import { importSearch } from './imports-search.ts'

const pollMs = 1000
const rowsPerPage = 50

/** The report of an import: the result of each record and its reason, on a map and as a table. */
export function CurbImportScreen() {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const { importId = '' } = useParams({ strict: false }) as { importId?: string }
  const params = { region_id: regionId, import_id: importId }
  const response = useEndpointQuery(
    getCurbImport,
    { params },
    { staleTime: 0, refetchInterval: (query) => (query.state.data?.status === 'staging' ? pollMs : false) },
  )
  const sources = useEndpointQuery(listCurbInventories, { params: { region_id: regionId } })
  const kind = sources.data?.items.find(({ inventory_id: id }) => id === response.data?.inventory_id)?.kind
  return (
    <ReadingPage>
      <Loaded query={response} dim={false}>
        {(data) => (
          <>
            <PageHeader
              title={data.file_name}
              context={
                <>
                  <Anchor component={Link} underline="always" to={`/${regionId}/curb/regulations/imports`}>
                    {t('shell:pages.curbImports')}
                  </Anchor>
                  {` · ${data.inventory_name} · ${formatDateTime(data.created_time, timezone)} `}
                  <StatusBadge status={data.status} />
                </>
              }
              actions={<CurbImportActions regionId={regionId} curbImport={data} isTable={kind === 'table'} />}
            />
            <ImportReport key={data.status} curbImport={data} isTable={kind === 'table'} />
          </>
        )}
      </Loaded>
    </ReadingPage>
  )
}

/** The report of an import, or what it waits for. */
function ImportReport({ curbImport, isTable }: { curbImport: CurbImport; isTable: boolean }) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  if (curbImport.status === 'waiting')
    return (
      <EmptyState title={t('curb:imports.waiting.title')}>
        {t(isTable ? 'curb:imports.waiting.columns' : 'curb:imports.waiting.files')}
      </EmptyState>
    )
  return (
    <Stack>
      {curbImport.problem ? (
        <Warning title={t('curb:imports.problem')}>{translateServerText(curbImport.problem)}</Warning>
      ) : null}
      {curbImport.same_as ? <Text size="sm">{t('curb:imports.sameFile')}</Text> : null}
      {curbImport.effective_time && curbImport.status === 'published' ? (
        <Text size="sm">
          {t('curb:imports.effective', { time: formatDateTime(curbImport.effective_time, timezone) })}
        </Text>
      ) : null}
      <Text role="status" className="figures">
        {t('curb:imports.counts', {
          rows: formatInteger(curbImport.rows),
          accepted: formatInteger(curbImport.outcomes.accepted),
          repaired: formatInteger(curbImport.outcomes.repaired),
          refused: formatInteger(curbImport.outcomes.refused),
        })}
      </Text>
      {curbImport.file_findings.length ? (
        <ul>
          {curbImport.file_findings.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      ) : null}
      {curbImport.status === 'staging' || curbImport.rows === 0 ? null : (
        <ImportRows curbImport={curbImport} />
      )}
    </Stack>
  )
}

/** The rows of an import with their findings, filtered and paged. */
function ImportRows({ curbImport }: { curbImport: CurbImport }) {
  const { t } = useTranslation()
  const region = useRegion()
  const { search, push, replace } = useSearchState(importSearch)
  const at = useOpenedAt()
  const { page = 1, row: selectedRow, outcome, code, kind, search: searchText } = search
  const params = { region_id: region.regionId, import_id: curbImport.import_id }
  const filter = { outcome, code, kind, search: searchText }
  const rows = useEndpointQuery(
    listCurbImportRows,
    { params, query: { page, size: rowsPerPage, ...filter } },
    { placeholderData: keepPreviousData },
  )
  // A row that was selected on the map may be on another page; row n is page n of size 1.
  const detailedRow = useEndpointQuery(
    listCurbImportRows,
    { params, query: { page: selectedRow ?? 1, size: 1 } },
    { enabled: selectedRow !== undefined },
  ).data?.items[0]
  const columns = useRowColumns()
  const codes = (Object.entries(curbImport.codes) as [CurbFindingCode, number][]).toSorted(
    ([, a], [, b]) => b - a,
  )
  return (
    <>
      {curbImport.kinds.zone ? (
        <ImportMap
          region={region}
          importId={curbImport.import_id}
          selectedRow={selectedRow ?? null}
          at={at}
          onSelect={(row) => push({ row })}
        />
      ) : null}
      <FilterBar
        filters={[
          { kind: 'search', key: 'search', label: t('curb:imports.search') },
          {
            kind: 'choice',
            key: 'outcome',
            label: t('curb:imports.outcomeTitle'),
            none: t('curb:imports.any'),
            options: curbOutcomes.map((value) => ({
              value,
              text: `${t(`curb:imports.outcome.${value}`)} (${formatInteger(curbImport.outcomes[value])})`,
            })),
          },
          {
            kind: 'choice',
            key: 'code',
            label: t('curb:imports.findings'),
            none: t('curb:imports.any'),
            options: codes.map(([value, count]) => ({
              value,
              text: `${t(`curb:imports.code.${value}`)} (${formatInteger(count)})`,
            })),
          },
          {
            kind: 'choice',
            key: 'kind',
            label: t('curb:imports.kindTitle'),
            none: t('curb:imports.any'),
            options: curbRecordKinds
              .filter((value) => curbImport.kinds[value])
              .map((value) => ({ value, text: t(`curb:imports.kind.${value}`) })),
          },
        ]}
        state={search}
        onChange={(changes) => push({ ...changes, page: undefined })}
        onType={(changes) => replace({ ...changes, page: undefined })}
      />
      {detailedRow ? <ImportRowDetails row={detailedRow} onClose={() => push({ row: undefined })} /> : null}
      <Loaded
        query={rows}
        isEmpty={({ total }) => total === 0}
        empty={<EmptyState title={t('curb:imports.noMatch')}>{t('curb:imports.noMatchText')}</EmptyState>}
      >
        {(data) => (
          <>
            <Table
              label={t('curb:imports.rows')}
              rows={data.items}
              columns={columns}
              rowKey={({ row }) => String(row)}
              selected={selectedRow === undefined ? null : String(selectedRow)}
              onSelect={(key) => push({ row: Number(key) })}
              hasTools={false}
            />
            <Pager
              page={page}
              size={rowsPerPage}
              total={data.total}
              onPage={(next) => push({ page: next })}
            />
          </>
        )}
      </Loaded>
    </>
  )
}

function useRowColumns(): TableColumn<CurbImportRow>[] {
  const { t } = useTranslation()
  return [
    column('row', t('curb:imports.row'), ({ row }) => row, { isNumber: true, width: 90, canSort: false }),
    column('kind', t('curb:imports.kindTitle'), ({ kind }) => t(`curb:imports.kind.${kind}`), {
      width: 100,
      canSort: false,
    }),
    column('id', t('curb:imports.id'), (row) => row.record_id, { width: 200, canSort: false }),
    column('outcome', t('curb:imports.outcomeTitle'), ({ outcome }) => outcome, {
      width: 130,
      canSort: false,
      renderCell: ({ outcome }) => <OutcomeBadge outcome={outcome} />,
    }),
    column('confidence', t('curb:imports.confidenceTitle'), ({ confidence }) => confidence, {
      width: 110,
      isNumber: true,
      canSort: false,
      renderCell: ({ confidence }) => (confidence === null ? '' : formatPercent(confidence)),
    }),
    column(
      'findings',
      t('curb:imports.findings'),
      ({ findings }) => findings.map(({ message }) => message).join(' '),
      { canSort: false },
    ),
  ]
}
