import { Anchor, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Region } from '#contract/regions.ts'
import { isPageEnabled } from '#web/shell/features.ts'
import { pagePath, type PageKey } from '#web/shell/pages.ts'
import { useAccessContext } from '#web/shell/use-access-context.ts'
import styles from './activity-summary.module.css'

interface PageLinkProps {
  region: Region
  page: PageKey
  search?: object
  children: ReactNode
}

/** A link to a page of the region; empty if the page is disabled. */
export function PageLink({ region, page, search, children }: PageLinkProps) {
  const access = useAccessContext()
  return access && isPageEnabled(access, page) ? (
    <Anchor component={Link} to={pagePath(region.regionId, page)} search={(search ?? {}) as never} size="sm">
      {children}
    </Anchor>
  ) : null
}

/** A titled section of Home. */
export function Panel({ title, link, children }: { title: string; link?: ReactNode; children: ReactNode }) {
  return (
    <section className={styles['panel']} aria-label={title}>
      <div className={styles['head']}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {link}
      </div>
      {children}
    </section>
  )
}
