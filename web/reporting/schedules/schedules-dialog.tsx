import { Button, Group, Stack, Text } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  deleteReportSchedule,
  getReportPdf,
  listReportRuns,
  listReportSchedules,
  type ReportFilters,
  type ReportRun,
  type ReportSchedule,
  runReportSchedule,
  type ScheduledReport,
} from '#contract/report-schedules.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { formatPeriod } from '#web/filters/period.ts'
import { focusOnMount } from '#web/kit/focus.ts'
import { RowMenu } from '#web/kit/action-menu.tsx'
import { ConfirmDialog } from '#web/kit/confirm-dialog.tsx'
import { Dialog } from '#web/kit/dialog.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { Table } from '#web/kit/table/table.tsx'
import { showToast } from '#web/kit/toasts.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { formatCadence, getReportName, formatRunState } from './schedule-text.ts'
import { useFormatFilters } from './use-filters-text.ts'
import type { TFunction } from 'i18next'

interface Props {
  report: ScheduledReport
  pageFilters: ReportFilters
  regionId: string
  timezone: string
  onClose: () => void
}

type OpenDialog =
  | { kind: 'list' }
  | { kind: 'form'; schedule: ReportSchedule | null }
  | { kind: 'history' | 'delete'; schedule: ReportSchedule }

/** Scheduled reports of the region: report, times, recipients and last result. */
export function SchedulesDialog({ report, pageFilters, regionId, timezone, onClose }: Props) {
  const { t } = useTranslation()
  const [dialog, setDialog] = useState<OpenDialog>({ kind: 'list' })
  const params = { region_id: regionId }
  const schedules = useEndpointQuery(listReportSchedules, { params }, { staleTime: 0 })
  const runSchedule = useEndpointMutation(runReportSchedule, [listReportSchedules])
  const showList = (): void => setDialog({ kind: 'list' })
  if (dialog.kind === 'form')
    return (
      <ScheduleForm
        regionId={regionId}
        report={report}
        pageFilters={pageFilters}
        schedule={dialog.schedule}
        onClose={showList}
      />
    )
  if (dialog.kind === 'history')
    return (
      <RunsDialog regionId={regionId} timezone={timezone} schedule={dialog.schedule} onClose={showList} />
    )
  if (dialog.kind === 'delete')
    return <DeleteDialog regionId={regionId} schedule={dialog.schedule} onClose={showList} />
  const start = (schedule: ReportSchedule): void =>
    runSchedule.mutate(
      { params: { ...params, schedule_id: schedule.schedule_id } },
      { onSuccess: () => showToast(t('reporting:schedules.started', { count: schedule.recipients.length })) },
    )
  const addButton = (
    <Button
      // Focused once the schedules are loaded, or by the dialog, which looks for the attribute.
      ref={focusOnMount}
      data-autofocus
      leftSection={<IconPlus size={16} />}
      onClick={() => setDialog({ kind: 'form', schedule: null })}
    >
      {t('reporting:schedules.add')}
    </Button>
  )
  return (
    <Dialog size={1000} title={t('reporting:schedules.title')} onClose={onClose}>
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {t('reporting:schedules.text', { timezone })}
        </Text>
        {runSchedule.error ? (
          <FailedState error={runSchedule.error} title={t('reporting:schedules.failed.run')} />
        ) : null}
        <Loaded
          query={schedules}
          isEmpty={({ items }) => items.length === 0}
          empty={
            <EmptyState title={t('reporting:schedules.empty.title')} action={addButton}>
              {t('reporting:schedules.empty.text')}
            </EmptyState>
          }
        >
          {({ items }) => (
            <Stack gap="sm">
              <ScheduleTable
                regionId={regionId}
                schedules={items}
                timezone={timezone}
                getActions={(schedule) =>
                  getScheduleActions({ t, regionId, schedule, onRun: start, onOpen: setDialog })
                }
              />
              <Group>{addButton}</Group>
            </Stack>
          )}
        </Loaded>
      </Stack>
    </Dialog>
  )
}

interface ScheduleActionsInput {
  t: TFunction
  regionId: string
  schedule: ReportSchedule
  onRun: (schedule: ReportSchedule) => void
  onOpen: (open: OpenDialog) => void
}

/** Returns what the viewer may do with a schedule. */
function getScheduleActions({ t, regionId, schedule, onRun, onOpen }: ScheduleActionsInput) {
  const scheduleParams = { region_id: regionId, schedule_id: schedule.schedule_id }
  return [
    ...(schedule.can_edit
      ? [
          { key: 'run', label: t('reporting:schedules.runNow'), onSelect: () => onRun(schedule) },
          {
            key: 'edit',
            label: t('reporting:schedules.edit'),
            onSelect: () => onOpen({ kind: 'form', schedule }),
          },
        ]
      : []),
    {
      key: 'pdf',
      label: t('reporting:schedules.pdf'),
      href: endpointUrl(getReportPdf, { params: scheduleParams, query: {} }),
      download: 'report.pdf',
    },
    {
      key: 'history',
      label: t('reporting:schedules.history'),
      onSelect: () => onOpen({ kind: 'history', schedule }),
    },
    ...(schedule.can_edit
      ? [
          {
            key: 'delete',
            label: t('reporting:schedules.delete'),
            onSelect: () => onOpen({ kind: 'delete', schedule }),
          },
        ]
      : []),
  ]
}

