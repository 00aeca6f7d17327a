import { Anchor, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconSend, IconTrash } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type CountFindingCode,
  type CountImport,
  deleteCountImport,
  getCountImport,
  listCountFindings,
  listCountImports,
  publishCounts,
  startCountImport,
  undoCounts,
} from '#contract/curb-counts.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime, formatInteger, formatNumber, formatPercent } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { Pager } from '#web/kit/table/pager.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { Warning } from '#web/kit/warning.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { countSearch } from './counts-search.ts'
import { CountStatus } from './counts-screen.tsx'
import { formatClock, formatTimeOfDay } from '#web/kit/time/time-of-day.ts'
import { translateServerText } from '#web/i18n/server-text.ts'
import { affectedQueries, type CountImportParams, CountPlaces, rowsPerPage } from './count-places.tsx'

const pollMs = 1000

/** The report of a file of counts: the result of its rows, and the zones of its places. */
export function CountScreen() {
  const { t } = useTranslation()
  const { regionId, timezone } = useRegion()
  const { importId = '' } = useParams({ strict: false }) as { importId?: string }
  const params = { region_id: regionId, import_id: importId }
  const response = useEndpointQuery(
    getCountImport,
    { params },
    { staleTime: 0, refetchInterval: (query) => (query.state.data?.status === 'staging' ? pollMs : false) },
  )
  return (
    <ReadingPage>
      <Loaded query={response} dim={false}>
        {(data) => (
          <>
            <PageHeader
              title={data.file_name}
              context={
                <>
                  <Anchor
                    component={Link}
                    underline="always"
                    to={`/${regionId}/curb/parking-insights/occupancy/counts`}
                  >
                    {t('shell:pages.occupancyCounts')}
                  </Anchor>
                  {` · ${data.layout ? t(`curb:counts.layout.${data.layout}`) : ''} · `}
                  {`${formatDateTime(data.created_time, timezone)} `}
                  <CountStatus status={data.status} />
                </>
              }
              actions={<Actions params={params} countImport={data} />}
            />
            <Report params={params} countImport={data} />
          </>
        )}
      </Loaded>
    </ReadingPage>
  )
}

/** The actions that the status of an import permits. */
function Actions({ params, countImport }: CountImportParams & { countImport: CountImport }) {
  const { t } = useTranslation()
  const { can } = useMe()
  const navigate = useNavigate()
  const [isDeleting, setIsDeleting] = useState(false)
  const publish = useEndpointMutation(publishCounts, affectedQueries)
  const undo = useEndpointMutation(undoCounts, affectedQueries)
  const remove = useEndpointMutation(deleteCountImport, [listCountImports])
  const error = publish.error ?? undo.error
  if (!can('edit_curb_regulations')) return null
  return (
    <Group gap="sm">
      {error ? <FailedState error={error} title={t('curb:counts.failed')} /> : null}
      {countImport.status === 'staged' ? (
        <Button
          leftSection={<IconSend size={18} />}
          loading={publish.isPending}
          onClick={() => publish.mutate({ params })}
        >
          {t('curb:counts.publish')}
        </Button>
      ) : null}
      {countImport.status === 'published' ? (
        <Button
          variant="default"
          leftSection={<IconArrowBackUp size={18} />}
          loading={undo.isPending}
          onClick={() => undo.mutate({ params })}
        >
          {t('curb:counts.undo')}
        </Button>
      ) : (
        <Button variant="default" leftSection={<IconTrash size={18} />} onClick={() => setIsDeleting(true)}>
          {t('curb:imports.delete.open')}
        </Button>
      )}
      {isDeleting ? (
        <ConfirmDialog
          title={t('curb:imports.delete.title', { name: countImport.file_name })}
          action={t('curb:imports.delete.action')}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() =>
            remove.mutate(
              { params },
              {
                onSuccess: () =>
                  void navigate({ to: `/${params.region_id}/curb/parking-insights/occupancy/counts` }),
              },
            )
          }
          onClose={() => setIsDeleting(false)}
        >
          {t('curb:counts.deleteText')}
        </ConfirmDialog>
      ) : null}
    </Group>
  )
}

