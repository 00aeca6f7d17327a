import type { TFunction } from 'i18next'
import type { AuditEntry } from '#contract/users.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import { StateMark } from './state-mark.tsx'

/** The actor, and the impersonated user if there is one. */
export const actorOf = ({
  admin_email,
  user_email,
}: Pick<AuditEntry, 'admin_email' | 'user_email'>): string => admin_email ?? user_email ?? ''
export const nameOf = ({ admin_email, user_email }: Pick<AuditEntry, 'admin_email' | 'user_email'>): string =>
  admin_email ? (user_email ?? '') : ''

/** Columns of the audit log, in the table and in the file. On the screen, times are those of the zone; in the file they are ISO 8601. */
export const auditColumns = (t: TFunction, zone: string): TableColumn<AuditEntry>[] => [
  column('at', t('users:audit.at'), (entry) => entry.at, {
    width: 190,
    renderCell: (entry) => formatDateTime(entry.at, zone),
  }),
  column('actor', t('users:audit.actor'), actorOf, { width: 230 }),
  column('inName', t('users:audit.inName'), nameOf, {
    width: 230,
    renderCell: (entry) => nameOf(entry) || '–',
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
