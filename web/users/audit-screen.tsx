import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listAudit } from '#contract/users.ts'
import { localDay } from '#contract/period.ts'
import { useAnswer } from '#web/data/query.ts'
import { DataTable } from '#web/kit/data-table.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from './admin-page.tsx'
import { auditColumns } from './audit-columns.tsx'
import { AuditDownload } from './audit-download.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { auditAsk, auditSearch, auditSort } from './audit-search.ts'

const pageSize = 50

export function AuditScreen() {
  const { t } = useTranslation()
  const { search: filters, change, adjust } = useSearchState(auditSearch)
  const page = filters.page ?? 1
  // What was done a moment ago belongs into the log.
  const audit = useAnswer(
    listAudit,
    { query: { ...auditAsk(filters), page, size: pageSize } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const columns = useMemo(() => auditColumns(t), [t])
  const [today] = useState(() => localDay(new Date(), 'UTC'))
  return (
    <AdminPage
      page="audit"
      context={t('users:context.audit')}
      actions={
        <AuditDownload
          filters={auditAsk({ ...filters, sort: undefined })}
          total={audit.data?.total ?? 0}
          today={today}
        />
      }
    >
      <AuditFilters filters={filters} today={today} onChange={adjust} />
      <Loaded
        of={audit}
        isEmpty={(found) => found.total === 0}
        empty={<EmptyState title={t('users:audit.empty.title')}>{t('users:audit.empty.text')}</EmptyState>}
      >
        {(found) => (
          <DataTable
            label={t('shell:pages.audit')}
            rows={found.items}
            columns={columns}
            rowKey={(entry) => entry.id}
            server={{
              page,
              size: pageSize,
              total: found.total,
              order: filters.sort ?? '-at',
              onOrder: (order) => adjust({ sort: auditSort(order), page: undefined }),
              onPage: (to) => change({ page: to }),
            }}
          />
        )}
      </Loaded>
    </AdminPage>
  )
}
