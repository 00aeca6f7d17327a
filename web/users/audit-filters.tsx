import { Switch } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { LocalDay } from '#contract/period.ts'
import { DateRangePicker } from '#web/kit/dates/date-range-picker.tsx'
import type { AuditSearch } from './audit-search.ts'
import styles from './audit-filters.module.css'
import { SearchField } from '#web/kit/search-field.tsx'
import { UserFilter } from './user-filter.tsx'

interface Props {
  filters: AuditSearch
  today: LocalDay
  onChange: (part: Partial<AuditSearch>) => void
}

/** What of the audit log is shown. A changed filter leads to its first page. */
export function AuditFilters({ filters, today, onChange }: Props) {
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
