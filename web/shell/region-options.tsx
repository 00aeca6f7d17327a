import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { listRegions } from '#contract/regions.ts'
import { usePagedQuery } from '#web/data/paged-query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { pagePath } from './pages.ts'
import { useRegionContext } from './region.tsx'
import styles from './region-options.module.css'
import { useCurrentPage } from './use-current-page.ts'

/** The regions that match a text. The next page loads when the third item from the end becomes visible. */
export function RegionOptions({ text, onSelected }: { text: string; onSelected: () => void }) {
  const { t } = useTranslation()
  const { regionId } = useRegionContext()
  const { page } = useCurrentPage()
  // On the mobile live map, links lead to the mobile live map of the other region.
  const regionPath = (id: string): string => (page === 'mobileLive' ? pagePath(id, page) : `/${id}`)
  const regionPages = usePagedQuery(listRegions, { query: text ? { text } : {} })
  const thirdFromLast = useRef<HTMLLIElement>(null)
  const loadedCount = regionPages.items?.length ?? 0
  useEffect(() => {
    const element = thirdFromLast.current
    if (!element || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) => entries.some((entry) => entry.isIntersecting) && regionPages.fetchMore(),
    )
    observer.observe(element)
    return () => observer.disconnect()
  })
  return (
    <Loaded
      query={{
        data: regionPages.items,
        error: regionPages.error,
        isFetching: false,
        refetch: regionPages.refetch,
      }}
      isEmpty={(items) => items.length === 0}
      empty={
        <Text size="sm" c="dimmed" p="xs">
          {t(text ? 'shell:region.none' : 'shell:noAccess.title')}
        </Text>
      }
    >
      {(items) => (
        <ul className={styles['list']}>
          {items.map((region, index) => (
            <li
              key={region.regionId}
              ref={index === Math.max(0, loadedCount - 3) ? thirdFromLast : undefined}
            >
              <Link
                className={styles['option']}
                to={regionPath(region.regionId)}
                aria-current={region.regionId === regionId || undefined}
                onClick={onSelected}
              >
                {region.text}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}
