import { Button, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { ApiError } from '#web/data/api-error.ts'
import { downloadFile } from '#web/kit/download-file.ts'
import { toCsv } from '#web/kit/to-csv.ts'
import { formatInteger } from '#web/kit/format.ts'
import { auditColumns } from './audit-columns.tsx'
import type { auditQuery } from './audit-search.ts'
import { type AuditEntry, listAudit } from '#contract/users.ts'
import { call } from '#web/data/client.ts'

const size = 300

/** The most rows of one file. */
const mostRows = 10_000

/** The newest entries that match, page by page. What is written meanwhile shifts the pages: no entry comes twice. */
export async function fetchAudit(
  filters: ReturnType<typeof auditQuery>,
  most = mostRows,
): Promise<AuditEntry[]> {
  const found = new Map<string, AuditEntry>()
  for (let page = 1; ; page++) {
    const { items, total } = await call(listAudit, { query: { ...filters, page, size } })
    for (const entry of items) found.set(entry.id, entry)
    if (items.length === 0 || page * size >= total || found.size >= most)
      return [...found.values()].slice(0, most)
  }
}

interface Props {
  filters: ReturnType<typeof auditQuery>
  total: number
  today: string
}

/** All that the filters match as a file, not the shown page only; of very many the newest. */
export function AuditDownload({ filters, total, today }: Props) {
  const { t } = useTranslation()
  const download = useMutation<void, ApiError>({
    mutationFn: async () =>
      downloadFile(`audit-log-${today}.csv`, toCsv(await fetchAudit(filters), auditColumns(t)), 'text/csv'),
  })
  const note =
    total > mostRows
      ? t('users:audit.newest', { most: formatInteger(mostRows) })
      : t('users:audit.rows', { count: total, shown: formatInteger(total) })
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconDownload size={18} />}
        loading={download.isPending}
        disabled={total === 0}
        onClick={() => download.mutate()}
      >
        {t('kit:downloadCsv')} ({note})
      </Button>
      {download.error ? (
        <Text role="alert" size="sm" c="var(--red)">
          {download.error.message}
        </Text>
      ) : null}
    </div>
  )
}
