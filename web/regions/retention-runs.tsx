import { Text, Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RetentionRun, RetentionStep } from '#contract/retention.ts'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { formatDateTime, formatInteger } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'

const countRows = (steps: readonly RetentionStep[]): number =>
  steps.flatMap(({ tables }) => tables).reduce((sum, { rows }) => sum + rows, 0)

/** What each run removed, newest first. */
export function RetentionRuns({ runs, timezone }: { runs: readonly RetentionRun[]; timezone: string }) {
  const { t } = useTranslation()
  const formatStep = ({ category, outcome, tables, detail }: RetentionStep): string =>
    [
      `${t(`regions:retention.category.${category}.name`)}: ${t(`regions:retention.outcome.${outcome}`)}`,
      tables.map(({ table, rows }) => `${table} ${formatInteger(rows)}`).join(', '),
      detail ?? '',
    ]
      .filter(Boolean)
      .join(' · ')
  const columns: TableColumn<RetentionRun>[] = [
    column('time', t('regions:retention.runs.time'), (run) => run.started_time, {
      width: 190,
      renderCell: (run) => formatDateTime(run.started_time, timezone),
    }),
    column('by', t('regions:retention.runs.by'), (run) => run.started_by ?? t('regions:retention.runs.job'), {
      width: 190,
    }),
    column(
      'outcome',
      t('regions:retention.runs.outcome'),
      (run) => t(`regions:retention.outcome.${run.outcome}`),
      { width: 150 },
    ),
    column('rows', t('regions:retention.runs.rows'), (run) => countRows(run.steps), {
      width: 120,
      isNumber: true,
    }),
    column('steps', t('regions:retention.runs.steps'), (run) => run.steps.map(formatStep).join('; '), {
      canSort: false,
      renderCell: (run) =>
        run.steps.map((step) => (
          <Text key={step.category} size="xs">
            {formatStep(step)}
          </Text>
        )),
    }),
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
