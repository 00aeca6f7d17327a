import { IconExternalLink } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { formatTimezone } from '#web/kit/format.ts'
import { PageHeader } from '#web/kit/page-header.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useMe } from './me.tsx'
import styles from './admin-page.module.css'

/** Pages of administrators in the order of their links. Some require access to all regions. */
const adminPages = [
  { key: 'organization', path: '/admin/organization', needsAllRegions: true },
  { key: 'regions', path: '/admin/regions', needsAllRegions: false },
  { key: 'operators', path: '/admin/operators', needsAllRegions: false },
  { key: 'users', path: '/admin/users', needsAllRegions: false },
  { key: 'roles', path: '/admin/roles', needsAllRegions: true },
  { key: 'signInProviders', path: '/admin/sign-in', needsAllRegions: true },
  { key: 'apiKeys', path: '/admin/api-keys', needsAllRegions: false },
  { key: 'webhooks', path: '/admin/webhooks', needsAllRegions: false },
  { key: 'audit', path: '/admin/audit', needsAllRegions: false },
  { key: 'retention', path: '/admin/retention', needsAllRegions: false },
  { key: 'work', path: '/admin/work', needsAllRegions: true },
] as const

type AdminPageKey = (typeof adminPages)[number]['key']

interface Props {
  page: AdminPageKey
  /** Title of a subpage; by default the name of the page. */
  title?: string
  /** What the page is about, in one line. */
  context: string
  /** Time zone of the times on the page, which is named below the title. */
  timezone?: string
  actions?: ReactNode
  /** Link from a subpage back to its page. */
  back?: ReactNode
  children: ReactNode
}

/** The frame of the pages below /admin: links to the other pages, title and actions. */
export function AdminPage({ page, title, context, timezone, actions, back, children }: Props) {
  const { t } = useTranslation()
  const { user } = useMe()
  return (
    <ReadingPage>
      <nav className={styles['nav']} aria-label={t('users:admin')}>
        {adminPages
          .filter(({ needsAllRegions }) => !needsAllRegions || user.regionIds === null)
          .map(({ key, path }) => (
            <Link
              key={key}
              to={path}
              className={styles['link']}
              aria-current={key === page ? 'page' : undefined}
            >
              {t(`shell:pages.${key}`)}
            </Link>
          ))}
        <a
          className={styles['link']}
          href="/v2/docs"
          target="_blank"
          rel="noreferrer"
          title={t('shell:newTab')}
        >
          {t('users:api')}
          <IconExternalLink size={16} aria-hidden="true" />
        </a>
      </nav>
      {back}
      <PageHeader
        title={title ?? t(`shell:pages.${page}`)}
        context={
          timezone === undefined
            ? context
            : `${context} · ${t('users:times', { zone: formatTimezone(timezone) })}`
        }
        actions={actions}
      />
      {children}
    </ReadingPage>
  )
}
