import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { auditOrders, listAudit } from '#contract/users.ts'
import { localDay, type LocalDay } from '#contract/period.ts'
import { fetchAll } from '#web/data/fetch-all.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Table } from '#web/kit/table/table.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from './admin-page.tsx'
import { auditColumns } from './audit-columns.tsx'
import { auditQuery, auditSearch, type AuditSearch } from './audit-search.ts'
import { Switch } from '@mantine/core'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import styles from './audit-filters.module.css'
import { SearchField } from '#web/kit/search-field.tsx'
import { UserFilter } from './user-filter.tsx'

interface Props {
  filters: AuditSearch
  today: LocalDay
  onChange: (part: Partial<AuditSearch>) => void
}

/** What of the audit log is shown. A changed filter leads to its first page. */
function AuditFilters({ filters, today, onChange }: Props) {
  const { t } = useTranslation()
  const set = (part: Partial<AuditSearch>) => onChange({ ...part, page: undefined })
  return (
    <div className={styles['filters']} role="search" aria-label={t('users:audit.filters')}>
      <SearchField
        label={t('users:audit.search')}
        value={filters.search ?? ''}
        onSearch={(search) => set({ search })}
      />
      <UserFilter value={filters.user_id} onChange={(user_id) => set({ user_id })} />
      <DateRangePicker
        label={t('users:audit.days')}
        today={today}
        range={{ from: filters.start_date ?? null, to: filters.end_date ?? null }}
        onChange={({ from, to }) => set({ start_date: from ?? undefined, end_date: to ?? undefined })}
      />
      <Switch
        className={styles['switch'] ?? ''}
        label={t('users:audit.impersonated')}
        checked={filters.impersonated === true}
        onChange={(event) => set({ impersonated: event.currentTarget.checked || undefined })}
      />
    </div>
  )
}

export function AuditScreen() {
  const { t } = useTranslation()
  const { search: filters, push: change, replace: adjust } = useSearchState(auditSearch)
  const { page = 1, size = 50 } = filters
  // What was done a moment ago belongs into the log.
  const audit = useEndpointQuery(
    listAudit,
    { query: { ...auditQuery(filters), page, size } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const columns = useMemo(() => auditColumns(t), [t])
  const [today] = useState(() => localDay(new Date(), 'UTC'))
  return (
    <AdminPage page="audit" context={t('users:context.audit')}>
      <AuditFilters filters={filters} today={today} onChange={adjust} />
      <Loaded
        of={audit}
        isEmpty={(found) => found.total === 0}
        empty={<EmptyState title={t('users:audit.empty.title')}>{t('users:audit.empty.text')}</EmptyState>}
      >
        {(found) => (
          <Table
            label={t('shell:pages.audit')}
            rows={found.items}
            columns={columns}
            rowKey={(entry) => entry.id}
            state={filters}
            onState={change}
            defaultSort="-at"
            fileName={`audit-log-${today}.csv`}
            server={{
              total: found.total,
              sortKeys: auditOrders,
              loadAll: (onProgress) =>
                fetchAll(listAudit, { query: auditQuery(filters) }, ({ id }) => id, onProgress),
            }}
          />
        )}
      </Loaded>
    </AdminPage>
  )
}
