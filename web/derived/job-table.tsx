import { ActionIcon, Alert, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type BackgroundJob, listJobs, runJob } from '#contract/server-work.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'
import { formatMs, Problem } from './work-columns.tsx'

const nameOf = (t: TFunction, { name }: BackgroundJob): string =>
  t(`derived:job.${name}.name`, { defaultValue: name })

const nextRunOf = (t: TFunction, { trigger, next_run }: BackgroundJob, zone: string): string =>
  trigger === 'interval' && next_run
    ? formatDateTime(next_run, zone)
    : t(`derived:jobs.${trigger === 'when_sent' ? 'whenSent' : 'whenDue'}`)

/** All jobs with their last and next run; each can be run now. */
export function JobTable({ jobs, zone }: { jobs: readonly BackgroundJob[]; zone: string }) {
  const { t } = useTranslation()
  const run = useEndpointMutation(runJob, [listJobs])
  const columns: TableColumn<BackgroundJob>[] = [
    {
      key: 'name',
      title: t('derived:jobs.name'),
      width: 220,
      value: (job) => nameOf(t, job),
      renderCell: (job) => (
        <>
          <Text size="sm" fw={600}>
            {nameOf(t, job)}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`derived:job.${job.name}.text`, { defaultValue: job.description })}
          </Text>
        </>
      ),
    },
    {
      key: 'lastRun',
      title: t('derived:jobs.lastRun'),
      width: 195,
      value: (job) => job.last_run,
      renderCell: (job) =>
        job.is_running
          ? t('derived:jobs.running')
          : job.last_run
            ? formatDateTime(job.last_run, zone)
            : t('derived:jobs.never'),
    },
    {
      key: 'lastMs',
      title: t('derived:jobs.lastMs'),
      width: 90,
      isNumber: true,
      value: (job) => job.last_ms,
      renderCell: (job) => formatMs(t, job.last_ms),
    },
    {
      key: 'nextRun',
      title: t('derived:jobs.nextRun'),
      width: 190,
      value: (job) => job.next_run,
      renderCell: (job) => (
        <>
          {nextRunOf(t, job, zone)}
          {job.every_seconds === null ? null : (
            <Text size="xs" c="dimmed">
              {t('derived:jobs.every', { span: formatSpan(job.every_seconds) })}
            </Text>
          )}
        </>
      ),
    },
    {
      key: 'runs',
      title: t('derived:jobs.runs'),
      width: 80,
      isNumber: true,
      value: (job) => job.runs,
      renderCell: (job) => formatInteger(job.runs),
    },
    {
      key: 'failures',
      title: t('derived:jobs.failures'),
      width: 90,
      isNumber: true,
      value: (job) => job.failures,
      renderCell: (job) => formatInteger(job.failures),
    },
    {
      key: 'lastProblem',
      title: t('derived:jobs.lastProblem'),
      width: 255,
      value: (job) => job.last_problem,
      renderCell: (job) => <Problem text={job.last_problem} time={job.last_problem_time} zone={zone} />,
    },
    {
      key: 'actions',
      title: t('users:actions'),
      isActions: true,
      width: 56,
      value: () => null,
      renderCell: (job) => (
        <ActionIcon
          variant="subtle"
          color="teal"
          aria-label={t('derived:jobs.runNowOf', { name: nameOf(t, job) })}
          title={t('derived:jobs.runNow')}
          loading={run.isPending && run.variables.params?.job === job.name}
          onClick={() => run.mutate({ params: { job: job.name } })}
        >
          <IconPlayerPlay size={18} />
        </ActionIcon>
      ),
    },
  ]
  return (
    <>
      {run.error ? (
        <Alert color="red" mb="sm" title={t('derived:jobs.startFailed')} role="alert">
          {run.error.message}
        </Alert>
      ) : null}
      <Table
        label={t('derived:jobs.title')}
        rows={jobs}
        columns={columns}
        rowKey={({ name }) => name}
        maxHeight="none"
        fileName="background-jobs"
        isWrapped
      />
    </>
  )
}
