import { keepPreviousData } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { type AuditEntry, auditOrders, listAudit } from '#contract/users.ts'
import { localDay } from '#contract/period.ts'
import { useOpenedAt } from '#web/data/clock.ts'
import { fetchAll } from '#web/data/fetch-all.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Table } from '#web/kit/table/table.tsx'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { Loaded } from '#web/kit/loaded.tsx'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { useCityZone } from '#web/shell/use-city-zone.ts'
import { useSearchState } from '#web/shell/use-search-state.ts'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { FilterBar } from '#web/filters/filter-bar.tsx'
import { formatDateTime } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { toAuditQuery, auditSearch, type AuditSearch } from './audit-search.ts'
import { UserFilter } from './user-filter.tsx'
import { StateMark } from './state-mark.tsx'

/** The audit log, filtered and paged by the server. */
export function AuditScreen() {
  const { t } = useTranslation()
  const { search: filters, push: change, replace: adjust } = useSearchState(auditSearch)
  const { page = 1, size = 50 } = filters
  const timezone = useCityZone()
  const isSmall = useSmallScreen()
  const openedMs = useOpenedAt()
  const setFilters = (changes: Partial<AuditSearch>) => adjust({ ...changes, page: undefined })
  // Never served from the cache: the latest actions must be listed.
  const audit = useEndpointQuery(
    listAudit,
    { query: { ...toAuditQuery(filters, timezone), page, size } },
    { staleTime: 0, placeholderData: keepPreviousData },
  )
  const columns = useMemo(() => getAuditColumns(t, timezone), [t, timezone])
  const today = localDay(new Date(openedMs), timezone)
  return (
    <AdminPage page="audit" context={t('users:context.audit')} timezone={timezone}>
      <FilterBar
        label={t('users:audit.filters')}
        filters={[
          { kind: 'search', key: 'search', label: t('users:audit.search') },
          {
            kind: 'custom',
            key: 'user_id',
            field: (
              <UserFilter
                key="user_id"
                value={filters.user_id}
                onChange={(user_id) => setFilters({ user_id })}
              />
            ),
          },
          { kind: 'days', label: t('users:audit.days'), today },
          { kind: 'flag', key: 'impersonated', label: t('users:audit.impersonated') },
        ]}
        state={filters}
        onChange={setFilters}
        onType={setFilters}
      />
      <Loaded
        query={audit}
        isEmpty={(entryPage) => entryPage.total === 0}
        empty={<EmptyState title={t('users:audit.empty.title')}>{t('users:audit.empty.text')}</EmptyState>}
      >
        {(entryPage) => (
          <Table
            label={t('shell:pages.audit')}
            isWrapped={isSmall}
            rows={entryPage.items}
            columns={columns}
            rowKey={(entry) => entry.id}
            state={filters}
            onStateChange={change}
            defaultSort="-at"
            fileName={`audit-log-${today}`}
            server={{
              total: entryPage.total,
              sortKeys: auditOrders,
              loadAll: (onProgress) =>
                fetchAll(
                  listAudit,
                  { query: toAuditQuery(filters, timezone) },
                  { getKey: ({ id }) => id, onProgress },
                ),
            }}
          />
        )}
      </Loaded>
    </AdminPage>
  )
}

/** Returns the e-mail of the user who acted: the administrator during impersonation. */
const getActor = ({ admin_email, user_email }: Pick<AuditEntry, 'admin_email' | 'user_email'>): string =>
  admin_email ?? user_email ?? ''
/** Returns the e-mail of the impersonated user; empty without impersonation. */
const getImpersonatedUser = ({
  admin_email,
  user_email,
}: Pick<AuditEntry, 'admin_email' | 'user_email'>): string => (admin_email ? (user_email ?? '') : '')

/** Returns the columns of the audit log. Times are local on the screen, and ISO 8601 in the downloaded file. */
const getAuditColumns = (t: TFunction, timezone: string): TableColumn<AuditEntry>[] => [
  column('at', t('users:audit.at'), (entry) => entry.at, {
    width: 190,
    renderCell: (entry) => formatDateTime(entry.at, timezone),
  }),
  column('actor', t('users:audit.actor'), getActor, { width: 230 }),
  column('inName', t('users:audit.inName'), getImpersonatedUser, {
    width: 230,
    renderCell: (entry) => getImpersonatedUser(entry) || '–',
  }),
  column('action', t('users:audit.action'), (entry) => entry.action, { width: 190 }),
  column('result', t('users:audit.result'), (entry) => entry.status, {
    width: 110,
    renderCell: (entry) => <StateMark state={entry.status < 400 ? 'done' : 'refused'} />,
  }),
  column('path', t('users:audit.path'), (entry) => `${entry.method} ${entry.path}`, { width: 280 }),
  column('address', t('users:audit.address'), (entry) => entry.address ?? '', { width: 140, isHidden: true }),
  column('apiKey', t('users:audit.apiKey'), (entry) => entry.api_key_id ?? '', {
    width: 140,
    isHidden: true,
  }),
]
