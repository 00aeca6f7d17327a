import { ActionIcon, Alert, Text } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { type BackgroundJob, listJobs, runJob } from '#contract/server-work.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { formatSpan } from '#web/kit/format-duration.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { formatMs, Problem } from './work-columns.tsx'

const getJobName = (t: TFunction, { name }: BackgroundJob): string =>
  t(`derived:job.${name}.name`, { defaultValue: name })

const formatNextRun = (t: TFunction, { trigger, next_run }: BackgroundJob, timezone: string): string =>
  trigger === 'interval' && next_run
    ? formatDateTime(next_run, timezone)
    : t(`derived:jobs.${trigger === 'when_sent' ? 'whenSent' : 'whenDue'}`)

/** All jobs with their last and next run; each can be run immediately. */
export function JobTable({ jobs, timezone }: { jobs: readonly BackgroundJob[]; timezone: string }) {
  const { t } = useTranslation()
  const runNow = useEndpointMutation(runJob, [listJobs])
  const columns: TableColumn<BackgroundJob>[] = [
    column('name', t('derived:jobs.name'), (job) => getJobName(t, job), {
      width: 220,
      renderCell: (job) => (
        <>
          <Text size="sm" fw={600}>
            {getJobName(t, job)}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`derived:job.${job.name}.text`, { defaultValue: job.description })}
          </Text>
        </>
      ),
    }),
    column('lastRun', t('derived:jobs.lastRun'), (job) => job.last_run, {
      width: 195,
      renderCell: (job) => {
        if (job.is_running) return t('derived:jobs.running')
        return job.last_run ? formatDateTime(job.last_run, timezone) : t('derived:jobs.never')
      },
    }),
    column('lastMs', t('derived:jobs.lastMs'), (job) => job.last_ms, {
      width: 90,
      isNumber: true,
      renderCell: (job) => formatMs(t, job.last_ms),
    }),
    column('nextRun', t('derived:jobs.nextRun'), (job) => job.next_run, {
      width: 190,
      renderCell: (job) => (
        <>
          {formatNextRun(t, job, timezone)}
          {job.every_seconds === null ? null : (
            <Text size="xs" c="dimmed">
              {t('derived:jobs.every', { span: formatSpan(job.every_seconds) })}
            </Text>
          )}
        </>
      ),
    }),
    column('runs', t('derived:jobs.runs'), (job) => job.runs, { width: 80, isNumber: true }),
    column('failures', t('derived:jobs.failures'), (job) => job.failures, { width: 90, isNumber: true }),
    column('lastProblem', t('derived:jobs.lastProblem'), (job) => job.last_problem, {
      width: 255,
      renderCell: (job) => (
        <Problem text={job.last_problem} time={job.last_problem_time} timezone={timezone} />
      ),
    }),
    column('actions', t('users:actions'), () => null, {
      isActions: true,
      width: 56,
      renderCell: (job) => (
        <ActionIcon
          variant="subtle"
          color="teal"
          aria-label={t('derived:jobs.runNowOf', { name: getJobName(t, job) })}
          title={t('derived:jobs.runNow')}
          loading={runNow.isPending && runNow.variables.params?.job === job.name}
          onClick={() => runNow.mutate({ params: { job: job.name } })}
        >
          <IconPlayerPlay size={18} />
        </ActionIcon>
      ),
    }),
  ]
  return (
    <>
      {runNow.error ? (
        <Alert color="red" mb="sm" title={t('derived:jobs.startFailed')} role="alert">
          {runNow.error.message}
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