interface ScheduleTableProps {
  regionId: string
  schedules: readonly ReportSchedule[]
  timezone: string
  getActions: (schedule: ReportSchedule) => ReturnType<typeof getScheduleActions>
}

function ScheduleTable({ regionId, schedules, timezone, getActions }: ScheduleTableProps) {
  const { t, i18n } = useTranslation()
  const formatFilters = useFormatFilters(regionId)
  return (
    <Table
      label={t('reporting:schedules.title')}
      rows={schedules}
      rowKey={(row) => row.schedule_id}
      maxHeight={360}
      isWrapped
      columns={[
        {
          key: 'report',
          title: t('reporting:schedules.report'),
          width: 180,
          value: (schedule) => getReportName(schedule.report, t),
          renderCell: ({ report, filters }) => (
            <>
              {getReportName(report, t)}
              <Text size="xs" c="dimmed">
                {formatFilters(filters)}
              </Text>
            </>
          ),
        },
        {
          key: 'cadence',
          title: t('reporting:schedules.cadence'),
          width: 140,
          value: (schedule) => formatCadence(schedule, i18n.language, t),
        },
        {
          key: 'recipients',
          title: t('reporting:schedules.recipients'),
          width: 230,
          value: ({ recipients }) =>
            recipients
              .map(({ email, has_unsubscribed: isOff }) =>
                isOff ? t('reporting:schedules.unsubscribed', { email }) : email,
              )
              .join(', '),
        },
        {
          key: 'next',
          title: t('reporting:schedules.next'),
          width: 190,
          value: (row) => row.next_time,
          renderCell: ({ next_time: next }) => formatDateTime(next, timezone),
        },
        {
          key: 'last',
          title: t('reporting:schedules.last'),
          width: 140,
          value: ({ last_run: last }) => (last ? formatRunState(last, t) : t('reporting:schedules.never')),
        },
        {
          key: 'actions',
          title: t('reporting:schedules.actions'),
          width: 60,
          isActions: true,
          value: () => null,
          renderCell: (schedule) => (
            <RowMenu
              label={t('reporting:schedules.moreOf', { name: getReportName(schedule.report, t) })}
              actions={getActions(schedule)}
            />
          ),
        },
      ]}
    />
  )
}

function DeleteDialog({ regionId, schedule, onClose }: Omit<RunsDialogProps, 'timezone'>) {
  const { t } = useTranslation()
  const remove = useEndpointMutation(deleteReportSchedule, [listReportSchedules])
  return (
    <ConfirmDialog
      title={t('reporting:schedules.deleteOf', { name: getReportName(schedule.report, t) })}
      action={t('reporting:schedules.delete')}
      isPending={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { region_id: regionId, schedule_id: schedule.schedule_id } },
          { onSuccess: onClose },
        )
      }
    >
      {t('reporting:schedules.deleteText')}
    </ConfirmDialog>
  )
}

interface RunsDialogProps {
  regionId: string
  timezone: string
  schedule: ReportSchedule
  onClose: () => void
}

const pollMs = 5000

/** The runs of a schedule, each with its PDF. */
function RunsDialog({ regionId, timezone, schedule, onClose }: RunsDialogProps) {
  const { t, i18n } = useTranslation()
  const params = { region_id: regionId, schedule_id: schedule.schedule_id }
  const runs = useEndpointQuery(listReportRuns, { params }, { staleTime: 0, refetchInterval: pollMs })
  const title = t('reporting:schedules.historyOf', { name: getReportName(schedule.report, t) })
  return (
    <Dialog size={760} title={title} onClose={onClose}>
      <Loaded
        query={runs}
        isEmpty={({ items }) => items.length === 0}
        empty={
          <EmptyState title={t('reporting:schedules.never')}>{t('reporting:schedules.noRuns')}</EmptyState>
        }
      >
        {({ items }) => (
          <Table<ReportRun>
            label={title}
            rows={items}
            rowKey={(row) => row.run_id}
            maxHeight={360}
            isWrapped
            columns={[
              {
                key: 'period',
                title: t('reporting:schedules.period'),
                width: 180,
                value: (run) => run.start_date,
                renderCell: (run) => formatPeriod(run, i18n.language),
              },
              {
                key: 'time',
                title: t('reporting:schedules.time'),
                width: 190,
                value: (run) => run.created_time,
                renderCell: (run) => formatDateTime(run.created_time, timezone),
              },
              {
                key: 'why',
                title: t('reporting:schedules.why'),
                width: 100,
                value: (run) => t(`reporting:schedules.${run.is_manual ? 'manual' : 'planned'}`),
              },
              {
                key: 'state',
                title: t('reporting:schedules.mails'),
                width: 120,
                value: (run) => formatRunState(run, t),
              },
              {
                key: 'pdf',
                title: t('reporting:schedules.pdf'),
                width: 90,
                isActions: true,
                value: () => null,
                renderCell: (run) => (
                  <Button
                    component="a"
                    size="xs"
                    variant="subtle"
                    href={endpointUrl(getReportPdf, { params, query: { run_id: run.run_id } })}
                    download={`report-${run.start_date}.pdf`}
                    aria-label={t('reporting:schedules.pdfOf', { period: formatPeriod(run, i18n.language) })}
                  >
                    PDF
                  </Button>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Dialog>
  )
}
