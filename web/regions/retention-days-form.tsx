import { Button, Group, NumberInput, Text, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { EndpointOutput } from '#contract/endpoint.ts'
import {
  changeRetention,
  getRetention,
  maxRetentionDays,
  previewRetention,
  type Retention,
  type RetentionCategory,
  type RetentionDays,
  type RetentionStep,
} from '#contract/retention.ts'
import type { ApiError } from '#web/data/api-error.ts'
import { call } from '#web/data/client.ts'
import { useEndpointMutation } from '#web/data/use-endpoint-mutation.ts'
import { FailedState } from '#web/kit/failed-state.tsx'
import { formatDay } from '#web/kit/dates/day-text.ts'
import { formatInteger } from '#web/kit/format.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { showToast } from '#web/kit/toasts.tsx'

type CategoryRow = Retention['categories'][number] & { preview: RetentionStep | undefined }
/** Days as typed, by category; empty for records that are stored forever. */
type DaysDraft = Partial<Record<RetentionCategory, number | ''>>

interface Props {
  regionId: string
  retention: Retention
  actions: ReactNode
}

const toDaysDraft = ({ categories }: Retention): DaysDraft =>
  Object.fromEntries(
    categories
      .filter(({ set_in: setIn }) => setIn === 'retention')
      .map(({ category, days }) => [category, days ?? '']),
  )

const toDays = (draft: DaysDraft): RetentionDays =>
  Object.fromEntries(Object.entries(draft).map(([category, days]) => [category, days === '' ? null : days]))

const countRows = (step: RetentionStep | undefined): number =>
  (step?.tables ?? []).reduce((sum, { rows }) => sum + rows, 0)

/** Days of retention by category. A preview counts the rows that they would remove, before they are saved. */
export function RetentionDaysForm({ regionId, retention, actions }: Props) {
  const { t, i18n } = useTranslation()
  const [draft, setDraft] = useState(() => toDaysDraft(retention))
  const params = { region_id: regionId }
  const save = useEndpointMutation(changeRetention, [getRetention])
  const preview = useMutation<EndpointOutput<typeof previewRetention>, ApiError, RetentionDays>({
    mutationFn: (days) => call(previewRetention, { params, body: { days } }),
  })
  const error = save.error ?? preview.error
  const isUnchanged = JSON.stringify(draft) === JSON.stringify(toDaysDraft(retention))
  const rows = retention.categories.map((entry): CategoryRow => ({
    ...entry,
    preview: preview.data?.steps.find(({ category }) => category === entry.category),
  }))
  const setDays = (category: RetentionCategory, value: string | number): void => {
    preview.reset()
    setDraft({ ...draft, [category]: value === '' ? '' : Number(value) })
  }
  return (
    <section style={{ marginBottom: 'var(--mantine-spacing-xl)' }}>
      <Title order={2} size="h4">
        {t('regions:retention.days')}
      </Title>
      <Text size="sm" c="dimmed" mb="sm">
        {t('regions:retention.daysNote')}
      </Text>
      <Table
        label={t('regions:retention.days')}
        rows={rows}
        columns={getColumns(t, {
          language: i18n.language,
          draft,
          hasPreview: preview.data !== undefined,
          onChange: setDays,
        })}
        rowKey={({ category }) => category}
        maxHeight="none"
        isWrapped
      />
      {error ? <FailedState error={error} title={t('regions:retention.failed')} /> : null}
      <Group mt="md">
        <Button
          disabled={isUnchanged}
          loading={save.isPending}
          onClick={() =>
            save.mutate(
              { params, body: { days: toDays(draft) } },
              { onSuccess: () => showToast(t('regions:retention.saved')) },
            )
          }
        >
          {t('regions:retention.save')}
        </Button>
        <Button variant="default" loading={preview.isPending} onClick={() => preview.mutate(toDays(draft))}>
          {t('regions:retention.preview')}
        </Button>
        {actions}
      </Group>
    </section>
  )
}

interface ColumnOptions {
  language: string
  draft: DaysDraft
  hasPreview: boolean
  onChange: (category: RetentionCategory, value: string | number) => void
}

function getColumns(
  t: TFunction,
  { language, draft, hasPreview, onChange }: ColumnOptions,
): TableColumn<CategoryRow>[] {
  const getName = ({ category }: CategoryRow): string => t(`regions:retention.category.${category}.name`)
  return [
    column('name', t('regions:retention.what'), getName, {
      width: 320,
      canSort: false,
      renderCell: (row) => (
        <>
          <Text size="sm" fw={600}>
            {getName(row)}
          </Text>
          <Text size="xs" c="dimmed">
            {t(`regions:retention.category.${row.category}.text`)}
          </Text>
        </>
      ),
    }),
    column('days', t('regions:retention.storedFor'), ({ days }) => days, {
      width: 200,
      canSort: false,
      renderCell: (row) =>
        row.set_in === 'retention' ? (
          <NumberInput
            aria-label={t('regions:retention.daysOf', { name: getName(row) })}
            placeholder={t('regions:retention.forever')}
            description={t('regions:retention.minimum', { count: row.min_days })}
            inputWrapperOrder={['input', 'description']}
            hideControls
            allowDecimal={false}
            allowNegative={false}
            min={row.min_days}
            max={maxRetentionDays}
            clampBehavior="blur"
            value={draft[row.category] ?? ''}
            onChange={(value) => onChange(row.category, value)}
          />
        ) : (
          <>
            {t('regions:retention.dayCount', { count: row.days ?? 0 })}
            <Text size="xs" c="dimmed">
              {t(`regions:retention.setIn.${row.set_in}`)}
            </Text>
          </>
        ),
    }),
    column('removed', t('regions:retention.removedBefore'), (row) => row.removed_before, {
      width: 170,
      canSort: false,
      renderCell: ({ removed_before: day, set_in: setIn }) => {
        if (setIn !== 'retention') return '–'
        return day === null ? t('regions:retention.nothingRemoved') : formatDay(day, language)
      },
    }),
    ...(hasPreview
      ? [
          column(
            'preview',
            t('regions:retention.wouldRemove'),
            ({ preview }: CategoryRow) => countRows(preview),
            {
              width: 220,
              canSort: false,
              renderCell: ({ preview }: CategoryRow) =>
                preview === undefined ? (
                  '–'
                ) : (
                  <>
                    {t('regions:retention.rows', {
                      count: countRows(preview),
                      rows: formatInteger(countRows(preview)),
                    })}
                    <Text size="xs" c="dimmed">
                      {preview.before_day === null
                        ? ''
                        : t('regions:retention.before', { day: formatDay(preview.before_day, language) })}
                    </Text>
                  </>
                ),
            },
          ),
        ]
      : []),
  ]
}
