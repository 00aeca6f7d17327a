import type { TFunction } from 'i18next'
import type { AuditEntry } from '#contract/users.ts'
import { formatDateTime } from '#web/kit/format.ts'
import type { TableColumn } from '#web/kit/table/table-column.ts'
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
  {
    key: 'at',
    title: t('users:audit.at'),
    width: 190,
    value: (entry) => entry.at,
    renderCell: (entry) => formatDateTime(entry.at, zone),
  },
  { key: 'actor', title: t('users:audit.actor'), width: 230, value: actorOf },
  {
    key: 'inName',
    title: t('users:audit.inName'),
    width: 230,
    value: nameOf,
    renderCell: (entry) => nameOf(entry) || '–',
  },
  {
    key: 'action',
    title: t('users:audit.action'),
    width: 190,
    value: (entry) => entry.action,
  },
  {
    key: 'result',
    title: t('users:audit.result'),
    width: 110,
    value: (entry) => entry.status,
    renderCell: (entry) => <StateMark state={entry.status < 400 ? 'done' : 'refused'} />,
  },
  {
    key: 'path',
    title: t('users:audit.path'),
    width: 280,
    value: (entry) => `${entry.method} ${entry.path}`,
  },
  {
    key: 'address',
    title: t('users:audit.address'),
    width: 140,
    isHidden: true,
    value: (entry) => entry.address ?? '',
  },
  {
    key: 'apiKey',
    title: t('users:audit.apiKey'),
    width: 140,
    isHidden: true,
    value: (entry) => entry.api_key_id ?? '',
  },
]