function Report({ params, countImport }: CountImportParams & { countImport: CountImport }) {
  const { t } = useTranslation()
  if (countImport.status === 'waiting') return <ChooseDate params={params} />
  return (
    <Stack gap="lg">
      {countImport.problem ? (
        <Warning title={t('curb:imports.problem')}>{translateServerText(countImport.problem)}</Warning>
      ) : null}
      {countImport.same_as ? <Text size="sm">{t('curb:imports.sameFile')}</Text> : null}
      <Text role="status" className="figures">
        {t('curb:counts.summary', {
          rows: formatInteger(countImport.rows),
          accepted: formatInteger(countImport.accepted),
          aside: formatInteger(countImport.rejected),
          matched: formatInteger(countImport.matched_places),
          places: formatInteger(countImport.places),
          share: formatPercent(countImport.matched_share),
        })}
      </Text>
      {countImport.profile.length ? (
        <section>
          <h2>{t('curb:counts.profile.title')}</h2>
          <Text size="sm" c="dimmed" mb="sm">
            {t('curb:counts.profile.text')}
          </Text>
          <Table
            label={t('curb:counts.profile.title')}
            rows={countImport.profile}
            rowKey={(row) => String(row.hour)}
            fileName="curb-counts-by-hour"
            maxHeight={320}
            columns={[
              {
                key: 'hour',
                title: t('curb:counts.profile.hour'),
                value: (row) => formatClock({ hour: row.hour, minute: 0 }),
                renderCell: (row) => formatTimeOfDay({ hour: row.hour, minute: 0 }),
              },
              {
                key: 'occupied',
                title: t('curb:occupancy.column.occupied'),
                isNumber: true,
                value: (row) => row.occupied_hours,
                renderCell: (row) => formatNumber(row.occupied_hours, 1),
              },
              {
                key: 'known',
                title: t('curb:occupancy.column.known'),
                isNumber: true,
                value: (row) => row.known_hours,
                renderCell: (row) => formatNumber(row.known_hours, 1),
              },
              {
                key: 'share',
                title: t('curb:occupancy.column.occupancy'),
                isNumber: true,
                value: (row) => (row.known_hours > 0 ? row.occupied_hours / row.known_hours : null),
                renderCell: (row) =>
                  formatPercent(row.known_hours > 0 ? row.occupied_hours / row.known_hours : null),
              },
            ]}
          />
        </section>
      ) : null}
      {countImport.places ? <CountPlaces params={params} countImport={countImport} /> : null}
      {Object.keys(countImport.codes).length ? <Findings params={params} countImport={countImport} /> : null}
    </Stack>
  )
}

/** Asks for the week that a file of averages represents. */
function ChooseDate({ params }: CountImportParams) {
  const { t } = useTranslation()
  const { can } = useMe()
  const [date, setDate] = useState('')
  const start = useEndpointMutation(startCountImport, affectedQueries)
  if (!can('edit_curb_regulations')) return <Text>{t('curb:counts.waiting')}</Text>
  return (
    <Stack align="flex-start">
      <Text>{t('curb:counts.waiting')}</Text>
      {start.error ? <FailedState error={start.error} title={t('curb:counts.failed')} /> : null}
      <TextInput
        type="date"
        label={t('curb:counts.send.date')}
        value={date}
        onChange={(event) => setDate(event.currentTarget.value)}
      />
      <Button
        disabled={!date}
        loading={start.isPending}
        onClick={() => start.mutate({ params, body: { date } })}
      >
        {t('curb:counts.start')}
      </Button>
    </Stack>
  )
}

function Findings({ params, countImport }: CountImportParams & { countImport: CountImport }) {
  const { t } = useTranslation()
  const { search, push } = useSearchState(countSearch)
  const { findings_page: page = 1, code } = search
  const findings = useEndpointQuery(
    listCountFindings,
    { params, query: { page, size: rowsPerPage, code } },
    { placeholderData: keepPreviousData },
  )
  const codes = (Object.entries(countImport.codes) as [CountFindingCode, number][]).toSorted(
    ([, a], [, b]) => b - a,
  )
  return (
    <section>
      <h2>{t('curb:imports.findings')}</h2>
      <FilterBar
        filters={[
          {
            kind: 'choice',
            key: 'code',
            label: t('curb:imports.findings'),
            none: t('curb:imports.any'),
            options: codes.map(([value, count]) => ({
              value,
              text: `${t(`curb:counts.code.${value}`)} (${formatInteger(count)})`,
            })),
          },
        ]}
        state={search}
        onChange={(changes) => push({ ...changes, findings_page: undefined })}
        onType={(changes) => push({ ...changes, findings_page: undefined })}
      />
      <Loaded query={findings}>
        {(data) => (
          <>
            <Table
              label={t('curb:imports.findings')}
              rows={data.items}
              rowKey={({ row, code: key }) => `${row} ${key}`}
              hasTools={false}
              columns={[
                {
                  key: 'row',
                  title: t('curb:imports.row'),
                  isNumber: true,
                  width: 100,
                  canSort: false,
                  value: ({ row }) => (row > 0 ? row : null),
                },
                {
                  key: 'code',
                  title: t('curb:imports.findings'),
                  width: 220,
                  canSort: false,
                  value: ({ code: key }) => t(`curb:counts.code.${key}`),
                },
                {
                  key: 'message',
                  title: t('curb:counts.message'),
                  canSort: false,
                  value: ({ message }) => message,
                },
                {
                  key: 'source',
                  title: t('curb:counts.source'),
                  canSort: false,
                  value: ({ source }) => source,
                },
              ]}
            />
            <Pager
              page={page}
              size={rowsPerPage}
              total={data.total}
              onPage={(next) => push({ findings_page: next })}
            />
          </>
        )}
      </Loaded>
    </section>
  )
}
