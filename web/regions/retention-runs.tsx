import { Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RetentionRun, RetentionStep } from '#contract/retention.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import type { TableColumn } from '#web/kit/table/table-column.ts'

const rowsOf = (steps: readonly RetentionStep[]): number =>
  steps.flatMap(({ tables }) => tables).reduce((sum, { rows }) => sum + rows, 0)

/** What each run removed, newest first. */
export function RetentionRuns({ runs, zone }: { runs: readonly RetentionRun[]; zone: string }) {
  const { t } = useTranslation()
  const stepText = ({ category, outcome, tables, detail }: RetentionStep): string =>
    [
      `${t(`regions:retention.category.${category}.name`)}: ${t(`regions:retention.outcome.${outcome}`)}`,
      tables.map(({ table, rows }) => `${table} ${formatInteger(rows)}`).join(', '),
      detail ?? '',
    ]
      .filter(Boolean)
      .join(' · ')
  const columns: TableColumn<RetentionRun>[] = [
    {
      key: 'time',
      title: t('regions:retention.runs.time'),
      width: 190,
      value: (run) => run.started_time,
      renderCell: (run) => formatDateTime(run.started_time, zone),
    },
    {
      key: 'by',
      title: t('regions:retention.runs.by'),
      width: 190,
      value: (run) => run.started_by ?? t('regions:retention.runs.job'),
    },
    {
      key: 'outcome',
      title: t('regions:retention.runs.outcome'),
      width: 150,
      value: (run) => t(`regions:retention.outcome.${run.outcome}`),
    },
    {
      key: 'rows',
      title: t('regions:retention.runs.rows'),
      width: 120,
      isNumber: true,
      value: (run) => rowsOf(run.steps),
      renderCell: (run) => formatInteger(rowsOf(run.steps)),
    },
    {
      key: 'steps',
      title: t('regions:retention.runs.steps'),
      canSort: false,
      value: (run) => run.steps.map(stepText).join('; '),
      renderCell: (run) =>
        run.steps.map((step) => (
          <Text key={step.category} size="xs">
            {stepText(step)}
          </Text>
        )),
    },
  ]
  return (
    <section>
      <Title order={2} size="h4" mb="sm">
        {t('regions:retention.runs.title')}
      </Title>
      {runs.length ? (
        <Table
          label={t('regions:retention.runs.title')}
          rows={runs}
          columns={columns}
          rowKey={(run) => run.run_id}
          defaultSort="-time"
          fileName="retention-runs"
          isWrapped
        />
      ) : (
        <EmptyState title={t('regions:retention.runs.none')}>
          {t('regions:retention.runs.noneText')}
        </EmptyState>
      )}
    </section>
  )
}
