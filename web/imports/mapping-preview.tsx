import { useTranslation } from 'react-i18next'
import { Title } from '@mantine/core'
import type { ImportPreview } from '#contract/imports.ts'
import { Warning } from '#web/kit/warning.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { TextTable } from '#web/kit/table/text-table.tsx'

/** A few rows of a file. */
function PreviewTable({
  title,
  heads,
  rows,
}: Omit<Parameters<typeof TextTable>[0], 'label'> & { title: string }) {
  return (
    <section>
      <Title order={3} mt="sm" mb={4}>
        {title}
      </Title>
      <TextTable label={title} heads={heads} rows={rows} />
    </section>
  )
}

/** Formats a value of a trip: times in the region's time zone, numbers with at most six decimals. */
export function formatTripValue(key: string, value: unknown, timezone: string): string {
  if (value === null || value === undefined) return ''
  if (key.endsWith('_time') && typeof value === 'string') return formatDateTime(value, timezone)
  if (typeof value === 'number') return String(Math.round(value * 1e6) / 1e6)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The first rows, as they are read with the mapping and as they are in the file. */
export function MappingPreview({ preview }: { preview: ImportPreview }) {
  const { t } = useTranslation()
  const { timezone } = useRegion()
  const tripKeys = [...new Set(preview.read.flatMap((row) => Object.keys(row.trip ?? {})))]
  const formatVerdict = (row: ImportPreview['read'][number]) => {
    if (row.reason)
      return { text: t('imports:verdict.rejected', { reason: row.reason }), tone: 'red' as const }
    if (row.flags.length > 0)
      return {
        text: t('imports:verdict.flagged', {
          flags: row.flags.map((flag) => t(`imports:flag.${flag}`, { defaultValue: flag })).join(', '),
        }),
        tone: 'amber' as const,
      }
    return { text: t('imports:verdict.accepted') }
  }
  return (
    <div>
      {preview.problems.length > 0 ? (
        <Warning
          title={t(`imports:open.${preview.asks.length > 1 ? 'several' : (preview.asks[0] ?? 'none')}`)}
        >
          {preview.problems.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Warning>
      ) : null}
      <PreviewTable
        title={t('imports:mapping.asRead')}
        heads={[
          t('imports:mapping.line'),
          t('imports:mapping.verdict'),
          ...tripKeys.map((key) => t(`imports:column.${key}`, { defaultValue: key })),
        ]}
        rows={preview.read.map((row) => [
          { text: String(row.line) },
          formatVerdict(row),
          ...tripKeys.map((key) => ({ text: formatTripValue(key, row.trip?.[key], timezone) })),
        ])}
      />
      <PreviewTable
        title={t('imports:mapping.asSent')}
        heads={preview.header}
        rows={preview.rows.map((row) => row.map((text) => ({ text })))}
      />
    </div>
  )
}
